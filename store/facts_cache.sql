-- The cache of facts, in a file of its own: any of it may be thrown away. No migrations: a file of another version is
-- made anew. A seal is a hash of all that counts in a row, as SQLite does not tell damaged bytes.

-- Small rows apart from the facts, so that to note a use does not write the facts again.
CREATE TABLE contents (
  hash BLOB NOT NULL,      -- of the bytes of a source file
  analysis BLOB NOT NULL,  -- of the program and the lexicon that made the facts
  id INTEGER NOT NULL,     -- of the facts
  used INTEGER NOT NULL,   -- seconds since 1970
  size INTEGER NOT NULL,   -- of the facts
  PRIMARY KEY (hash, analysis)
) WITHOUT ROWID;

CREATE TABLE facts (
  id INTEGER PRIMARY KEY,
  seal BLOB NOT NULL,
  facts BLOB NOT NULL
);

-- What stood in a file when it was read. Rows get their ids in the order in which they came.
CREATE TABLE files (
  id INTEGER PRIMARY KEY,
  stamp BLOB NOT NULL UNIQUE,  -- hash of path, size, times, inode and device
  hash BLOB NOT NULL,          -- of the bytes
  seal BLOB NOT NULL
);
