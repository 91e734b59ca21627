/**
 * Decides which folders are not covered and which files git ignores, by git's rules (gitignore(5)).
 *
 * Each folder is judged once, from its parent's verdict and the ignore files above it; a nested repository starts
 * without inherited rules. A folder with a path in the git index is never ignored, but untracked paths below it are.
 */
import { dirname, join, relative, sep } from 'node:path'
import ignore from 'ignore'
import type { NotStoredReason } from '../../../contract/log.ts'
import { isWithin, nameOf, parentOf } from '../files/paths.ts'
import { readSmallFile } from '../files/read-small-file.ts'
import { findGitFolder, type GitFolder, gitFolderAt } from '../git/git-folder.ts'
import { createGitIndex, type GitIndex } from '../git/git-index.ts'
import { type CaptureSettings, DEFAULT_CAPTURE_SETTINGS } from './capture-settings.ts'
import { type IgnoreLevel, ignoresWorkspaceRoot, isIgnoredBy, readIgnoreFile } from './ignore-file.ts'

export type IgnoreRules = ReturnType<typeof createIgnoreRules>

/** Never covered, even without ignore files. */
const BUILT_IN = new Set(['node_modules', '.venv', '__pycache__'])
const CACHE_TAG = Buffer.from('Signature: 8a477f597d28d172789f06886806bc55')

interface Repository {
  readonly index: GitIndex
  readonly drop: number
  readonly prefix: string
}

interface FolderVerdict {
  readonly ignored: boolean
  readonly repository: Repository | null
  /** The rules that apply in the folder, deepest first; undefined until a child is judged. */
  levels: IgnoreLevel | null | undefined
  readonly inherited: IgnoreLevel | null
}

/**
 * Rules of the folder `root` (real absolute path). Reads lazily and synchronously; never throws for what is on disk.
 */
export function createIgnoreRules(root: string, initial: CaptureSettings = DEFAULT_CAPTURE_SETTINGS) {
  const verdicts = new Map<string, FolderVerdict>()
  let settings = initial
  let included = new Set(settings.include)
  let neverStore = ignore().add([...settings.neverStore])

  const pathOf = (rel: string) => (rel === '' ? root : `${root}/${rel}`)

  const verdictOf = (rel: string): FolderVerdict => {
    const cached = verdicts.get(rel)
    if (cached) return cached
    const verdict = rel === '' ? judgeRoot(root) : judge(rel)
    verdicts.set(rel, verdict)
    return verdict
  }

  const judge = (rel: string): FolderVerdict => {
    const above = parentOf(rel)
    const parent = verdictOf(above)
    // A folder that a person included is judged as if no rules were above it.
    if (included.has(rel)) return { ignored: false, repository: parent.repository, levels: undefined, inherited: null }
    const inherited = levelsIn(parent, above)
    const ignored =
      parent.ignored || BUILT_IN.has(nameOf(rel)) || isIgnoredBy(inherited, `${rel}/`) || isTaggedCache(pathOf(rel))
    // Ignored folders stay in the outer repository: its index decides what is covered in them.
    const own = ignored ? null : gitFolderAt(pathOf(rel))
    if (!own) return { ignored, repository: parent.repository, levels: undefined, inherited }
    const repository = { index: createGitIndex(own), drop: rel.length + 1, prefix: '' }
    return { ignored, repository, levels: undefined, inherited: excludeLevel(own, rel.length + 1, '') }
  }

  const levelsIn = (verdict: FolderVerdict, rel: string): IgnoreLevel | null => {
    if (verdict.levels !== undefined) return verdict.levels
    // git does not read the rules of a folder it ignores.
    verdict.levels = verdict.ignored
      ? verdict.inherited
      : readIgnoreFile(`${pathOf(rel)}/.gitignore`, rel === '' ? 0 : rel.length + 1, '', verdict.inherited)
    return verdict.levels
  }

  return {
    /** True if the folder (root-relative, '/'-separated) and everything below it is not covered. */
    ignoresDir(rel: string): boolean {
      if (rel === '') return false
      if (isGitPath(rel)) return true
      const { ignored, repository } = verdictOf(rel)
      return ignored && !(repository?.index.tracked().folders.has(within(repository, rel)) ?? false)
    },
    /** True if git ignores this file. Ignored files are covered up to a small size; files in `.git` never. */
    ignoresFile(rel: string): boolean {
      if (isGitPath(rel)) return true
      const parent = parentOf(rel)
      const verdict = verdictOf(parent)
      if (!verdict.ignored && !isIgnoredBy(levelsIn(verdict, parent), rel)) return false
      const { repository } = verdict
      return !(repository?.index.tracked().files.has(within(repository, rel)) ?? false)
    },
    /** The folder was just listed without an ignore file, so that none is looked for. */
    hasNoIgnoreFile(rel: string): void {
      const verdict = verdictOf(rel)
      if (verdict.levels === undefined) verdict.levels = verdict.inherited
    },
    /** Bytes above which a file is not stored. */
    get sizeLimit(): number {
      return settings.sizeLimit
    },
    /** A person excluded the content of this file. */
    neverStores: (rel: string): boolean => settings.neverStore.length > 0 && neverStore.ignores(rel),
    /** Applies other settings from now on. */
    setCaptureSettings(next: CaptureSettings): void {
      settings = next
      included = new Set(next.include)
      neverStore = ignore().add([...next.neverStore])
      verdicts.clear()
    },
    /** Call when an ignore file in `folder` changed; by default any may have changed. */
    refresh(folder = ''): void {
      if (folder === '') verdicts.clear()
      else for (const rel of verdicts.keys()) if (isWithin(rel, folder)) verdicts.delete(rel)
    }
  }
}

