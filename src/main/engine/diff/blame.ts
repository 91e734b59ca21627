/** Attributes each line of a file to a run and prompt, to an outside edit, or to the initial snapshot, from the same weave as merges. */

import { DriftlineError } from '../../../contract/errors.ts'
import type { BlameLine, Seq } from '../../../contract/log.ts'
import type { Store } from '../store/open-store.ts'
import { findWritingTurn, type WritingTurn } from '../store/writers.ts'
import { decodeAs, encodingOf } from './encoding.ts'
import { bytesOfKeys } from './lines.ts'
import { weaveHead } from './provenance.ts'

/** The lines of a path's newest recorded version. Throws UnknownTarget when it is no file, NotStored when its lines have no complete history. */
export function blame(store: Store, path: string): BlameLine[] {
  const head = store.records.head(path)
  if (!head || head.version === null || store.records.version(head.version).kind !== 'file') {
    throw new DriftlineError('UnknownTarget', `${path} is not a recorded file.`, { path })
  }
  const woven = weaveHead(store, head)
  if (!woven)
    throw new DriftlineError(
      'NotStored',
      `Couldn't attribute the lines of ${path}: it is not text, is too large, or a version of it is not stored.`,
      { path }
    )
  const writers = new Map<Seq, WritingTurn | null>()
  const writerOf = (seq: Seq): WritingTurn | null => {
    const known = writers.get(seq)
    if (known !== undefined) return known
    const writer = findWritingTurn(store, seq)
    writers.set(seq, writer)
    return writer
  }
  const lines = woven.lines()
  // The encoding is a property of the whole file; a single line may fit several.
  const all = bytesOfKeys(
    lines.map((line) => line.text),
    woven.unit
  )
  const encoding = encodingOf(all) ?? 'utf8'
  return lines.map(({ text, seq }, i) => {
    const line = {
      n: i + 1,
      seq,
      text: decodeAs(bytesOfKeys([text], woven.unit), encoding).replace(/\r?\n$/, '')
    }
    if (seq === 0) return { ...line, run: null, prompt: null, origin: 'baseline' as const, at: null }
    const writer = writerOf(seq)
    const { at } = store.records.edit(seq)
    return {
      ...line,
      run: writer?.run ?? null,
      prompt: writer?.prompt ?? null,
      origin: writer ? ('agent' as const) : ('outside' as const),
      at
    }
  })
}
