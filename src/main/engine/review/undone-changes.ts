/** [RV-7] Changes of a session that were undone, as blocks of lines, to be recognised when they are written again. */
import { diffBlocks } from '../diff/line-diff.ts'
import { splitLines } from '../diff/lines.ts'
import { readText } from '../diff/provenance.ts'
import type { Store } from '../store/open-store.ts'
import { undoneEditsOf } from '../store/restore-items.ts'
import type { SessionRow } from '../store/sessions.ts'

/** Lines that a change deletes and those that take their place, as bytes (latin1). */
export interface ChangedBlock {
  readonly deleted: string
  readonly added: string
}

/** Older undos of a path are not looked at, and larger texts are not compared: an agent waits for the answer. */
const MOST_UNDOS = 20
const MOST_BYTES = 1024 * 1024

export function blocksOf(before: Buffer, after: Buffer): ChangedBlock[] {
  const [old, now] = [splitLines(before), splitLines(after)]
  const textOf = ({ bytes, starts }: typeof old, from: number, to: number): string =>
    bytes.toString('latin1', starts[from], starts[to] ?? bytes.length)
  return diffBlocks(old, now).map(({ oldFrom, oldTo, newFrom, newTo }) => ({
    deleted: textOf(old, oldFrom, oldTo),
    added: textOf(now, newFrom, newTo)
  }))
}

/** Whether every block was written by the session before, and undone since. `path`: as the log names it. */
export function wereUndone(store: Store, session: SessionRow, path: string, blocks: readonly ChangedBlock[]): boolean {
  if (blocks.length === 0) return false
  const undone = new Set<string>()
  for (const { before, after } of undoneEditsOf(store, session.id, path, MOST_UNDOS)) {
    const [written, restored] = [before, after].map((version) => readText(store, version, MOST_BYTES))
    if (written && restored) for (const block of blocksOf(restored, written)) undone.add(keyOf(block))
  }
  return blocks.every((block) => undone.has(keyOf(block)))
}

/** The present text of a path, empty when it is absent; null when it cannot be compared. */
export function presentText(store: Store, path: string): Buffer | null {
  const head = store.records.head(path)
  return head?.version == null ? Buffer.alloc(0) : readText(store, head.version, MOST_BYTES)
}

function keyOf({ deleted, added }: ChangedBlock): string {
  return JSON.stringify([deleted, added])
}
