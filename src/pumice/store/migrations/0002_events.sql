-- A table with rowids only ever grows at its end, so no page split leaves a second copy of an event behind.
CREATE TABLE events (
  session INTEGER NOT NULL REFERENCES sessions (id),
  seq INTEGER NOT NULL,
  branch TEXT NOT NULL,
  kind TEXT NOT NULL,
  at REAL NOT NULL,
  packed INTEGER NOT NULL,
  data BLOB NOT NULL
);
CREATE UNIQUE INDEX events_by_seq ON events (session, seq);
CREATE TABLE tips (
  session INTEGER NOT NULL REFERENCES sessions (id),
  branch TEXT NOT NULL,
  seq INTEGER NOT NULL,
  PRIMARY KEY (session, branch)
) WITHOUT ROWID;
