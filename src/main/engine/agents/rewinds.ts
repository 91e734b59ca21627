/**
 * Going back inside an agent tells nobody: its next prompt stands on an earlier record than the last one. What was left
 * then is not in force any more, and the run that began there says so.
 */
import { bumpRev, write } from '../db/transaction.ts'
import { remark } from '../sessions/hooked-runs.ts'
import { messagesOf } from '../sessions/messages.ts'
import type { SessionRow } from '../sessions/sessions.ts'
import type { Recorder } from '../workspaces/recorder.ts'
import { type Fields, recordOf, text } from './event.ts'
import { readSessionFile } from './session-file.ts'

/** Agents whose records name the one before them. */
const LINKED: ReadonlySet<string> = new Set(['claude-code', 'qwen-code'])

const REWOUND = 'the agent went back in its own conversation before this prompt'

/** Ids of prompts that do not stand on the record before them, and the id of the last record. */
export interface Links {
  readonly strays: readonly string[]
  readonly leaf: string | null
}

/** `leaf`: the last record of what was read before. `isPrompt` tells a person's words from what programs write in their place. */
export function linksIn(
  agent: string,
  records: readonly Fields[],
  leaf: string | null,
  isPrompt: (record: Fields) => boolean
): Links {
  if (!LINKED.has(agent)) return { strays: [], leaf: null }
  const strays: string[] = []
  let last = leaf
  for (const record of records) {
    const id = text(record.uuid)
    if (!id || record.isSidechain === true) continue
    if (last !== null && text(record.parentUuid) !== last && isPrompt(record)) strays.push(id)
    last = id
  }
  return { strays, leaf: last }
}

/** Lets each of these prompts stand on the message it really stands on. */
export function followRewinds(recorder: Recorder, session: SessionRow, strays: readonly string[]): void {
  const file = strays.length > 0 ? readSessionFile(recorder, session) : null
  if (!file) return
  const { db } = recorder.store
  const parents = new Map<string, string | null>()
  for (const line of file.lines) {
    const record = recordOf(line)
    const id = text(record.uuid)
    if (id) parents.set(id, text(record.parentUuid) ?? text(record.logicalParentUuid))
  }
  write(db, () => {
    for (const stray of strays) {
      const messages = messagesOf(recorder.store, session.id)
      const known = new Map(messages.map((one) => [one.source, one.seq]))
      const prompt = messages.find((one) => one.source === stray)
      let at = parents.get(stray) ?? null
      for (let steps = 0; at !== null && !known.has(at) && steps < parents.size; steps++) at = parents.get(at) ?? null
      const parent = known.get(at ?? '') ?? 0
      // Records beside the conversation came between: that is no rewind.
      if (!prompt || parent >= prompt.parent) continue
      db.prepare('UPDATE message SET parent = ? WHERE session = ? AND seq = ?').run(parent, session.id, prompt.seq)
      // Its turn began there, although nobody could know when it began.
      db.prepare(
        "UPDATE checkpoint SET revision = ? WHERE turn = ? AND session = ? AND reason IN ('run_start', 'pre_write')"
      ).run(parent, prompt.turn, session.id)
      const row = db.prepare('SELECT run FROM turn WHERE id = ?').get(prompt.turn) as { run: string } | undefined
      if (row) remark(recorder.store, row.run, REWOUND)
    }
    bumpRev(db)
  })
}
