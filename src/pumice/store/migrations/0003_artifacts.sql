-- Names of artifacts; `leaving` holds files a forget has still to remove, so that a killed one is finished later.
CREATE TABLE artifacts (
  session INTEGER NOT NULL REFERENCES sessions (id),
  name TEXT NOT NULL,
  sha256 TEXT NOT NULL,
  size INTEGER NOT NULL,
  PRIMARY KEY (session, name)
) WITHOUT ROWID;
CREATE INDEX artifacts_by_sha256 ON artifacts (sha256);
CREATE TABLE leaving (sha256 TEXT PRIMARY KEY) WITHOUT ROWID;
