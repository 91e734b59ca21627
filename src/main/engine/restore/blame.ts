/** Line -> run and prompt, outside, or there from the beginning: the same provenance that merges use. */

import { DriftlineError } from '../../../contract/errors.ts'
import type { BlameLine } from '../../../contract/log.ts'
import { decodeAs, encodingOf } from '../diff/encoding.ts'
import { bytesOfKeys } from '../diff/lines.ts'
import type { Store } from '../store/open-store.ts'
import { weaveOf } from './provenance.ts'

/** Lines of the file as recorded now. Throws UnknownTarget when it does not exist, NotStored when it is not kept text. */
export function blame(store: Store, path: string): BlameLine[] {
  const head = store.records.head(path)
  if (!head || head.version === null || store.records.version(head.version).kind !== 'file') {
    throw new DriftlineError('UnknownTarget', `${path} is not a file that is recorded here now.`, { path })
  }
  const woven = weaveOf(store, head)
  if (!woven)
    throw new DriftlineError(
      'NotStored',
      `${path} is not text, is too large, or was not kept in every version, so its lines cannot be told apart.`,
      { path }
    )
  const writer = store.db.prepare(
    'SELECT c.run, t.prompt FROM edit_call c JOIN turn t ON t.id = c.turn WHERE c.edit = ? LIMIT 1'
  )
  const lines = woven.lines()
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
    const by = writer.get(seq) as { run: string; prompt: string } | undefined
    const { at } = store.records.edit(seq)
    return {
      ...line,
      run: by?.run ?? null,
      prompt: by?.prompt ?? null,
      origin: by ? ('agent' as const) : ('outside' as const),
      at
    }
  })
}
