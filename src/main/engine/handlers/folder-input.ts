/** Folders as people enter them: pasted paths, completion while typing, and folders dropped into a browser. */
import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { DriftlineError } from '../../../contract/errors.ts'
import { errorCode } from '../files/fs-errors.ts'
import { lstatSignature } from '../files/signature.ts'

/** The absolute path of a pasted one: accepts quotes, `~` and file URLs. */
export function expandFolder(home: string, typed: string): string {
  let path = typed.trim().replace(/^(["'])(.*)\1$/, '$2')
  if (path.startsWith('file://')) path = decodeURIComponent(new URL(path).pathname)
  if (path === '~' || path.startsWith('~/')) path = join(home, path.slice(1))
  if (path === '') throw new DriftlineError('FolderMissing', 'Enter the path of a folder.', {})
  return resolve(path)
}

const MAX_COMPLETIONS = 50

/** Absolute paths of folders that start with `prefix`. Hidden ones only after a typed dot, as in a shell. */
export async function completeFolder(home: string, prefix: string): Promise<string[]> {
  const typed = prefix.startsWith('~') ? join(home, prefix.slice(1)) + (prefix.endsWith('/') ? '/' : '') : prefix
  if (!typed.startsWith('/') && !/^[A-Za-z]:/.test(typed)) return []
  const folder = typed.endsWith('/') ? typed : dirname(typed)
  const start = typed.endsWith('/') ? '' : basename(typed)
  return (await foldersIn(folder))
    .filter((name) => name.startsWith(start) && (start.startsWith('.') || !name.startsWith('.')))
    .slice(0, MAX_COMPLETIONS)
    .map((name) => join(folder, name))
}

const MAX_REPOSITORIES = 8

/**
 * Git repositories where projects usually are, those that were worked in last first. `recorded` are left out. A bounded
 * number of folders is read, whatever the home folder holds.
 */
export async function repositoriesNearHome(home: string, recorded: readonly string[]): Promise<string[]> {
  const known = new Set(recorded)
  const found: { readonly folder: string; readonly at: number }[] = []
  for (const parent of [home, ...PROJECT_FOLDERS.map((name) => join(home, name))]) {
    for (const name of (await foldersIn(parent)).slice(0, MAX_SUBFOLDERS)) {
      const folder = join(parent, name)
      if (name.startsWith('.') || known.has(folder)) continue
      // Its index changes with each commit and stage; a worktree has a file here.
      const git = lstatSignature(join(folder, '.git/index')) ?? lstatSignature(join(folder, '.git'))
      if (git) found.push({ folder, at: git.mtime })
    }
  }
  return found
    .sort((a, b) => b.at - a.at)
    .slice(0, MAX_REPOSITORIES)
    .map(({ folder }) => folder)
}

/** Folders in the home folder where projects usually are. */
const PROJECT_FOLDERS = ['code', 'src', 'projects', 'Projects', 'work', 'dev', 'git', 'repos', 'Documents', 'Desktop']
/** Subfolders searched per folder. */
const MAX_SUBFOLDERS = 200
/** Share of the dropped names that a folder must contain. */
const MIN_MATCH = 0.5
const MAX_SUGGESTIONS = 5

/**
 * Finds a dropped folder, best match first. A browser gives only its name and the names in it, not its path, so likely
 * places are searched two levels deep.
 */
export async function suggestFolders(
  registered: readonly string[],
  home: string,
  name: string,
  children: readonly string[]
): Promise<string[]> {
  if (name.includes('/')) return []
  const ranked: { folder: string; match: number }[] = []
  for (const parent of await likelyParents(registered, home)) {
    const folder = join(parent, name)
    if (!existsSync(folder) || lstatSignature(folder)?.kind !== 'dir') continue
    const names = new Set(await readdir(folder))
    const match = children.length === 0 ? 0 : children.filter((child) => names.has(child)).length / children.length
    ranked.push({ folder, match })
  }
  return ranked
    .filter(({ match }) => children.length === 0 || match > MIN_MATCH)
    .sort((a, b) => b.match - a.match)
    .slice(0, MAX_SUGGESTIONS)
    .map(({ folder }) => folder)
}

async function likelyParents(registered: readonly string[], home: string): Promise<Set<string>> {
  const parents = new Set([...registered.map((root) => dirname(root)), home, process.cwd(), dirname(process.cwd())])
  for (const common of PROJECT_FOLDERS) parents.add(join(home, common))
  for (const parent of [...parents]) {
    for (const folder of (await foldersIn(parent)).slice(0, MAX_SUBFOLDERS))
      if (!folder.startsWith('.')) parents.add(join(parent, folder))
  }
  return parents
}

/** Names of the folders in a folder; none if it cannot be read. */
async function foldersIn(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder, { withFileTypes: true }))
      .filter((entry) => entry.isDirectory())
      .map((entry) => entry.name)
  } catch (error) {
    if (errorCode(error) !== '') return []
    throw error
  }
}
