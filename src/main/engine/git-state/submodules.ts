/**
 * [GT-13] The repositories of submodules in the folder of another repository. Scans find each that is checked out by its file
 * `.git`; those of the others are found here, by the folder in which git would check them out.
 */
import { existsSync } from 'node:fs'
import { join, relative } from 'node:path'
import { childOf } from '../files/paths.ts'
import { gitFolderAt, listSubmodules, submodulePaths, toGitPath, worktreeOf } from '../git/git-folder.ts'
import type { GitKeeper } from './git-keeper.ts'
import { folderStamp } from './state-files.ts'

type Owner = Pick<GitKeeper, 'root' | 'path' | 'gitDir' | 'isWorktree'>

interface Found {
  /** Folders whose stamps change when a submodule comes or goes. */
  readonly listed: readonly string[]
  readonly stamp: string
  /** Git folders by the paths of their folders in the recorded one. */
  readonly folders: ReadonlyMap<string, string>
  readonly elsewhere: readonly OutsideSubmodule[]
}

/** One whose folder is not in the recorded one, as that of a worktree outside, or has another repository now. */
interface OutsideSubmodule {
  /** Of its git folder, below the `.git` that it is in. */
  readonly path: string
  readonly gitDir: string
  /** The folder with its files; null if it is not known. */
  readonly top: string | null
}

export type Submodules = ReturnType<typeof createSubmodules>

/** `root`: the recorded folder. */
export function createSubmodules(root: string) {
  /** By the path of the repository that they are in. */
  const found = new Map<string, Found>()
  /** The git folder of the submodule at a path. */
  const at = (path: string): string | undefined => {
    for (const { folders } of found.values()) if (folders.has(path)) return folders.get(path)
    return undefined
  }
  return {
    at,
    elsewhere: (): OutsideSubmodule[] => [...found.values()].flatMap(({ elsewhere }) => elsewhere),
    /** The paths of all in the recorded folder. */
    paths: (): string[] => [...found.values()].flatMap(({ folders }) => [...folders.keys()]),
    /** What git would write into the file `.git` there; null if none is known. */
    linkAt: (path: string): Buffer | null => {
      const gitDir = at(path)
      return gitDir === undefined ? null : Buffer.from(`gitdir: ${toGitPath(relative(join(root, path), gitDir))}\n`)
    },
    /**
     * Finds those in the repository of `owner`. Returns whether they changed since the last call; a few stats where none came or
     * went. `keptNow`: the git folders that are kept already.
     */
    find: (owner: Owner, keptNow: () => ReadonlySet<string | null>): boolean => {
      const gitDir = owner.isWorktree() ? null : owner.gitDir()
      // Of a repository that is gone, they are known still.
      if (gitDir === null) return false
      const before = found.get(owner.path)
      if (before && before.stamp === stampOf(gitDir, before.listed)) return false
      const { found: names, listed } = listSubmodules(gitDir)
      const kept = names.length === 0 ? new Set() : keptNow()
      const known = new Map([...(before?.folders ?? [])].map(([path, each]) => [each, path]))
      const folders = new Map<string, string>()
      const elsewhere: OutsideSubmodule[] = []
      for (const name of names) {
        const each = join(gitDir, name)
        if (kept.has(each) && !known.has(each)) continue
        const top = topOf(owner, each, name)
        const path = known.get(each) ?? pathOf(root, each, top)
        if (path !== null) folders.set(path, each)
        else elsewhere.push({ path: childOf(owner.path, `.git/${name}`), gitDir: each, top })
      }
      found.set(owner.path, { listed, stamp: stampOf(gitDir, listed), folders, elsewhere })
      return folders.size > 0 || known.size > 0
    }
  }
}

const stampOf = (gitDir: string, listed: readonly string[]): string =>
  listed.map((folder) => folderStamp(gitDir, folder)).join()

/** Where git would check a submodule out; null if that is not known. */
function topOf(owner: Owner, gitDir: string, module: string): string | null {
  const [, name] = /^modules\/(.*)$/s.exec(module) ?? []
  const inOwner = name === undefined ? null : join(owner.root, submodulePaths(owner.root).get(name) ?? name)
  return worktreeOf(gitDir) ?? inOwner
}

/** The same in the recorded folder; null if that is elsewhere, or another repository is there. */
function pathOf(root: string, gitDir: string, top: string | null): string | null {
  if (top === null || (existsSync(join(top, '.git')) && gitFolderAt(top)?.gitDir !== gitDir)) return null
  const path = relative(root, top).split('\\').join('/')
  const isInside =
    path !== '' && !path.includes(':') && !path.split('/').some((part) => part === '..' || part === '.git')
  return isInside ? path : null
}
