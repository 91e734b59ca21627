/** Groups files by path: own files, and generated and vendored ones, which people rarely review. Pure. */

export type FileGroup = 'own' | 'generated' | 'vendored'

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
