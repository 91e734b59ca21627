/** The one order in which changed files are shown and stepped through, whatever the list looks like. */
import type { FileChange } from '../../../contract/diff.ts'
import { type FileGroup, groupOf } from './generated.ts'

const RANK: Readonly<Record<FileGroup, number>> = { own: 0, generated: 1, vendored: 2 }
const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })

/** Compares two paths as a tree would list them: folders before files, then by name, numbers by value. */
export function comparePaths(a: string, b: string): number {
  const as = a.split('/')
  const bs = b.split('/')
  for (let i = 0; ; i++) {
    const aIsFile = i === as.length - 1
    const bIsFile = i === bs.length - 1
    if (aIsFile !== bIsFile) return aIsFile ? 1 : -1
    const x = as[i] ?? ''
    const y = bs[i] ?? ''
    if (x !== y) return collator.compare(x, y) || (x < y ? -1 : 1)
    if (aIsFile) return 0
  }
}

/** Files in review order: own files as a tree lists them, then generated, then vendored ones. */
export function reviewOrder<F extends Pick<FileChange, 'path'>>(files: readonly F[]): readonly F[] {
  const keyed = files.map((file) => ({ file, rank: RANK[groupOf(file.path)] }))
  keyed.sort((a, b) => a.rank - b.rank || comparePaths(a.file.path, b.file.path))
  return keyed.map((entry) => entry.file)
}

/** The path `delta` files away in review order, or null past either end. */
export function stepFile(files: readonly FileChange[], path: string | null, delta: number): string | null {
  const order = reviewOrder(files)
  const at = order.findIndex((file) => file.path === path)
  if (at < 0) return order[0]?.path ?? null
  return order[at + delta]?.path ?? null
}

/** The next file in review order that is not viewed: first below `path`, then from the top. Null when none is left. */
export function nextToReview(files: readonly FileChange[], path: string, viewed: ReadonlySet<string>): string | null {
  const order = reviewOrder(files)
  const at = order.findIndex((file) => file.path === path)
  const left = [...order.slice(at + 1), ...order.slice(0, Math.max(0, at))]
  return left.find((file) => !viewed.has(file.path))?.path ?? null
}
