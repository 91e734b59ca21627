/** The rules of ignore files on the way up from a folder, and what they say about one path, as git would. */
import ignore from 'ignore'
import { readSmallFile } from './read-small-file.ts'

const LIMIT = 1024 * 1024
/** The matcher keeps every path it was asked; after this many it is copied without them. */
const MOST_REMEMBERED = 10_000
// What git sets for itself when it makes a repository on this platform.
const ignorecase = process.platform === 'darwin' || process.platform === 'win32'

const NO_OPINION = { ignored: false, unignored: false }

/**
 * Neighbouring rules of one ignore file that are all of one kind, and the rules they overrule. The last rule that
 * matches decides, so asking run by run from the last one is the same as asking all, but rules without a slash can be
 * asked about the bare name, which repeats.
 */
export interface IgnoreLevel {
  matcher: ignore.Ignore
  asked: number
  readonly byName: boolean
  /** First path components the rules can match at all; null when they may match anywhere. */
  readonly firsts: ReadonlySet<string> | null
  /** Characters of a root-relative path to drop, so that it is relative to the file's folder. */
  readonly drop: number
  /** What to put in front instead, when the file lies above the root. */
  readonly prefix: string
  readonly above: IgnoreLevel | null
}

/** The rules in `file` on top of `above`; just `above` when the file is missing, a link, empty or larger than 1 MiB. */
export function readIgnoreFile(file: string, drop: number, prefix: string, above: IgnoreLevel | null) {
  const bytes = readSmallFile(file, LIMIT)
  if (!bytes) return above
  // A byte order mark is not part of the first rule.
  const lines = bytes
    .toString('latin1')
    .replace(/^\xef\xbb\xbf/, '')
    .split(/\r?\n/)
  let level = above
  let run: string[] = []
  let byName = true
  const finish = () => {
    if (run.length === 0) return
    const matcher = ignore({ ignorecase }).add(run.join('\n'))
    level = { matcher, asked: 0, byName, firsts: byName ? null : firstsOf(run), drop, prefix, above: level }
    run = []
  }
  for (const line of lines) {
    if (line === '' || line.startsWith('#')) continue
    const hasSlash = line.replace(/\/ *$/, '').includes('/')
    if (byName === hasSlash) {
      finish()
      byName = !hasSlash
    }
    run.push(line)
  }
  finish()
  return level
}

/** True if the last rule with an opinion on `path` (root-relative; folders end in '/') ignores it. Its parents are not. */
export function isIgnoredBy(levels: IgnoreLevel | null, path: string): boolean {
  for (let level = levels; level; level = level.above) {
    const { ignored, unignored } = ask(level, path)
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
    const asked = byName ? prefix.split('/').map((name) => `${name}/`) : [prefix]
    if (asked.some((path) => path.length > 1 && matcher.test(bytesOf(path)).ignored)) return true
  }
  return false
}

function ask(level: IgnoreLevel, path: string) {
  if (level.asked++ > MOST_REMEMBERED) {
    level.asked = 0
    level.matcher = ignore({ ignorecase }).add(level.matcher)
  }
  const given = asGiven(level, path)
  if (level.firsts && !level.firsts.has(firstOf(given))) return NO_OPINION
  return level.matcher.test(given)
}

function firstOf(path: string): string {
  const cut = path.indexOf('/')
  return cut < 0 ? path : path.slice(0, cut)
}

/** A rule with a slash inside starts at its file's folder; unless it starts with a wildcard, that tells most paths apart. */
function firstsOf(rules: readonly string[]): Set<string> | null {
  const firsts = new Set<string>()
  for (const rule of rules) {
    const first = /^!?\/?([^/]+)(?:\/|$)/.exec(rule)?.[1]
    if (ignorecase || !first || /[\\*?[!# ]/.test(first)) return null
    firsts.add(first)
  }
  return firsts
}

function asGiven(level: IgnoreLevel, path: string): string {
  if (level.byName) return bytesOf(path.slice(path.lastIndexOf('/', path.length - 2) + 1))
  return bytesOf(level.prefix + path.slice(level.drop))
}

/** git matches bytes, not letters: `?` is one byte. So rules and paths are given to the matcher one character per byte. */
function bytesOf(text: string): string {
  return /[^\0-\x7f]/.test(text) ? Buffer.from(text).toString('latin1') : text
}

/** The matcher lets a folder's verdict pass down. Where a deeper rule took it back, what is below must be judged anew. */
function unignoreAbove(levels: IgnoreLevel | null, path: string): void {
  for (let level = levels; level; level = level.above) {
    if (level.byName || !ask(level, path).ignored) continue
    const exact = asGiven(level, path).replace(/[\\*?[\] ]/g, '\\$&')
    level.matcher.add([`!/${exact}`])
  }
}
