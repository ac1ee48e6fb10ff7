-- The cache of facts, in a file of its own: any of it may be thrown away. No migrations: a file of another version is
-- made anew.
CREATE TABLE contents (
  id INTEGER PRIMARY KEY,
  hash BLOB NOT NULL,      -- of the bytes of a source file
  analysis BLOB NOT NULL,  -- of the program and the lexicon that made the facts
  used INTEGER NOT NULL,   -- day since 1970
  size INTEGER NOT NULL,   -- of the facts
  seal BLOB NOT NULL,      -- hash of all that counts in this row, as SQLite does not tell damaged bytes
  facts BLOB NOT NULL,
  UNIQUE (hash, analysis)
);
CREATE INDEX contents_age ON contents (analysis, used, size);

-- What stood in a file when it was read. Rows get their ids in the order in which they came.
CREATE TABLE files (
  id INTEGER PRIMARY KEY,
  stamp BLOB NOT NULL UNIQUE,  -- hash of path, size, times, inode and device
  hash BLOB NOT NULL           -- of the bytes
);
