/**
 * Schema of store.db, which holds everything about one workspace: the log (path, version, edit), content, what names
 * positions of the log (runs, turns, checkpoints, restores, drift), and conversations.
 *
 * Conventions:
 * - Times (`at`, `*_at`) are ms UTC. Positions (`seq`, `*_seq`) are `edit.seq`; position n is the state after edit n.
 * - `n` is an ordinal: the order within the table or its parent row, where two times may be equal.
 * - Text ids have a prefix that names the table: run_, turn_, call_, cp_, rst_, dr_.
 * - A column named like a table refers to it. It has no REFERENCES where the row may be written first or removed later.
 * - Enumerations of the log are small integers, so that its rows stay short:
 *   kind        0 absent, 1 file, 2 symlink, 3 dir, 4 special, 5 unknown
 *   origin      0 outside, 1 agent, 2 restore
 *   attribution 0 none, 1 declared, 2 inferred, 3 shared
 *   codec       see codec.ts
 *
 * Comments stand before CREATE TABLE, not inside it: SQLite stores its text, and every connection parses it.
 */
import { DRIFTS_OF_PATHS, EVICTED_CONTENTS } from './added-indexes.ts'
import { checkRows } from './checked-rows-format.ts'
import { ADDED_TO_FORMAT_1, completeFirstFormat } from './first-format.ts'
import { LOG_TABLES } from './log-schema.ts'
import type { Migrations } from './migrate.ts'
import { packMessages } from './packed-messages-format.ts'
import { PACKED_PATHS } from './packed-paths.ts'
import { RESTORE_GIT } from './restore-git-format.ts'
import { COMMENTED_CALLS, COMMENTED_MESSAGES, REVIEW_TABLES } from './review-tables.ts'
import { RUN_TEXTS } from './run-texts-format.ts'
import { SHARED_CHUNKS } from './shared-chunks-format.ts'
import { SHARED_CONTENTS } from './shared-contents-format.ts'
import { TEST_RESULTS } from './test-results-format.ts'
import { ADD_SUMS } from './text-sum.ts'

