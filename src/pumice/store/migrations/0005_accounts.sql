-- One row per model call. Tokens nobody knows are null, and money is where the model has no known price.
CREATE TABLE accounts (
  session INTEGER NOT NULL REFERENCES sessions (id),
  at REAL NOT NULL,
  model TEXT NOT NULL,
  dialect TEXT NOT NULL,
  policy TEXT NOT NULL,
  agent TEXT NOT NULL,
  stage TEXT NOT NULL,
  lane TEXT NOT NULL,
  epoch INTEGER NOT NULL,
  "full" INTEGER,
  sent INTEGER,
  read INTEGER,
  written INTEGER,
  fresh INTEGER,
  output INTEGER,
  is_reported INTEGER NOT NULL,
  is_own INTEGER NOT NULL,
  read_backs INTEGER NOT NULL,
  cost_usd REAL,
  full_cost_usd REAL,
  read_back_usd REAL,
  asked_usd REAL NOT NULL,
  observed INTEGER,
  observed_usd REAL
);
CREATE INDEX accounts_by_session ON accounts (session);
CREATE INDEX accounts_by_time ON accounts (at);
