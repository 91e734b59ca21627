/**
 * Which folders are not covered and which files git ignores, by git's own rules (DESIGN section 8).
 *
 * Each folder is judged once, from its parent's verdict and the ignore files on the way up; nested repositories start
 * anew. A folder with anything in the git index is never ignored; what is untracked below it still is.
 */
import { dirname, join, relative, sep } from 'node:path'
import ignore from 'ignore'
import { type GitFolder, gitFolderAround, gitFolderAt } from './git-folder.ts'
import { createGitIndex, type GitIndex } from './git-index.ts'
import { readSmallFile } from './read-small-file.ts'

export interface IgnoreRules {
  /** True if the folder (root-relative, '/') and everything below it is not covered. */
  ignoresDir(rel: string): boolean
  /** True if git ignores this file. Ignored files are covered all the same, up to a size; `.git` files never are. */
  ignoresFile(rel: string): boolean
  /** Call when an ignore file in `folder` changed, or without a folder when anything may have: forget what was read. */
  refresh(folder?: string): void
}

const BUILT_IN = new Set(['node_modules', '.venv', '__pycache__'])
const CACHE_TAG = Buffer.from('Signature: 8a477f597d28d172789f06886806bc55')
const IGNORE_FILE_LIMIT = 1024 * 1024
/** The matcher keeps every path it was asked; after this many it is copied without them. */
const MOST_REMEMBERED = 10_000
// What git sets for itself when it makes a repository on this platform.
const ignorecase = process.platform === 'darwin' || process.platform === 'win32'

/** One ignore file. Paths are given to it relative to its folder. */
interface Level {
  matcher: ignore.Ignore
  asked: number
  /** Characters of a root-relative path to drop; or what to put in front when the file lies above the root. */
  readonly drop: number
  readonly prefix: string
  readonly above: Level | null
}

interface Repository {
  readonly index: GitIndex
  readonly drop: number
  readonly prefix: string
}

interface FolderVerdict {
  readonly ignored: boolean
  readonly repository: Repository | null
  /** The ignore files that apply in the folder, deepest first; undefined until a child asks. */
  levels: Level | null | undefined
  readonly inherited: Level | null
}

/** Rules of the folder `root` (real absolute path). Reads lazily and synchronously; never throws for what is on disk. */
export function createIgnoreRules(root: string): IgnoreRules {
  const verdicts = new Map<string, FolderVerdict>()

  const verdictOf = (rel: string): FolderVerdict => {
    const known = verdicts.get(rel)
    if (known) return known
    const verdict = rel === '' ? judgeRoot(root) : judge(rel)
    verdicts.set(rel, verdict)
    return verdict
  }

  const judge = (rel: string): FolderVerdict => {
    const cut = rel.lastIndexOf('/')
    const parent = verdictOf(cut < 0 ? '' : rel.slice(0, cut))
    const inherited = levelsIn(parent, cut < 0 ? '' : rel.slice(0, cut))
    const ignored =
      parent.ignored ||
      BUILT_IN.has(rel.slice(cut + 1)) ||
      matches(inherited, `${rel}/`) ||
      isTaggedCache(join(root, rel))
    // Ignored folders keep the outer repository: its index decides what is covered in them.
    const own = ignored ? null : gitFolderAt(join(root, rel))
    if (!own) return { ignored, repository: parent.repository, levels: undefined, inherited }
    const repository = { index: createGitIndex(own), drop: rel.length + 1, prefix: '' }
    return { ignored, repository, levels: undefined, inherited: excludeLevel(own, rel.length + 1, '') }
  }

  const levelsIn = (verdict: FolderVerdict, rel: string): Level | null => {
    if (verdict.levels !== undefined) return verdict.levels
    // git does not read the rules of a folder it ignores.
    verdict.levels = verdict.ignored
      ? verdict.inherited
      : readLevel(join(root, rel, '.gitignore'), rel === '' ? 0 : rel.length + 1, '', verdict.inherited)
    return verdict.levels
  }

  return {
    ignoresDir(rel) {
      if (rel === '') return false
      if (isGitPath(rel)) return true
      const { ignored, repository } = verdictOf(rel)
      return ignored && !(repository?.index.tracked().folders.has(within(repository, rel)) ?? false)
    },
    ignoresFile(rel) {
      if (isGitPath(rel)) return true
      const cut = rel.lastIndexOf('/')
      const parent = cut < 0 ? '' : rel.slice(0, cut)
      const verdict = verdictOf(parent)
      if (!verdict.ignored && !matches(levelsIn(verdict, parent), rel)) return false
      const { repository } = verdict
      return !(repository?.index.tracked().files.has(within(repository, rel)) ?? false)
    },
    refresh(folder) {
      if (folder === undefined || folder === '') {
        verdicts.clear()
        return
      }
      for (const rel of verdicts.keys()) if (rel === folder || rel.startsWith(`${folder}/`)) verdicts.delete(rel)
    }
  }
}

