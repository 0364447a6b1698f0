-- Whose session, and where it stands. Every other table names a session by `id`.
CREATE TABLE sessions (
  id INTEGER PRIMARY KEY,
  tenant TEXT NOT NULL,
  project TEXT NOT NULL,
  user TEXT NOT NULL,
  name TEXT NOT NULL,
  last_seq INTEGER NOT NULL DEFAULT 0,
  first_at REAL NOT NULL DEFAULT 0,
  last_at REAL NOT NULL DEFAULT 0,
  bytes INTEGER NOT NULL DEFAULT 0,
  UNIQUE (tenant, project, user, name)
);
