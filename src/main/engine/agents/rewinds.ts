/**
 * Finds rewinds inside an agent's own conversation, which no hook reports. Claude Code and Qwen Code link each record
 * to its parent: after a rewind, the next prompt's parent is not the last record. Codex starts a new file that names
 * the part of the old file it builds on. The abandoned messages are no longer in force, and the run that began there
 * gets a note.
 */
import { setTurnStartRevision } from '../store/checkpoints.ts'
import { findBySource, findReported, setParent } from '../store/messages.ts'
import { bumpRev } from '../store/meta.ts'
import type { Store } from '../store/open-store.ts'
import { addRunNote } from '../store/runs.ts'
import type { SessionRow } from '../store/sessions.ts'
import { transact } from '../store/sql.ts'
import { runOfTurn } from '../store/turns.ts'
import type { SessionContext } from './agent-workspace.ts'
import { asFields, asText, type Fields, parseRecord } from './payload.ts'
import { readSessionFiles, type SessionFile } from './session-file.ts'
import { MESSAGE_READERS } from './transcript-records.ts'

/** Agents whose records name their parent (`parentUuid`). */
const LINKED: ReadonlySet<string> = new Set(['claude-code', 'qwen-code'])

/** Stored as the leaf of a Codex session whose file builds on another one and has no prompt yet. */
const AWAITS_PROMPT = 'base'

/** Ids of prompts whose parent is not the record before them, and the id of the last record. */
interface RewindScan {
  readonly rewound: readonly string[]
  readonly leaf: string | null
}

/**
 * `leaf`: the last record of the part read before. `promptOf` returns a record's id if it is a prompt typed by the
 * user, else null.
 */
export function findRewinds(
  agent: string,
  records: readonly Fields[],
  leaf: string | null,
  promptOf: (record: Fields) => string | null
): RewindScan {
  if (agent === 'codex') {
    const buildsOnBase = records[0]?.type === 'session_meta' && 'history_base' in asFields(records[0].payload)
    const first = buildsOnBase || leaf === AWAITS_PROMPT ? records.map(promptOf).find((id) => id !== null) : null
    return first ? { rewound: [first], leaf: null } : { rewound: [], leaf: buildsOnBase ? AWAITS_PROMPT : leaf }
  }
  if (!LINKED.has(agent)) return { rewound: [], leaf: null }
  const rewound: string[] = []
  let last = leaf
  for (const record of records) {
    const id = asText(record.uuid)
    if (!id || record.isSidechain === true) continue
    if (last !== null && asText(record.parentUuid) !== last && promptOf(record)) rewound.push(id)
    last = id
  }
  return { rewound, leaf: last }
}

/**
 * Sets the parent of each of these prompts to the message it really follows. `upTo`: all of them are before this
 * offset of the transcript, bytes.
 */
export function applyRewinds(
  context: SessionContext,
  session: SessionRow,
  strays: readonly string[],
  upTo: number
): void {
  if (strays.length === 0) return
  const [newest, ...bases] = readSessionFiles(context, session)
  if (!newest) return
  transact(context.store, (tx) => {
    for (const stray of strays) {
      const prompt = findBySource(tx, session.id, stray)
      if (!prompt) continue
      const parent =
        session.agent === 'codex'
          ? lastInBases(tx, session, bases)
          : nearestAncestor(tx, session.id, newest, stray, upTo)
      // Only other records (results of parallel calls, notes) came between: no rewind.
      if (parent >= prompt.parent) continue
      setParent(tx, session.id, prompt.seq, parent)
      // The turn's first checkpoint was made before the rewind was known: correct its revision.
      setTurnStartRevision(tx, session.id, prompt.turn, parent)
      const run = prompt.turn === null ? null : runOfTurn(tx, prompt.turn)
      if (run !== null) addRunNote(tx, run, 'rewound')
    }
    bumpRev(tx)
  })
}

/**
 * The nearest ancestor of a prompt that is a message; 0 = none. A record follows its parent, so one pass backwards
 * finds all of them.
 */
function nearestAncestor(store: Store, session: string, file: SessionFile, prompt: string, upTo: number): number {
  let wanted = prompt
  for (const lines of file.blocksBackwards(upTo))
    for (let at = lines.lastIndexOf(wanted); at >= 0; ) {
      const start = lines.lastIndexOf(LINE_END, at) + 1
      const end = lines.indexOf(LINE_END, at)
      const record = parseRecord(lines.toString('utf8', start, end < 0 ? lines.length : end))
      if (asText(record.uuid) === wanted) {
        const parent = asText(record.parentUuid) ?? asText(record.logicalParentUuid)
        const known = parent === null ? { seq: 0 } : findBySource(store, session, parent)
        if (known || parent === null) return known?.seq ?? 0
        wanted = parent
      }
      at = start === 0 ? -1 : lines.lastIndexOf(wanted, start - 1)
    }
  return 0
}

const LINE_END = 10

/** The last message in the files the new one builds on; 0 = none. */
function lastInBases(store: Store, { id, agent }: SessionRow, bases: readonly SessionFile[]): number {
  let last = 0
  for (const file of bases) {
    for (const lines of file.blocksBackwards()) {
      const seqs = lines
        .toString('utf8')
        .split('\n')
        .flatMap((line) => MESSAGE_READERS[agent]?.(parseRecord(line)) ?? [])
        .flatMap((message) => findBySource(store, id, message.source)?.seq ?? findReported(store, id, message))
      if (seqs.length === 0) continue
      last = seqs.reduce((newest, seq) => Math.max(newest, seq), last)
      break
    }
  }
  return last
}