const FORMAT_1 = `${LOG_TABLES}
-- A prompt and everything until the agent is idle, or one driftline run.
-- state       live, ended or interrupted.
-- start_seq, end_seq                positions; end_seq NULL while it is live.
-- completion  how the agent ended it: completed, cancelled, error, interrupted, or ''.
-- note        a sentence to show with it, or ''.
-- drifted     1: outside edits were open when it began (pre_run_drift).
-- incomplete  1: versions before its edits may be missing (GW-5, or the initial snapshot was not complete).
-- taken_back  1: undone; none of its edits is in force.
-- files, added, deleted             totals, set when it ends.
-- pid, pid_start                    the process whose death ends it, with its start time: pids are reused.
-- hooked      1: hooks report its tool calls, and only those claim edits (GW-4). 0: it claims edits from start to end. A driftline run
--             has 0 until an agent in it reports, 2 while one works in it and its tool calls claim edits, then 3: as 0 (RN-2).
-- tools       1: it works through Driftline's own tools, which wait for restores.
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
-- One prompt of a run up to the agent's stop. n: order within the run, from 1.
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
-- Who made an edit: one row per run that may have. call: the tool call, NULL in a run without hooks.
CREATE TABLE edit_call(
  edit INTEGER NOT NULL REFERENCES edit(seq),
  run TEXT NOT NULL REFERENCES run(id),
  turn TEXT NOT NULL REFERENCES turn(id),
  call TEXT,
  PRIMARY KEY(edit, run)
) STRICT, WITHOUT ROWID;
CREATE INDEX edit_call_run ON edit_call(run, edit);

-- A conversation with an agent; id is the agent's own.
-- transcript, transcript_at  the agent's file, and how many of its bytes are read.
-- phase       plan, execute, verify or stopped.
-- background  number of tool calls that kept working after the agent stopped.
-- revision    seq of the newest message in force, 0 = none.
-- todos       JSON: Todo[]. usage: JSON: StoredUsage, '' = not known. position: JSON: StoredPosition.
-- run, turn   its live run and turn.
-- home        where the agent keeps its files, if not in the usual folder.
-- forked_from the session it was cut from, or ''.
-- leaf        id of the last transcript record read, for agents whose records name the one before (rewinds).
-- deleted     1: its messages were deleted, and no message was added since.
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
  usage TEXT NOT NULL DEFAULT '',
  run TEXT,
  turn TEXT,
  home TEXT,
  forked_from TEXT NOT NULL DEFAULT '',
  leaf TEXT,
  position TEXT NOT NULL DEFAULT '{}',
  deleted INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;
-- Session files prepared for an agent, cut at a message. The agent reports the id when it continues one.
-- revision: the message it is cut at. file: its path.
CREATE TABLE fork(
  id TEXT PRIMARY KEY,
  session TEXT NOT NULL REFERENCES session(id),
  revision INTEGER NOT NULL,
  at INTEGER NOT NULL,
  file TEXT NOT NULL
) STRICT, WITHOUT ROWID;
-- One use of a tool. An open call is a window: edits found while it is open may be its own (GW-4).
-- agent_call  the agent's own id of the call.
-- subagent    the agent's id of the subagent that made it.
-- paths       JSON: root-relative paths it names. wide: 1 if it may change the whole folder, as a command may.
-- complete    1: the folder was scanned before it ran (GW-5).
-- state       open, working (it returned, its processes continue), done, failed or abandoned (its end was never reported).
-- ended_at    its end according to the transcript, while its end event is missing: later changes are not its own.
-- closed_at   when its window closed.
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
  ended_at INTEGER,
  closed_at INTEGER,
  start_seq INTEGER NOT NULL,
  end_seq INTEGER
) STRICT;
CREATE INDEX tool_call_open ON tool_call(run) WHERE closed_at IS NULL;
CREATE INDEX tool_call_turn ON tool_call(turn);
-- Messages in force are the chain of parents from session.revision; the others were undone and stay.
-- parent  seq of the message before it, 0 = none.
-- source  the agent's own id of the message, or 'event:...' while only a hook event reported it.
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
-- Hook events already processed: one that arrives again from the spool changes nothing (GW-1).
CREATE TABLE taken_event(id TEXT PRIMARY KEY, at INTEGER NOT NULL) STRICT, WITHOUT ROWID;

-- [CK-1] A named position. Only status, why and label change.
-- seq       the position. reason: CheckpointReason.
-- status    available, restored, pruned (part of its content was evicted) or broken (damaged). why: a sentence for the last two.
-- label     of a pin.
-- revision  of its session at that time. head: JSON: SessionHead, the rest of the session's state.
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

-- [RS-3] The journal of restores, written before the first file changes.
-- act         restore, undo-run, undo, redo, drift or recover.
-- mode        files, conversation or both.
-- state       applying while files are written, then RestoreState. The row of a dead process counts as interrupted.
-- to_seq      the position it returned to; NULL if it reverted edits instead.
-- guard       the checkpoint made before it.
-- undoes, undone_by   pair an undo or redo with the restore it reverts.
-- finishes    the interrupted restore that this one completes: its edits belong to that one.
-- target      what was named: a run, drift, restore or position. whole: 1 if no paths were selected.
-- plan        hash of the plan that was confirmed (RS-2).
-- phase       unused.
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
  finishes TEXT REFERENCES restore(id),
  target TEXT NOT NULL,
  whole INTEGER NOT NULL,
  at INTEGER NOT NULL,
  plan TEXT NOT NULL,
  phase TEXT NOT NULL DEFAULT '',
  pid INTEGER NOT NULL,
  pid_start TEXT NOT NULL
) STRICT;
-- One path of a restore. n: order of the plan. base: the edit the path returns to. state: planned, then ItemResult.
-- reason: written by earlier versions and never read. It stays, because dropping a column writes the table anew.
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

-- What a restore does to a conversation.
-- from_revision, to_revision  of the session before and after. head: JSON: SessionHead before.
-- superseded, brought_back    number of messages undone, and of messages in force again.
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

-- Hunks that a merge omits from then on. seq: the edit they belong to. whole: 1 on every row of an edit omitted completely.
CREATE TABLE restore_without(
  restore TEXT NOT NULL REFERENCES restore(id),
  path TEXT NOT NULL,
  seq INTEGER NOT NULL REFERENCES edit(seq),
  hunk INTEGER NOT NULL,
  whole INTEGER NOT NULL,
  PRIMARY KEY(restore, path, seq, hunk)
) STRICT, WITHOUT ROWID;

-- A set of outside edits found together.
-- state       open, accepted or put-back (undone).
-- cause       edits, offline, branch or bulk.
-- seq         of its first edit.
-- count       paths, as listed.
-- split_from  the drift from which some paths were accepted or undone before the rest.
CREATE TABLE drift(
  id TEXT PRIMARY KEY,
  n INTEGER NOT NULL UNIQUE,
  state TEXT NOT NULL,
  cause TEXT NOT NULL,
  note TEXT NOT NULL DEFAULT '',
  found_at INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  count INTEGER NOT NULL DEFAULT 0,
  split_from TEXT REFERENCES drift(id)
) STRICT;

-- The timeline: one list over runs, pins, restores and drift, in the order they were recorded.
CREATE TABLE entry(n INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL, id TEXT NOT NULL UNIQUE) STRICT;

-- Cache of line counts between two versions; kind: ContentKind.
CREATE TABLE line_count(
  before INTEGER NOT NULL, after INTEGER NOT NULL,
  added INTEGER NOT NULL, deleted INTEGER NOT NULL, hunks INTEGER NOT NULL, kind TEXT NOT NULL,
  PRIMARY KEY(before, after)
) STRICT, WITHOUT ROWID;
`

