/** The rules of the ignore files from a folder up to the root, applied to one path as git does (gitignore(5)). */
import ignore from 'ignore'
import { readSmallFile } from '../files/read-small-file.ts'

const MAX_BYTES = 1024 * 1024
/** The matcher caches a verdict per path; after this many it is replaced by a copy without cache, to bound memory. */
const MAX_CACHED = 10_000
// The default of git's core.ignoreCase on this platform.
const ignorecase = process.platform === 'darwin' || process.platform === 'win32'

const NO_MATCH = { ignored: false, unignored: false }

/**
 * Consecutive rules of one ignore file that are all with or all without a slash, linked to the rules they override. The
 * last matching rule decides, so testing level by level from the last one equals testing all rules at once; but rules
 * without a slash are tested on the bare name, which repeats and hits the matcher's cache.
 */
export interface IgnoreLevel {
  matcher: ignore.Ignore
  /** Tests since the matcher's cache was empty. */
  tests: number
  readonly byName: boolean
  /** First path components that the rules can match; null if they may match anywhere. */
  readonly firsts: ReadonlySet<string> | null
  /** Number of characters to drop from a root-relative path to make it relative to the file's folder. */
  readonly drop: number
  /** Prefix to add instead if the file is above the root. */
  readonly prefix: string
  readonly above: IgnoreLevel | null
}

/** The rules in `file` on top of `above`; only `above` if the file is missing, a link, empty or larger than 1 MiB. */
export function readIgnoreFile(file: string, drop: number, prefix: string, above: IgnoreLevel | null) {
  const bytes = readSmallFile(file, MAX_BYTES)
  if (!bytes) return above
  // A byte order mark is not part of the first rule.
  const lines = bytes
    .toString('latin1')
    .replace(/^\xef\xbb\xbf/, '')
    .split(/\r?\n/)
  let level = above
  let rules: string[] = []
  let byName = true
  const addLevel = () => {
    if (rules.length === 0) return
    const matcher = ignore({ ignorecase }).add(rules.join('\n'))
    level = { matcher, tests: 0, byName, firsts: byName ? null : firstsOf(rules), drop, prefix, above: level }
    rules = []
  }
  for (const line of lines) {
    if (line === '' || line.startsWith('#')) continue
    const hasSlash = line.replace(/\/ *$/, '').includes('/')
    if (byName === hasSlash) {
      addLevel()
      byName = !hasSlash
    }
    rules.push(line)
  }
  addLevel()
  return level
}

/**
 * True if the last rule that matches `path` ignores it. Root-relative; folders end in '/'; its parents are not ignored.
 */
export function isIgnoredBy(levels: IgnoreLevel | null, path: string): boolean {
  for (let level = levels; level; level = level.above) {
    const { ignored, unignored } = test(level, path)
    if (ignored) return true
    if (unignored) {
      if (path.endsWith('/')) unignoreAbove(level.above, path)
      return false
    }
  }
  return false
}

/** True if rules above the root ignore the root itself or a folder it lies in. */
export function ignoresWorkspaceRoot(levels: IgnoreLevel | null): boolean {
  for (let level = levels; level; level = level.above) {
    const { byName, matcher, prefix } = level
    const paths = byName ? prefix.split('/').map((name) => `${name}/`) : [prefix]
    if (paths.some((path) => path.length > 1 && matcher.test(bytesOf(path)).ignored)) return true
  }
  return false
}

function test(level: IgnoreLevel, path: string) {
  if (level.tests++ > MAX_CACHED) {
    level.tests = 0
    level.matcher = ignore({ ignorecase }).add(level.matcher)
  }
  const tested = pathFor(level, path)
  if (level.firsts && !level.firsts.has(firstOf(tested))) return NO_MATCH
  return level.matcher.test(tested)
}

function firstOf(path: string): string {
  const cut = path.indexOf('/')
  return cut < 0 ? path : path.slice(0, cut)
}

/**
 * A rule with a slash is anchored at its file's folder. Unless it starts with a wildcard, its first name excludes most
 * paths.
 */
function firstsOf(rules: readonly string[]): Set<string> | null {
  const firsts = new Set<string>()
  for (const rule of rules) {
    const first = /^!?\/?([^/]+)(?:\/|$)/.exec(rule)?.[1]
    if (ignorecase || !first || /[\\*?[!# ]/.test(first)) return null
    firsts.add(first)
  }
  return firsts
}

function pathFor(level: IgnoreLevel, path: string): string {
  if (level.byName) return bytesOf(path.slice(path.lastIndexOf('/', path.length - 2) + 1))
  return bytesOf(level.prefix + path.slice(level.drop))
}

/** git matches bytes: `?` is one byte. So the matcher gets rules and paths with one character per byte. */
function bytesOf(text: string): string {
  return /[^\0-\x7f]/.test(text) ? Buffer.from(text).toString('latin1') : text
}

/**
 * The matcher inherits the verdict of a folder. Where a deeper rule un-ignores it, the upper levels must not inherit
 * theirs.
 */
function unignoreAbove(levels: IgnoreLevel | null, path: string): void {
  for (let level = levels; level; level = level.above) {
    if (level.byName || !test(level, path).ignored) continue
    const exact = pathFor(level, path).replace(/[\\*?[\] ]/g, '\\$&')
    level.matcher.add([`!/${exact}`])
  }
}
