-- The database of hwsift. Each "-- @version N" begins what that version adds to the one before; PRAGMA
-- user_version tells how many of them a file has. Times are UTC, durations seconds, flags 0 or 1.

-- @version 1
CREATE TABLE run (
  id INTEGER PRIMARY KEY,
  started TEXT NOT NULL,
  seconds REAL NOT NULL,
  device TEXT NOT NULL,
  environment TEXT NOT NULL -- JSON, as hwsift.run/1 has it
);

CREATE TABLE test (
  id INTEGER PRIMARY KEY,
  node TEXT NOT NULL UNIQUE, -- test/test_x.py::TestAddCPU::test_add_cpu
  path TEXT NOT NULL
);
CREATE INDEX test_path ON test (path);

CREATE TABLE result (
  run INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
  test INTEGER NOT NULL REFERENCES test (id),
  outcome TEXT NOT NULL,
  seconds REAL NOT NULL,
  attempts INTEGER NOT NULL,
  PRIMARY KEY (run, test)
) WITHOUT ROWID;
CREATE INDEX result_test ON result (test, run);

-- @version 2
PRAGMA application_id = 1752658790; -- "hwsf"

-- What measured: the analyzer, the rules and the settings, as one fingerprint. Numbers of two of these are not
-- comparable.
CREATE TABLE analysis (
  id INTEGER PRIMARY KEY,
  fingerprint TEXT NOT NULL UNIQUE
);

-- Cache: what a file's content came to, as long as the files that were asked about it stay the same.
CREATE TABLE measure (
  id INTEGER PRIMARY KEY,
  analysis INTEGER NOT NULL REFERENCES analysis (id) ON DELETE CASCADE,
  path TEXT NOT NULL,
  blob TEXT NOT NULL,      -- git's name of the content
  needs TEXT NOT NULL,     -- JSON: the paths that were asked for, each with its blob ("" where there was no file)
  calls INTEGER NOT NULL,  -- it rests on every call of instantiate_device_type_tests, too
  traits TEXT NOT NULL,    -- and on these facts about the tree: version, members of its enum
  was_read INTEGER NOT NULL,
  test_file INTEGER NOT NULL,
  owners TEXT NOT NULL,    -- JSON array of the labels of "# Owner(s):"
  outside_uses INTEGER NOT NULL,
  findings TEXT NOT NULL   -- JSON: count by rule
);
CREATE INDEX measure_content ON measure (path, blob, analysis);

CREATE TABLE class_measure (
  measure INTEGER NOT NULL REFERENCES measure (id) ON DELETE CASCADE,
  place INTEGER NOT NULL,  -- in the file, from 0
  name TEXT NOT NULL,
  line INTEGER NOT NULL,
  tests INTEGER NOT NULL,
  declared TEXT NOT NULL,  -- category, "" where it has no label
  inferred TEXT NOT NULL,
  mixed INTEGER NOT NULL,
  uses INTEGER NOT NULL,   -- hard-coded
  findings INTEGER NOT NULL,
  PRIMARY KEY (measure, place)
) WITHOUT ROWID;

-- History. line 0 is what reports show; line 1 is one in the making, which takes its place when it is whole.
CREATE TABLE line_commit (
  line INTEGER NOT NULL,
  position INTEGER NOT NULL, -- in the order of the line, oldest first; commits that changed nothing are left out
  hash TEXT NOT NULL,
  date TEXT NOT NULL,
  author TEXT NOT NULL,
  subject TEXT NOT NULL,
  point INTEGER NOT NULL,
  gap_before INTEGER NOT NULL,
  analysis INTEGER NOT NULL REFERENCES analysis (id),
  files INTEGER NOT NULL,
  classes INTEGER NOT NULL,
  tests INTEGER NOT NULL,
  declared INTEGER NOT NULL,
  mixed INTEGER NOT NULL,
  uses INTEGER NOT NULL,
  findings INTEGER NOT NULL,
  allowlisted INTEGER,       -- entries; NULL where the commit has no allowlist
  PRIMARY KEY (line, position)
) WITHOUT ROWID;
CREATE UNIQUE INDEX line_commit_hash ON line_commit (line, hash);

-- What a file came to from a commit on. The first commit of a line has one for each file.
CREATE TABLE version (
  line INTEGER NOT NULL,
  position INTEGER NOT NULL,
  path TEXT NOT NULL,
  measure INTEGER REFERENCES measure (id), -- NULL: the file is gone
  moved_from TEXT NOT NULL,                -- its path until then, "" where it was not renamed
  PRIMARY KEY (line, position, path)
) WITHOUT ROWID;
CREATE INDEX version_measure ON version (measure);

CREATE TABLE allowlist_step (
  line INTEGER NOT NULL,
  position INTEGER NOT NULL,
  entry TEXT NOT NULL,
  path TEXT NOT NULL,
  whole_file INTEGER NOT NULL,
  added INTEGER NOT NULL,
  PRIMARY KEY (line, position, entry, added)
) WITHOUT ROWID;

CREATE TABLE line_state (
  line INTEGER PRIMARY KEY,
  allowlist_file TEXT NOT NULL,
  begins TEXT NOT NULL,      -- why nothing older is known
  traits TEXT NOT NULL,      -- what the tree of the last commit says about itself
  every TEXT NOT NULL        -- 'week' or 'commit': which commits are points
);

CREATE TABLE item (
  id TEXT PRIMARY KEY,
  title TEXT NOT NULL,
  paths TEXT NOT NULL,   -- JSON arrays of texts
  classes TEXT NOT NULL,
  area TEXT NOT NULL,
  owner TEXT NOT NULL,
  url TEXT NOT NULL,
  links TEXT NOT NULL,
  done_by_hand INTEGER NOT NULL,
  mark TEXT NOT NULL,    -- set by hand, as the next two: '', 'blocked', 'wont_do'
  reason TEXT NOT NULL,
  note TEXT NOT NULL,
  listed_area TEXT,      -- what the list says, where area was set by hand instead; else NULL
  listed_owner TEXT,
  list TEXT NOT NULL     -- that named it last; '' is the default list
);