/**
 * Rules of a repository around the root apply too, unless they ignore the root itself (as in a home folder under git).
 */
function judgeRoot(root: string): FolderVerdict {
  const git = findGitFolder(root)
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
  for (const folder of above) inherited = readIgnoreFile(join(folder, '.gitignore'), 0, prefixFrom(folder), inherited)
  if (ignoresWorkspaceRoot(inherited)) inherited = null
  return { ignored: false, repository, levels: undefined, inherited }
}

function excludeLevel(git: GitFolder, drop: number, prefix: string): IgnoreLevel | null {
  return readIgnoreFile(join(git.commonDir, 'info', 'exclude'), drop, prefix, null)
}

function within(repository: Repository, rel: string): string {
  return repository.prefix + rel.slice(repository.drop)
}

function isGitPath(rel: string): boolean {
  if (!rel.includes('.git')) return false
  return rel === '.git' || rel.endsWith('/.git') || rel.startsWith('.git/') || rel.includes('/.git/')
}

/** https://bford.info/cachedir/ : the tag must start with the signature. */
function isTaggedCache(folder: string): boolean {
  const tag = readSmallFile(`${folder}/CACHEDIR.TAG`, 64 * 1024)
  return tag?.subarray(0, CACHE_TAG.length).equals(CACHE_TAG) ?? false
}

/** Decides the coverage of paths that were never recorded (LG-5). */
export type CoverRules = Pick<
  IgnoreRules,
  'ignoresDir' | 'ignoresFile' | 'hasNoIgnoreFile' | 'sizeLimit' | 'neverStores'
>

export type LimitRules = Pick<CoverRules, 'ignoresFile' | 'sizeLimit' | 'neverStores'>

/** Bytes above which a file that git ignores is not stored. */
const IGNORED_SIZE_LIMIT = 5 * 1024 * 1024

/** How much of a file's content is stored, and the reason when it is larger. */
export interface Limit {
  /** Bytes; negative: nothing is stored, not even an empty file. */
  readonly limit: number
  /** Reason for a file above the limit. */
  readonly overLimit: Extract<NotStoredReason, 'too-large' | 'ignored' | 'never'>
}

/** `wasStored`: [LG-5] it was stored before, so being ignored does not count any more. */
export function limitOf(rules: LimitRules, path: string, wasStored = false): Limit {
  if (rules.neverStores(path)) return { limit: -1, overLimit: 'never' }
  const { sizeLimit } = rules
  if (!wasStored && rules.ignoresFile(path))
    return { limit: Math.min(IGNORED_SIZE_LIMIT, sizeLimit), overLimit: 'ignored' }
  return { limit: sizeLimit, overLimit: 'too-large' }
}
