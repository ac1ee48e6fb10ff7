-- The database of hwsift, version 1 (PRAGMA user_version). Times are UTC, durations seconds.
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
