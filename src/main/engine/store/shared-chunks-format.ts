/**
 * The migration of format 11: contents share chunks. Before, a chunk belonged to one content. Chunks keep their ids and
 * bytes, so none is unpacked.
 */
export const SHARED_CHUNKS = `
-- Chunks of large contents, each stored once. codec: 0 or 1.
-- hash     SHA-256 of its bytes; NULL if an older version stored it: no other content shares it.
-- damaged  1 once a content that has it could not be read; storing the same bytes again repairs it.
ALTER TABLE chunk RENAME TO former_chunk;
CREATE TABLE chunk(
  id INTEGER PRIMARY KEY,
  hash BLOB UNIQUE,
  codec INTEGER NOT NULL,
  damaged INTEGER NOT NULL DEFAULT 0,
  bytes BLOB NOT NULL
) STRICT;
-- The chunks of a content. n: order within it.
CREATE TABLE content_chunk(
  content INTEGER NOT NULL REFERENCES content(id),
  n INTEGER NOT NULL,
  chunk INTEGER NOT NULL REFERENCES chunk(id),
  PRIMARY KEY(content, n)
) STRICT, WITHOUT ROWID;
CREATE INDEX content_chunk_chunk ON content_chunk(chunk);
INSERT INTO chunk(id, codec, bytes) SELECT id, codec, bytes FROM former_chunk;
INSERT INTO content_chunk(content, n, chunk) SELECT content, n, id FROM former_chunk;
-- The last measurement of the history: the chunks that it includes.
UPDATE meta SET value = json_set(value, '$.chunk',
  (SELECT coalesce(max(id), 0) FROM former_chunk WHERE content <= json_extract(value, '$.to'))) WHERE key = 'usage';
DROP TABLE former_chunk;
`
