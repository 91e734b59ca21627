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

/** The files of each group, in their order. */
export function groupsOf<F extends Pick<FileChange, 'path'>>(files: readonly F[]): Record<FileGroup, readonly F[]> {
  const groups: Record<FileGroup, F[]> = { own: [], generated: [], vendored: [] }
  for (const file of files) groups[groupOf(file.path)].push(file)
  return groups
}

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })

/** Compares two paths in tree order: folders before files, then by name, with numbers by value. */
export function comparePaths(a: string, b: string): number {
  return compareParts(a.split('/'), b.split('/'))
}

function compareParts(as: readonly string[], bs: readonly string[]): number {
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

/** In tree order. Each path is divided once, not at each comparison. */
export function inTreeOrder<T extends { readonly path: string }>(items: readonly T[]): readonly T[] {
  const keyed = items.map((item) => ({ item, parts: item.path.split('/') }))
  keyed.sort((a, b) => compareParts(a.parts, b.parts))
  return keyed.map(({ item }) => item)
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

/** The first in review order of those that `isWanted` accepts. It compares each once, where a list is not sorted yet. */
export function firstInReview<F extends Pick<FileChange, 'path'>>(
  files: readonly F[],
  isWanted: (file: F) => boolean
): F | null {
  const known = orders.get(files) as readonly F[] | undefined
  if (known) return known.find(isWanted) ?? null
  const { own, generated, vendored } = groupsOf(files.filter(isWanted))
  const group = [own, generated, vendored].find(({ length }) => length > 0) ?? []
  return group.reduce<F | null>(
    (first, file) => (first && comparePaths(first.path, file.path) < 0 ? first : file),
    null
  )
}

function sortForReview<F extends Pick<FileChange, 'path'>>(files: readonly F[]): readonly F[] {
  const { own, generated, vendored } = groupsOf(files)
  return [own, generated, vendored].flatMap(inTreeOrder)
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