export const STORE_MIGRATIONS: Migrations = [
  FORMAT_1,
  (db, isNew) => {
    if (!isNew) completeFirstFormat(db, FORMAT_1, ADDED_TO_FORMAT_1)
    db.exec(`
-- git: what git had checked out: a branch, else the start of a commit id; '' = no repository, or not known.
-- run.head_start and head_end recorded the same for runs, which their checkpoints now do.
ALTER TABLE checkpoint ADD COLUMN git TEXT NOT NULL DEFAULT '';
ALTER TABLE run DROP COLUMN head_start;
ALTER TABLE run DROP COLUMN head_end;
`)
  },
  `
-- Lines of a transcript whose kind is not known. at: offset of the line in the file, bytes.
CREATE TABLE unknown_record(
  session TEXT NOT NULL REFERENCES session(id), at INTEGER NOT NULL, text TEXT NOT NULL, PRIMARY KEY(session, at)
) STRICT, WITHOUT ROWID;
`,
  `-- SHA-256 of the file as written, hex; '' = not known, or the file is removed or was changed by its agent.
ALTER TABLE fork ADD COLUMN hash TEXT NOT NULL DEFAULT '';
`,
  `
-- The end of what a command printed. cut: 1 if more was printed before.
CREATE TABLE call_output(
  call TEXT PRIMARY KEY REFERENCES tool_call(id), text TEXT NOT NULL, cut INTEGER NOT NULL
) STRICT;
`,
  `
-- Text other than UTF-8 was counted as binary. It is counted again when it is next listed.
DELETE FROM line_count WHERE kind = 'binary';
`,
  `
-- Columns that held sentences hold data.
-- checkpoint.why  restored: the restore that passed it. broken: the damaged path. Else ''.
-- run.note        codes (RunNoteCode), separated by '; '.
-- drift.note      of the cause branch: what HEAD was and is, separated by a blank. Else ''.
-- drift.cause     also settings: files that a person chose to protect.
UPDATE checkpoint SET why = CASE
  WHEN status = 'restored' AND instr(why, 'rst_') > 0 THEN substr(why, instr(why, 'rst_'))
  WHEN status = 'broken' AND why LIKE 'the stored content of % is damaged'
    THEN substr(why, length('the stored content of ') + 1, length(why) - length('the stored content of  is damaged'))
  WHEN status = 'pruned' THEN ''
  ELSE why END;
UPDATE run SET note = replace(replace(replace(replace(note,
  'stopped before it finished; its command may have kept running, and later changes by it count as made outside',
    'stopped-with-command'),
  'stopped before it finished', 'stopped'),
  'the agent still remembers what was undone', 'remembers'),
  'the conversation was rewound in the agent before this prompt', 'rewound');
UPDATE drift SET cause = 'settings', note = '' WHERE note = 'protected from now on by your settings';
UPDATE drift SET note = replace(substr(note, length('the branch moved from ') + 1), ' to ', ' ')
  WHERE cause = 'branch' AND note LIKE 'the branch moved from % to %';
`,
  `
-- damaged: 1 once its bytes could not be read or did not match the hash; storing the same bytes again repairs it.
ALTER TABLE content ADD COLUMN damaged INTEGER NOT NULL DEFAULT 0;
`,
  packMessages,
  `
-- [LG-7] moved_from: the edit by which another path lost the content that this edit received; NULL = no rename.
ALTER TABLE edit ADD COLUMN moved_from INTEGER REFERENCES edit(seq);
CREATE UNIQUE INDEX edit_moved_from ON edit(moved_from) WHERE moved_from IS NOT NULL;
-- moved_from: the path that the item's content is moved from, with its history.
ALTER TABLE restore_item ADD COLUMN moved_from TEXT;
`,
  SHARED_CHUNKS,
  '', // Format 12: contents may have codec 4, which older versions cannot read.
  ADD_SUMS,
  `
-- lines: JSON: [from, to) of the hunk's changed lines that are omitted: its deleted lines, then its inserted ones; NULL = all.
ALTER TABLE restore_without ADD COLUMN lines TEXT;
`,
  REVIEW_TABLES,
  checkRows,
  COMMENTED_MESSAGES,
  SHARED_CONTENTS,
  TEST_RESULTS,
  RUN_TEXTS,
  RESTORE_GIT,
  COMMENTED_CALLS,
  EVICTED_CONTENTS,
  PACKED_PATHS,
  DRIFTS_OF_PATHS
]
