/**
 * Going back inside an agent tells nobody: its next prompt stands on an earlier record than the last one, or begins another
 * file that stands on a part of the old one. What was left is not in force any more, and the run that began there says so.
 */
import { bumpRev, write } from '../db/transaction.ts'
import { type MessageRow, messagesOf } from '../sessions/messages.ts'
import { addRunNote, STARTS_TURN } from '../sessions/runs.ts'
import type { SessionRow } from '../sessions/sessions.ts'
import type { Recorder } from '../workspaces/recorder.ts'
import { asFields, asText, type Fields, parseRecord } from './payload.ts'
import { findMessageLine, readSessionFiles, type SessionFile } from './session-file.ts'

/** Agents whose records name the one before them. */
const LINKED: ReadonlySet<string> = new Set(['claude-code', 'qwen-code'])

/** In place of a last record: a file that stands on another one has no prompt yet. */
const BASE = 'base'

const REWOUND = 'the agent went back in its own conversation before this prompt'

/** Ids of prompts that do not stand on the record before them, and the id of the last record. */
export interface RewindScan {
  readonly rewound: readonly string[]
  readonly leaf: string | null
}

/** `leaf`: the last record of what was read before. `promptOf` gives the id of a person's words, null for all else. */
export function findRewinds(
  agent: string,
  records: readonly Fields[],
  leaf: string | null,
  promptOf: (record: Fields) => string | null
): RewindScan {
  if (agent === 'codex') {
    const begins = records[0]?.type === 'session_meta' && 'history_base' in asFields(records[0].payload)
    const first = begins || leaf === BASE ? records.map(promptOf).find((id) => id !== null) : null
    return first ? { rewound: [first], leaf: null } : { rewound: [], leaf: begins ? BASE : leaf }
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

/** Lets each of these prompts stand on the message it really stands on. */
export function applyRewinds(recorder: Recorder, session: SessionRow, strays: readonly string[]): void {
  if (strays.length === 0) return
  const [newest, ...bases] = readSessionFiles(recorder, session)
  if (!newest) return
  const { db } = recorder.store
  const stoodOn = session.agent === 'codex' ? byBaseFiles(session.agent, bases) : byParentLinks(newest)
  write(db, () => {
    for (const stray of strays) {
      const messages = messagesOf(recorder.store, session.id)
      const prompt = messages.find((message) => message.source === stray)
      const parent = stoodOn(stray, messages)
      // Records beside the conversation came between: that is no rewind.
      if (!prompt || parent >= prompt.parent) continue
      db.prepare('UPDATE message SET parent = ? WHERE session = ? AND seq = ?').run(parent, session.id, prompt.seq)
      // Its turn began there, although nobody could know when it began.
      db.prepare(`UPDATE checkpoint SET revision = ? WHERE turn = ? AND session = ? AND ${STARTS_TURN}`).run(
        parent,
        prompt.turn,
        session.id
      )
      const row = db.prepare('SELECT run FROM turn WHERE id = ?').get(prompt.turn) as { run: string } | undefined
      if (row) addRunNote(recorder.store, row.run, REWOUND)
    }
    bumpRev(db)
  })
}

type FindParent = (prompt: string, messages: readonly MessageRow[]) => number

/** The nearest record before the prompt that is a message; 0 = none. */
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

/** The last message in what the new file stands on; 0 = none. */
function byBaseFiles(agent: string, bases: readonly SessionFile[]): FindParent {
  return (_, messages) =>
    messages.findLast((message) => bases.some((file) => findMessageLine(agent, file, message) >= 0))?.seq ?? 0
}
