-- What is indexed for search: a block takes the rowids `first` to `first + lines - 1` of `search_lines`, below session * 2^32.
-- `packed` holds its lines as they were indexed: an index without texts of its own has to be told what to take out.
CREATE TABLE search_blocks (
  session INTEGER NOT NULL REFERENCES sessions (id),
  first INTEGER NOT NULL,
  lines INTEGER NOT NULL,
  pieces INTEGER NOT NULL,
  block TEXT NOT NULL,
  hash TEXT NOT NULL,
  packed BLOB NOT NULL
);
CREATE UNIQUE INDEX search_blocks_by_name ON search_blocks (session, block);
CREATE UNIQUE INDEX search_blocks_by_first ON search_blocks (first);
-- Pieces come with a space between them (`measure/terms.py`); every other character is part of one.
CREATE VIRTUAL TABLE search_lines USING fts5 (pieces, content = '', tokenize = 'ascii');
