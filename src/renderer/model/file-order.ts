/** Review order: the order in which tree and list show changed files and in which keys step through them. Pure. */
import type { FileChange } from '../../contract/diff.ts'

/** Groups files by path: own files, and generated and vendored ones, which people rarely review. Pure. */
type FileGroup = 'own' | 'generated' | 'vendored'

const VENDORED = /(^|\/)(node_modules|vendor|third_party|third-party|bower_components|Pods)\//
const GENERATED_DIR = /(^|\/)(dist|build|out|target|coverage|generated|__generated__|__snapshots__|\.next)\//
const GENERATED_NAME =
  /(\.min\.(js|css)|\.bundle\.js|\.map|\.snap|\.lock|\.generated\.[^./]+|\.g\.dart|\.pb\.[^./]+|_pb2\.py|_generated\.[^./]+)$/
const LOCK_NAMES = new Set([
  'package-lock.json',
  'npm-shrinkwrap.json',
  'pnpm-lock.yaml',
  'bun.lockb',
  'go.sum',
  'packages.lock.json',
  'gradle.lockfile'
])

/** The group of a path. The content is never read. */
export function groupOf(path: string): FileGroup {
  if (VENDORED.test(path)) return 'vendored'
  if (GENERATED_DIR.test(path) || GENERATED_NAME.test(path)) return 'generated'
  return LOCK_NAMES.has(path.slice(path.lastIndexOf('/') + 1)) ? 'generated' : 'own'
}

const RANK: Readonly<Record<FileGroup, number>> = { own: 0, generated: 1, vendored: 2 }
const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })

/** Compares two paths in tree order: folders before files, then by name, with numbers by value. */
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

/** The order of each list: the same list is needed at every step, and sorting 4,000 paths takes longer than a frame. */
const orders = new WeakMap<readonly object[], readonly object[]>()

/** Sorts files: own files in tree order, then generated, then vendored ones. */
export function reviewOrder<F extends Pick<FileChange, 'path'>>(files: readonly F[]): readonly F[] {
  const known = orders.get(files)
  if (known) return known as readonly F[]
  const order = sortForReview(files)
  orders.set(files, order)
  return order
}

function sortForReview<F extends Pick<FileChange, 'path'>>(files: readonly F[]): readonly F[] {
  const keyed = files.map((file) => ({ file, rank: RANK[groupOf(file.path)] }))
  keyed.sort((a, b) => a.rank - b.rank || comparePaths(a.file.path, b.file.path))
  return keyed.map((entry) => entry.file)
}

/** The path `delta` files away in review order, null past either end. */
export function stepFile(files: readonly FileChange[], path: string | null, delta: number): string | null {
  const order = reviewOrder(files)
  const at = order.findIndex((file) => file.path === path)
  if (at < 0) return order[0]?.path ?? null
  return order[at + delta]?.path ?? null
}

/** The next file that is not reviewed: first after `path`, then from the top; null if all are reviewed. */
export function nextToReview(files: readonly FileChange[], path: string, reviewed: ReadonlySet<string>): string | null {
  const order = reviewOrder(files)
  const at = order.findIndex((file) => file.path === path)
  const candidates = [...order.slice(at + 1), ...order.slice(0, Math.max(0, at))]
  return candidates.find((file) => !reviewed.has(file.path))?.path ?? null
}
