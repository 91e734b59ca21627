/** A change of one file as numbered parts: the hunks of its diff, or one whole, and the file with only some of them. */
import type { ChangePart } from '../../../contract/bisect.ts'
import type { Seq } from '../../../contract/log.ts'
import { diffBlocks, groupHunks, type Hunk } from '../diff/line-diff.ts'
import { type Lines, splitLines } from '../diff/lines.ts'
import { readText } from '../diff/provenance.ts'
import { sameVersion } from '../log/same-version.ts'
import { ABSENT } from '../store/fixed-versions.ts'
import { sha256 } from '../store/hash.ts'
import type { Store } from '../store/open-store.ts'
import type { StoredVersion } from '../store/versions.ts'
import { layersOf } from './candidates.ts'
import { layeredVersion } from './edit-layers.ts'

/** Of everything that changes between two positions of a range, sorted by path. */
export function partsOfChange(
  store: Store,
  { good, bad }: { readonly good: Seq; readonly bad: Seq },
  from: Seq,
  to: Seq
): ChangePart[] {
  const layers = layersOf(store, good, bad)
  const { records } = store
  const parts: ChangePart[] = []
  for (const id of layers.paths.keys()) {
    const [before, after] = [from, to].map((at) => records.version(layeredVersion(layers, id, at) ?? records.absent))
    if (!before || !after || before.id === after.id || sameVersion(before, after)) continue
    const path = records.pathOf(id)
    const hunks = hunksBetween(store, before, after)
    if (hunks) parts.push(...hunks.hunks.map((_, i) => ({ path, n: i + 1 })))
    else parts.push({ path, n: 0 })
  }
  return parts.sort((a, b) => (a.path === b.path ? a.n - b.n : a.path < b.path ? -1 : 1))
}

/** The file with only the parts of these numbers. Its permissions go with any of them. */
export function applyParts(
  store: Store,
  before: StoredVersion,
  after: StoredVersion,
  numbers: readonly number[]
): { readonly version: StoredVersion; readonly bytes: Buffer | null } {
  if (numbers.length === 0) return { version: before, bytes: null }
  const found = hunksBetween(store, before, after)
  if (!found || numbers.length === found.hunks.length) return { version: after, bytes: null }
  const chosen = new Set(numbers)
  const pieces: Buffer[] = []
  let at = 0
  for (const { blocks } of found.hunks.filter((_, i) => chosen.has(i + 1)))
    for (const { oldFrom, oldTo, newFrom, newTo } of blocks) {
      pieces.push(range(found.old, at, oldFrom), range(found.now, newFrom, newTo))
      at = oldTo
    }
  pieces.push(range(found.old, at, found.old.count))
  const bytes = Buffer.concat(pieces)
  const hash = sha256(bytes).toString('hex')
  return { version: { ...after, ...ABSENT, kind: 'file', size: bytes.length, mode: after.mode, hash }, bytes }
}

/** The hunks of a change of a text; null for any other, which is applied as a whole. */
function hunksBetween(
  store: Store,
  before: StoredVersion,
  after: StoredVersion
): { readonly old: Lines; readonly now: Lines; readonly hunks: readonly Hunk[] } | null {
  if (before.kind !== 'file' || after.kind !== 'file') return null
  const [oldText, newText] = [readText(store, before.id), readText(store, after.id)]
  if (!oldText || !newText) return null
  const [old, now] = [splitLines(oldText), splitLines(newText)]
  if (old.unit !== now.unit) return null
  const hunks = groupHunks(diffBlocks(old, now), old.count)
  return hunks.length === 0 ? null : { old, now, hunks }
}

function range({ bytes, starts }: Lines, from: number, to: number): Buffer {
  return bytes.subarray(starts[from], starts[to])
}
