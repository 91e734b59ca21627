/** Format 15: comments, and the messages to an agent that they are in. Part of store-schema.ts, with its conventions. */
export const REVIEW_TABLES = `
-- Messages to an agent, made of comments and decisions.
-- state       queued, sent or cancelled.
-- route       prompt, tool or copy.
-- turn        the turn that got it; NULL while it waits, and if that is not known.
-- upto        restore.n of the newest restore whose decisions it has.
-- sum         CRC-32 of the message (text-sum.ts).
CREATE TABLE review(
  id TEXT PRIMARY KEY,
  n INTEGER NOT NULL UNIQUE,
  session TEXT NOT NULL REFERENCES session(id),
  state TEXT NOT NULL,
  route TEXT NOT NULL,
  at INTEGER NOT NULL,
  sent_at INTEGER,
  turn TEXT,
  upto INTEGER NOT NULL,
  message TEXT NOT NULL,
  sum INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX review_session ON review(session, n);
-- Comments of a person.
-- seq         the position whose text was shown.
-- path, from_line, to_line    the file and lines [from, to) of that text; NULL = the whole run, the whole file.
-- names       JSON: HunkRef[]: the lines by what inserted them; NULL if the file had no weave.
-- quote       the lines as they were.
-- resolved    1: closed by a person. review: the message it is in.
-- sum         CRC-32 of the text (text-sum.ts).
CREATE TABLE comment(
  id TEXT PRIMARY KEY,
  n INTEGER NOT NULL UNIQUE,
  at INTEGER NOT NULL,
  edited_at INTEGER,
  run TEXT REFERENCES run(id),
  session TEXT REFERENCES session(id),
  seq INTEGER NOT NULL,
  path INTEGER REFERENCES path(id),
  from_line INTEGER,
  to_line INTEGER,
  names TEXT,
  quote TEXT NOT NULL,
  reply_to TEXT REFERENCES comment(id),
  text TEXT NOT NULL,
  resolved INTEGER NOT NULL DEFAULT 0,
  review TEXT REFERENCES review(id),
  sum INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX comment_run ON comment(run, n);
CREATE INDEX comment_session ON comment(session, n);
`

/** Format 17. */
export const COMMENTED_MESSAGES = `
-- message: seq of the message of its session that the comment is on; NULL = it is on none.
ALTER TABLE comment ADD COLUMN message INTEGER;
`

/** Format 22. */
export const COMMENTED_CALLS = `
-- call: the tool call that the comment is on; NULL = it is on none.
ALTER TABLE comment ADD COLUMN call TEXT;
`
