/**
 * Format 16 of store.db: what no checksum and no rule of the log protects is in an index, too. SQLite keeps both equal, and
 * `integrity_check` compares them: a bit that flips in either is found. Numbers are in it as one sum, in which no single bit
 * can change without changing it.
 */
import type { Db } from './database.ts'
import { addChecksums } from './message-text.ts'

const INDEXES = {
  edit: `DROP INDEX edit_path;
CREATE INDEX edit_path ON edit(path, seq,
  before + 3 * after + 5 * base + 7 * at + 11 * origin + 13 * attribution + 17 * merge)`,
  version: 'CREATE INDEX version_content ON version(content, kind + 3 * size + 5 * mode, target, reason)',
  // The heads that no edit names.
  path: 'CREATE INDEX path_initial ON path(version) WHERE edit = 0 AND version IS NOT NULL',
  run: 'CREATE INDEX run_named ON run(title, note, session, agent, start_seq + 3 * coalesce(end_seq, -1))',
  session: 'CREATE INDEX session_named ON session(title, plan, todos)',
  tool_call: 'DROP INDEX tool_call_turn; CREATE INDEX tool_call_turn ON tool_call(turn, name, summary, paths)',
  checkpoint: 'DROP INDEX checkpoint_seq; CREATE INDEX checkpoint_seq ON checkpoint(seq, n, reason, label)'
}

/** Damage of a table must not keep the history from being opened: `doctor` finds it, and the index that it lacks then. */
export function checkRows(db: Db): void {
  for (const [table, sql] of Object.entries(INDEXES)) if (isWhole(db, table)) db.exec(sql)
  if (isWhole(db, 'message_pack')) addChecksums(db)
}

function isWhole(db: Db, table: string): boolean {
  return db.pragma(`quick_check(${table})`, { simple: true }) === 'ok'
}