/** Rules of a repository around the root apply too, unless they ignore the root itself (a home folder kept in git). */
function judgeRoot(root: string): FolderVerdict {
  const git = gitFolderAround(root)
  if (!git) return { ignored: false, repository: null, levels: undefined, inherited: null }
  const prefixFrom = (folder: string) => (folder === root ? '' : `${relative(folder, root).split(sep).join('/')}/`)
  const prefix = prefixFrom(git.top)
  const repository = { index: createGitIndex(git), drop: 0, prefix }
  const above: string[] = []
  for (let folder = root; folder !== git.top; ) {
    folder = dirname(folder)
    above.unshift(folder)
  }
  let inherited = excludeLevel(git, 0, prefix)
  for (const folder of above) inherited = readLevel(join(folder, '.gitignore'), 0, prefixFrom(folder), inherited)
  for (let level = inherited; level && prefix !== ''; level = level.above) {
    if (level.matcher.test(asGiven(level, '')).ignored)
      return { ignored: false, repository, levels: undefined, inherited: null }
  }
  return { ignored: false, repository, levels: undefined, inherited }
}

function excludeLevel(git: GitFolder, drop: number, prefix: string): Level | null {
  return readLevel(join(git.commonDir, 'info', 'exclude'), drop, prefix, null)
}

function readLevel(file: string, drop: number, prefix: string, above: Level | null): Level | null {
  // A byte order mark is not part of the first rule.
  const text = readSmallFile(file, IGNORE_FILE_LIMIT)
    ?.toString('latin1')
    .replace(/^\xef\xbb\xbf/, '')
  if (!text?.trim()) return above
  return { matcher: ignore({ ignorecase }).add(text), asked: 0, drop, prefix, above }
}

/** True if the deepest ignore file with an opinion on `path` (folders end in '/') ignores it. */
function matches(levels: Level | null, path: string): boolean {
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

function ask(level: Level, path: string) {
  if (level.asked++ > MOST_REMEMBERED) {
    level.asked = 0
    level.matcher = ignore({ ignorecase }).add(level.matcher)
  }
  return level.matcher.test(asGiven(level, path))
}

/** git matches bytes, not letters: `?` is one byte. So rules and paths are given to the matcher one character per byte. */
function asGiven(level: Level, path: string): string {
  const full = level.prefix + path.slice(level.drop)
  return /[^\0-\x7f]/.test(full) ? Buffer.from(full).toString('latin1') : full
}

/** The matcher lets a folder's verdict pass down. Where a deeper file took it back, what is below must be judged anew. */
function unignoreAbove(levels: Level | null, path: string): void {
  for (let level = levels; level; level = level.above) {
    if (!ask(level, path).ignored) continue
    const exact = asGiven(level, path).replace(/[\\*?[\] ]/g, '\\$&')
    level.matcher.add([`!/${exact}`])
  }
}

function within(repository: Repository, rel: string): string {
  return repository.prefix + rel.slice(repository.drop)
}

function isGitPath(rel: string): boolean {
  return rel === '.git' || rel.endsWith('/.git') || rel.startsWith('.git/') || rel.includes('/.git/')
}

/** https://bford.info/cachedir/ : the tag must start with the signature. */
function isTaggedCache(folder: string): boolean {
  const tag = readSmallFile(join(folder, 'CACHEDIR.TAG'), 64 * 1024)
  return tag?.subarray(0, CACHE_TAG.length).equals(CACHE_TAG) ?? false
}
