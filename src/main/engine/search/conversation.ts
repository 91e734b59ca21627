/** Finds text in the messages of one conversation, all of them: the window holds only a part. */
import { createTimeSlicer } from '../ports/time-slicer.ts'
import { packedTexts } from '../store/message-text.ts'
import type { Store } from '../store/open-store.ts'
import type { SessionRow } from '../store/sessions.ts'
import { asciiFilter } from './text-filter.ts'

/** How long it may block its thread at a time, ms. */
const SLICE_MS = 4
const MAX_FOUND = 10_000

/**
 * Seqs of the messages that contain `text`, oldest first, at most MAX_FOUND; `more`: there are others. Ignores case.
 * Pauses for other work.
 */
export async function findInConversation(
  store: Store,
  { n }: Pick<SessionRow, 'n'>,
  text: string
): Promise<{ readonly seqs: readonly number[]; readonly more: boolean }> {
  const needle = text.toLowerCase()
  const seqs: number[] = []
  if (needle.trim() === '') return { seqs, more: false }
  const mayContain = asciiFilter(needle) ?? ((whole: Buffer) => whole.toString('utf8').toLowerCase().includes(needle))
  const pause = createTimeSlicer(SLICE_MS)
  for (const { whole, split } of packedTexts(store, n)) {
    // Most packs do not contain it, and are not taken apart.
    if (mayContain(whole))
      for (const [seq, { text: message }] of split()) if (message.toLowerCase().includes(needle)) seqs.push(seq)
    if (seqs.length > MAX_FOUND) return { seqs: seqs.slice(0, MAX_FOUND), more: true }
    await pause()
  }
  return { seqs, more: false }
}
