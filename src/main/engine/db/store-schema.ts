/** Schema of one workspace's store.db: the log (path, version, edit), content, and what hangs on positions of the log. */
import type { Migrations } from './migrate.ts'

/**
 * Numbers kept small on purpose, in the order of these lists:
 * kind 0 absent, 1 file, 2 symlink, 3 dir, 4 special, 5 unknown;
 * origin 0 outside, 1 agent, 2 restore; attribution 0 none, 1 declared, 2 inferred, 3 shared;
 * codec of content 0 raw, 1 zstd, 2 zstd with `base` as dictionary, 3 in chunk rows, 9 emptied.
 * `path.version` NULL = the name is known and its first copy is still to come. `path.parent` 0 = the root itself (name '').
 */
export const STORE_MIGRATIONS: Migrations = [
  `
CREATE TABLE meta(key TEXT PRIMARY KEY, value ANY) STRICT, WITHOUT ROWID;
INSERT INTO meta VALUES ('rev', 0), ('coverage', 'none');

CREATE TABLE content(
  id INTEGER PRIMARY KEY,
  hash BLOB UNIQUE,
  size INTEGER NOT NULL,
  codec INTEGER NOT NULL,
  depth INTEGER NOT NULL DEFAULT 0,
  base INTEGER REFERENCES content(id),
  bytes BLOB
) STRICT;
CREATE TABLE chunk(
  id INTEGER PRIMARY KEY,
  content INTEGER NOT NULL REFERENCES content(id) ON DELETE CASCADE,
  n INTEGER NOT NULL,
  codec INTEGER NOT NULL,
  bytes BLOB NOT NULL,
  UNIQUE(content, n)
) STRICT;

CREATE TABLE version(
  id INTEGER PRIMARY KEY,
  kind INTEGER NOT NULL,
  size INTEGER NOT NULL,
  mode INTEGER NOT NULL,
  content INTEGER REFERENCES content(id),
  target TEXT,
  reason TEXT
) STRICT;

CREATE TABLE path(
  id INTEGER PRIMARY KEY,
  parent INTEGER NOT NULL,
  name TEXT NOT NULL UNIQUE,
  version INTEGER REFERENCES version(id),
  edit INTEGER NOT NULL DEFAULT 0,
  ino INTEGER, size INTEGER, mtime REAL, ctime REAL, mode INTEGER,
  seen REAL NOT NULL DEFAULT 0,
  covered INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX path_parent ON path(parent);
CREATE INDEX path_pending ON path(id) WHERE version IS NULL;

CREATE TABLE edit(
  seq INTEGER PRIMARY KEY,
  path INTEGER NOT NULL REFERENCES path(id),
  before INTEGER NOT NULL REFERENCES version(id),
  after INTEGER NOT NULL REFERENCES version(id),
  origin INTEGER NOT NULL,
  attribution INTEGER NOT NULL,
  base INTEGER NOT NULL,
  at INTEGER NOT NULL,
  restore TEXT,
  drift TEXT,
  merge INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX edit_path ON edit(path, seq);
CREATE INDEX edit_restore ON edit(restore) WHERE restore IS NOT NULL;
CREATE INDEX edit_drift ON edit(drift) WHERE drift IS NOT NULL;

CREATE TABLE run(
  id TEXT PRIMARY KEY,
  n INTEGER NOT NULL UNIQUE,
  session TEXT,
  agent TEXT NOT NULL,
  title TEXT NOT NULL,
  state TEXT NOT NULL,
  started_at INTEGER NOT NULL,
  ended_at INTEGER,
  start_seq INTEGER NOT NULL,
  end_seq INTEGER,
  start_checkpoint TEXT NOT NULL,
  end_checkpoint TEXT,
  exit_code INTEGER,
  completion TEXT NOT NULL DEFAULT '',
  note TEXT NOT NULL DEFAULT '',
  drifted INTEGER NOT NULL,
  incomplete INTEGER NOT NULL,
  taken_back INTEGER NOT NULL DEFAULT 0,
  files INTEGER NOT NULL DEFAULT 0,
  added INTEGER NOT NULL DEFAULT 0,
  deleted INTEGER NOT NULL DEFAULT 0,
  head_start TEXT NOT NULL,
  head_end TEXT,
  pid INTEGER NOT NULL,
  pid_start TEXT NOT NULL,
  hooked INTEGER NOT NULL DEFAULT 0,
  tools INTEGER NOT NULL DEFAULT 0,
  last_event_at INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX run_live ON run(state) WHERE state = 'live';
CREATE TABLE turn(
  id TEXT PRIMARY KEY,
  run TEXT NOT NULL REFERENCES run(id),
  n INTEGER NOT NULL,
  prompt TEXT NOT NULL,
  started_at INTEGER NOT NULL,
  ended_at INTEGER,
  start_seq INTEGER NOT NULL,
  end_seq INTEGER,
  UNIQUE(run, n)
) STRICT;
CREATE TABLE edit_call(
  edit INTEGER NOT NULL REFERENCES edit(seq),
  run TEXT NOT NULL REFERENCES run(id),
  turn TEXT NOT NULL REFERENCES turn(id),
  call TEXT,
  PRIMARY KEY(edit, run)
) STRICT, WITHOUT ROWID;
CREATE INDEX edit_call_run ON edit_call(run, edit);

-- Conversations with agents. A hooked run's windows are its tool calls; any other run is one window from start to end.
CREATE TABLE session(
  id TEXT PRIMARY KEY,
  agent TEXT NOT NULL,
  title TEXT NOT NULL DEFAULT '',
  started_at INTEGER NOT NULL,
  last_at INTEGER NOT NULL,
  ended_at INTEGER,
  cwd TEXT NOT NULL,
  transcript TEXT,
  transcript_at INTEGER NOT NULL DEFAULT 0,
  mode TEXT NOT NULL DEFAULT '',
  model TEXT NOT NULL DEFAULT '',
  phase TEXT NOT NULL DEFAULT 'stopped',
  background INTEGER NOT NULL DEFAULT 0,
  revision INTEGER NOT NULL DEFAULT 0,
  todos TEXT NOT NULL DEFAULT '[]',
  plan TEXT NOT NULL DEFAULT '',
  -- JSON: StoredUsage, '' = nothing is known.
  usage TEXT NOT NULL DEFAULT '',
  run TEXT,
  turn TEXT,
  home TEXT,
  forked_from TEXT NOT NULL DEFAULT '',
  leaf TEXT,
  position TEXT NOT NULL DEFAULT '{}',
  -- 1: its words were removed, and nothing new was said since.
  deleted INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;
-- Sessions prepared for an agent, cut at a message; known by these ids when the agent begins with one.
CREATE TABLE fork(
  id TEXT PRIMARY KEY,
  session TEXT NOT NULL REFERENCES session(id),
  revision INTEGER NOT NULL,
  at INTEGER NOT NULL,
  file TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE tool_call(
  id TEXT PRIMARY KEY,
  session TEXT NOT NULL REFERENCES session(id),
  run TEXT NOT NULL REFERENCES run(id),
  turn TEXT NOT NULL REFERENCES turn(id),
  agent_call TEXT,
  subagent TEXT,
  name TEXT NOT NULL,
  summary TEXT NOT NULL,
  paths TEXT NOT NULL,
  wide INTEGER NOT NULL,
  complete INTEGER NOT NULL,
  state TEXT NOT NULL,
  opened_at INTEGER NOT NULL,
  -- When it ended, told by the transcript and not yet closed: what changed later is not its own.
  ended_at INTEGER,
  closed_at INTEGER,
  start_seq INTEGER NOT NULL,
  end_seq INTEGER
) STRICT;
CREATE INDEX tool_call_open ON tool_call(run) WHERE closed_at IS NULL;
CREATE INDEX tool_call_turn ON tool_call(turn);
-- What is in force is the chain of parents from session.revision, 0 = nothing; the rest was taken back and stays.
CREATE TABLE message(
  session TEXT NOT NULL REFERENCES session(id),
  seq INTEGER NOT NULL,
  parent INTEGER NOT NULL,
  turn TEXT,
  role TEXT NOT NULL,
  text TEXT NOT NULL,
  at INTEGER NOT NULL,
  source TEXT NOT NULL,
  PRIMARY KEY(session, seq),
  UNIQUE(session, source)
) STRICT, WITHOUT ROWID;
-- Events of hooks that were taken in: one that comes again from the spool changes nothing.
CREATE TABLE taken_event(id TEXT PRIMARY KEY, at INTEGER NOT NULL) STRICT, WITHOUT ROWID;

CREATE TABLE checkpoint(
  id TEXT PRIMARY KEY,
  n INTEGER NOT NULL UNIQUE,
  seq INTEGER NOT NULL,
  reason TEXT NOT NULL,
  status TEXT NOT NULL DEFAULT 'available',
  why TEXT NOT NULL DEFAULT '',
  label TEXT NOT NULL DEFAULT '',
  at INTEGER NOT NULL,
  run TEXT REFERENCES run(id),
  turn TEXT REFERENCES turn(id),
  session TEXT,
  revision INTEGER,
  head TEXT
) STRICT;
CREATE INDEX checkpoint_run ON checkpoint(run) WHERE run IS NOT NULL;
CREATE INDEX checkpoint_seq ON checkpoint(seq, n);

CREATE TABLE restore(
  id TEXT PRIMARY KEY,
  n INTEGER NOT NULL UNIQUE,
  act TEXT NOT NULL,
  title TEXT NOT NULL,
  mode TEXT NOT NULL,
  state TEXT NOT NULL,
  to_seq INTEGER,
  guard TEXT NOT NULL REFERENCES checkpoint(id),
  undoes TEXT REFERENCES restore(id),
  undone_by TEXT REFERENCES restore(id),
  -- The cut off restore that this one finishes: its Edits are that one's.
  finishes TEXT REFERENCES restore(id),
  target TEXT NOT NULL,
  -- 1: no selection of paths.
  whole INTEGER NOT NULL,
  at INTEGER NOT NULL,
  plan TEXT NOT NULL,
  phase TEXT NOT NULL DEFAULT '',
  pid INTEGER NOT NULL,
  pid_start TEXT NOT NULL
) STRICT;
CREATE TABLE restore_item(
  restore TEXT NOT NULL REFERENCES restore(id),
  n INTEGER NOT NULL,
  path TEXT NOT NULL,
  action TEXT NOT NULL,
  before INTEGER NOT NULL REFERENCES version(id),
  after INTEGER NOT NULL REFERENCES version(id),
  base INTEGER NOT NULL,
  state TEXT NOT NULL,
  reason TEXT NOT NULL DEFAULT '',
  PRIMARY KEY(restore, n)
) STRICT, WITHOUT ROWID;

-- What a restore does to a conversation: where it stood, where it goes, and the session's head JSON then.
CREATE TABLE restore_conversation(
  restore TEXT PRIMARY KEY REFERENCES restore(id),
  session TEXT NOT NULL REFERENCES session(id),
  from_revision INTEGER NOT NULL,
  to_revision INTEGER NOT NULL,
  head TEXT NOT NULL,
  superseded INTEGER NOT NULL,
  brought_back INTEGER NOT NULL,
  state TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- A merge keeps later Edits and leaves hunks of others out from then on; whole = every hunk of that Edit.
CREATE TABLE restore_without(
  restore TEXT NOT NULL REFERENCES restore(id),
  path TEXT NOT NULL,
  seq INTEGER NOT NULL REFERENCES edit(seq),
  hunk INTEGER NOT NULL,
  whole INTEGER NOT NULL,
  PRIMARY KEY(restore, path, seq, hunk)
) STRICT, WITHOUT ROWID;

CREATE TABLE drift(
  id TEXT PRIMARY KEY,
  n INTEGER NOT NULL UNIQUE,
  state TEXT NOT NULL,
  cause TEXT NOT NULL,
  note TEXT NOT NULL DEFAULT '',
  found_at INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  count INTEGER NOT NULL DEFAULT 0,
  -- Of this one, some paths were accepted or put back before the rest.
  split_from TEXT REFERENCES drift(id)
) STRICT;

-- The timeline is one list over runs, pins, restores and drift, in the order they happened.
CREATE TABLE entry(n INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL, id TEXT NOT NULL UNIQUE) STRICT;

-- Line counts of a pair of versions, worked out once.
CREATE TABLE line_count(
  before INTEGER NOT NULL, after INTEGER NOT NULL,
  added INTEGER NOT NULL, deleted INTEGER NOT NULL, hunks INTEGER NOT NULL, kind TEXT NOT NULL,
  PRIMARY KEY(before, after)
) STRICT, WITHOUT ROWID;
`,
  `
-- What git had checked out at a checkpoint: a branch, else the first letters of a commit; '' = no repository, or not known.
ALTER TABLE checkpoint ADD COLUMN git TEXT NOT NULL DEFAULT '';
ALTER TABLE run DROP COLUMN head_start;
ALTER TABLE run DROP COLUMN head_end;
`,
  `
-- Lines of an agent's transcript of a kind nobody here knows; at: where each begins in it, bytes.
CREATE TABLE unknown_record(
  session TEXT NOT NULL REFERENCES session(id), at INTEGER NOT NULL, text TEXT NOT NULL, PRIMARY KEY(session, at)
) STRICT, WITHOUT ROWID;
`,
  `
-- SHA-256 of what was written, hex; '' = not known, or the file is gone or its agent's own by now.
ALTER TABLE fork ADD COLUMN hash TEXT NOT NULL DEFAULT '';
`,
  `
-- The end of what a command printed; cut: 1 when there was more before it.
CREATE TABLE call_output(
  call TEXT PRIMARY KEY REFERENCES tool_call(id), text TEXT NOT NULL, cut INTEGER NOT NULL
) STRICT;
`,
  `
-- Text that is not UTF-8 was counted as binary; it is counted anew when it is next listed.
DELETE FROM line_count WHERE kind = 'binary';
`
]
