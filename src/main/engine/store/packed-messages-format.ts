/** Format 9 of store.db: texts of messages in packs, and what waits for the import of a long transcript. */
import type { Db } from './database.ts'
import { packFormerTexts } from './message-text.ts'

const TABLES = `
-- n       names the session in rows that a long conversation has many of.
-- stored  what its messages take here, bytes: the text as it is stored, and about 150 for each row.
-- behind  n of its newest late_step, 0 = the transcript is imported. The revision of checkpoints made meanwhile is -n.
ALTER TABLE session ADD COLUMN n INTEGER NOT NULL DEFAULT 0;
ALTER TABLE session ADD COLUMN stored INTEGER NOT NULL DEFAULT 0;
ALTER TABLE session ADD COLUMN behind INTEGER NOT NULL DEFAULT 0;
UPDATE session SET n = (SELECT count(*) FROM session other WHERE other.id <= session.id);
CREATE UNIQUE INDEX session_n ON session(n);
ALTER TABLE message RENAME TO former;
-- size  of its text as UTF-8, bytes; 0 = deleted. The text is in the message_pack with the greatest "first" up to its seq.
CREATE TABLE message(
  session INTEGER NOT NULL REFERENCES session(n),
  seq INTEGER NOT NULL,
  parent INTEGER NOT NULL,
  turn TEXT,
  role TEXT NOT NULL,
  size INTEGER NOT NULL,
  at INTEGER NOT NULL,
  source TEXT NOT NULL,
  PRIMARY KEY(session, seq),
  UNIQUE(session, source)
) STRICT, WITHOUT ROWID;
INSERT INTO message
  SELECT s.n, m.seq, m.parent, m.turn, m.role, length(CAST(m.text AS BLOB)), m.at, m.source
  FROM former m JOIN session s ON s.id = m.session ORDER BY s.n, m.seq;
-- The few messages that do not follow the one before them: with them, what is in force needs no other rows.
CREATE INDEX message_jump ON message(session, seq, parent) WHERE parent <> seq - 1;
-- Texts of adjacent messages, one after the other. first: seq of the first one. codec: 0 raw, 1 zstd.
CREATE TABLE message_pack(
  session INTEGER NOT NULL REFERENCES session(n),
  first INTEGER NOT NULL,
  codec INTEGER NOT NULL,
  text BLOB NOT NULL,
  PRIMARY KEY(session, first)
) STRICT;
-- What hooks reported while an earlier part of the transcript was still to be imported, in its order. The catch-up
-- performs one step after the other (agents/catch-up.ts).
-- up_to  of a step that imports: where the transcript ended, bytes. NULL: the step adds the message.
-- text   of a step that imports: the prompt that follows, or ''.
CREATE TABLE late_step(
  session INTEGER NOT NULL REFERENCES session(n),
  n INTEGER NOT NULL,
  up_to INTEGER,
  turn TEXT,
  role TEXT NOT NULL,
  text TEXT NOT NULL,
  at INTEGER NOT NULL,
  source TEXT NOT NULL,
  PRIMARY KEY(session, n)
) STRICT, WITHOUT ROWID;
`

export function packMessages(db: Db): void {
  db.exec(TABLES)
  packFormerTexts(db)
  db.exec('DROP TABLE former')
}
