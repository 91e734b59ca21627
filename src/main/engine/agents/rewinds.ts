/**
 * Finds rewinds inside an agent's own conversation, which no hook reports. Claude Code and Qwen Code link each record
 * to its parent: after a rewind, the next prompt's parent is not the last record. Codex starts a new file that names
 * the part of the old file it builds on. The abandoned messages are no longer in force, and the run that began there
 * gets a note.
 */
import { setTurnStartRevision } from '../store/checkpoints.ts'
import { type MessageRow, messagesOf, setParent } from '../store/messages.ts'
import { bumpRev } from '../store/meta.ts'
import { addRunNote } from '../store/runs.ts'
import type { SessionRow } from '../store/sessions.ts'
import { transact } from '../store/sql.ts'
import { runOfTurn } from '../store/turns.ts'
import type { SessionContext } from './agent-workspace.ts'
import { asFields, asText, type Fields, parseRecord } from './payload.ts'
import { findMessageLine, readSessionFiles, type SessionFile } from './session-file.ts'

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

/** Sets the parent of each of these prompts to the message it really follows. */
export function applyRewinds(context: SessionContext, session: SessionRow, strays: readonly string[]): void {
  if (strays.length === 0) return
  const [newest, ...bases] = readSessionFiles(context, session)
  if (!newest) return
  const findParent = session.agent === 'codex' ? byBaseFiles(session.agent, bases) : byParentLinks(newest)
  transact(context.store, (tx) => {
    for (const stray of strays) {
      const messages = [...messagesOf(tx, session.id)]
      const prompt = messages.find((message) => message.source === stray)
      const parent = findParent(stray, messages)
      // Only other records (results of parallel calls, notes) came between: no rewind.
      if (!prompt || parent >= prompt.parent) continue
      setParent(tx, session.id, prompt.seq, parent)
      // The turn's first checkpoint was made before the rewind was known: correct its revision.
      setTurnStartRevision(tx, session.id, prompt.turn, parent)
      const run = prompt.turn === null ? null : runOfTurn(tx, prompt.turn)
      if (run !== null) addRunNote(tx, run, 'rewound')
    }
    bumpRev(tx)
  })
}

type FindParent = (prompt: string, messages: readonly MessageRow[]) => number

/** The nearest ancestor of the prompt that is a message; 0 = none. `steps` bounds the walk against cycles. */
function byParentLinks({ lines }: SessionFile): FindParent {
  const parents = new Map<string, string | null>()
  for (const line of lines) {
    const record = parseRecord(line)
    const id = asText(record.uuid)
    if (id) parents.set(id, asText(record.parentUuid) ?? asText(record.logicalParentUuid))
  }
  return (prompt, messages) => {
    const known = new Map(messages.map((message) => [message.source, message.seq]))
    let at = parents.get(prompt) ?? null
    for (let steps = 0; at !== null && !known.has(at) && steps < parents.size; steps++) at = parents.get(at) ?? null
    return known.get(at ?? '') ?? 0
  }
}

/** The last message in the files the new one builds on; 0 = none. */
function byBaseFiles(agent: string, bases: readonly SessionFile[]): FindParent {
  return (_, messages) =>
    messages.findLast((message) => bases.some((file) => findMessageLine(agent, file.lines, message) >= 0))?.seq ?? 0
}
