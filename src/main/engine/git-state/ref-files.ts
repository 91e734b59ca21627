/**
 * [GT-6] Finds which files that name commits or set the repository up changed since the last call: those at the top, in `hooks`
 * and `info`, refs, tables of refs, the reflog of stashes, operations at work, and the folders of worktrees. Git replaces them by renaming, so a
 * folder whose time did not change is not listed again, and of one that is watched only the named files are read: the cost
 * follows what changed, not how many refs there are.
 */
import { type Dirent, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { ifReadable } from '../files/fs-errors.ts'
import { TABLES } from '../git/reftable/live-stack.ts'
import { OPERATION_FOLDERS } from './operation-files.ts'
import { STASH_LOG } from './parse-refs.ts'
import { folderStamp, isOldStamp, listFolder, type StateFile, stateFileAt } from './state-files.ts'

/** What the watch of a folder reported since the last call: names, or that any file in it may have changed. */
export type ReportedNames = ReadonlyMap<string, ReadonlySet<string> | 'any'>

interface RefChanges {
  /** All files of the listed folders; of a watched folder the reported ones. */
  readonly files: readonly StateFile[]
  /** Paths that were there at the last call; null at the first one, whose `files` are all. */
  readonly gone: readonly string[] | null
}

interface Listed {
  /** Of the folder, before it was listed. */
  readonly stamp: string
  /** Whether it was old then: in the tick of its time, a folder may change once more without another stamp. */
  readonly isSettled: boolean
  readonly files: Map<string, StateFile>
  readonly folders: Set<string>
}

/** Folders with few files, which change without another name: the first one has caches and locks that change often. */
const FEW_FILES = ['', 'hooks', 'info']
/** Git writes into the files of an operation, too. */
const OPERATION_FOLDER = /(?:^|\/)(?:rebase-merge|rebase-apply|sequencer)$/
/** Git writes into its file `gitdir` when it moves or repairs the worktree. */
const WORKTREE = /^worktrees\/[^/]+$/
/** A folder with more files is worth a watch of its own. */
const LARGE = 200

export type RefFiles = ReturnType<typeof createRefFiles>

export function createRefFiles() {
  let known = new Map<string, Listed>()
  return {
    changes: (gitDir: string, reported: ReportedNames): RefChanges => {
      const before = known
      const found: Found = { files: [], gone: [] }
      const { files, gone } = found
      known = new Map()
      const visit = (folder: string): void => {
        const stamp = folderStamp(gitDir, folder)
        if (stamp === null) return
        const former = before.get(folder)
        const names = reported.get(folder)
        const mayHide = FEW_FILES.includes(folder) || OPERATION_FOLDER.test(folder)
        const isSame = !mayHide && former?.isSettled === true && former.stamp === stamp
        const listed = former && (isSame || (names && names !== 'any')) ? former : list(gitDir, folder, stamp)
        known.set(folder, listed)
        if (listed !== former) compare(former, listed, found)
        else if (!isSame && names && names !== 'any') update(gitDir, folder, listed, names, found)
        else if (WORKTREE.test(folder))
          files.push(...[stateFileAt(gitDir, `${folder}/gitdir`)].filter((file) => file !== null))
        if (folder !== '') listed.folders.forEach(visit)
      }
      for (const folder of [...FEW_FILES, ...OPERATION_FOLDERS, 'refs', TABLES, 'worktrees']) visit(folder)
      for (const [folder, former] of before) if (!known.has(folder)) gone.push(...former.files.keys())
      const stashes = stateFileAt(gitDir, STASH_LOG)
      if (stashes) files.push(stashes)
      else gone.push(STASH_LOG)
      return { files, gone: before.size > 0 ? gone : null }
    },
    /** Folders that have refs, and whether they have so many that listing them takes long. */
    folders: (gitDir: string): Map<string, boolean> => {
      if (known.size === 0) return new Map(refFolders(gitDir).map((folder) => [folder, false]))
      const found = [...known].filter(([folder]) => folder.startsWith('refs'))
      return new Map(found.map(([folder, { files }]) => [folder, files.size > LARGE]))
    },
    forget: (): void => {
      known = new Map()
    }
  }
}

/** Before the first call: the folders alone are listed. */
function refFolders(gitDir: string, folder = 'refs'): string[] {
  const entries: Dirent[] = ifReadable(() => readdirSync(join(gitDir, folder), { withFileTypes: true })) ?? []
  const inside = entries.filter((entry) => entry.isDirectory())
  return [folder, ...inside.flatMap(({ name }) => refFolders(gitDir, `${folder}/${name}`))]
}

function list(gitDir: string, folder: string, stamp: string): Listed {
  const { files, folders } = listFolder(gitDir, folder)
  const byPath = new Map(files.map((file) => [file.path, file]))
  return { stamp, isSettled: isOldStamp(stamp), files: byPath, folders: new Set(folders) }
}

/** What visiting the folders adds to. */
interface Found {
  readonly files: StateFile[]
  readonly gone: string[]
}

function compare(former: Listed | undefined, listed: Listed, { files, gone }: Found): void {
  for (const file of listed.files.values()) files.push(file)
  for (const path of former?.files.keys() ?? []) if (!listed.files.has(path)) gone.push(path)
}

/** Brings the listing up to date for the reported names alone. Its stamp stays that of the last full one. */
function update(
  gitDir: string,
  folder: string,
  { files: known, folders }: Listed,
  names: ReadonlySet<string>,
  { files, gone }: Found
): void {
  for (const name of names) {
    const path = `${folder}/${name}`
    if (folderStamp(gitDir, path) !== null) folders.add(path)
    else folders.delete(path)
    const file = stateFileAt(gitDir, path)
    if (file) {
      known.set(path, file)
      files.push(file)
    } else if (known.delete(path)) gone.push(path)
  }
}
