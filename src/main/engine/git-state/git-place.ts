/**
 * Where a repository of the recorded folder is: in the folder `.git`, or where a file `.git` leads, as that of a submodule. Such
 * a file is kept with what it leads to, so that the repository is still known where only the file is gone.
 */
import { existsSync, lstatSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { ifReadable } from '../files/fs-errors.ts'
import { foldersAbove } from '../files/paths.ts'
import { readSmallFile } from '../files/read-small-file.ts'
import { gitFolderAt, LINK_LIMIT, linkTarget } from '../git/git-folder.ts'
import {
  type GitFileRow,
  type GitStore,
  newestGitContent,
  newestGitFile,
  readWholeGitContent
} from '../store/git-store.ts'

/** The file by which a linked worktree or a submodule names its repository, beside the files of that. */
export const WORKTREE_LINK = '.git'
/** The mode of a kept link that is not there at that state, while what it leads to is. */
export const UNLINKED = 0

/** What is at a path. `other`: no folder, or reached through a link, which may lead anywhere. */
export type Place = 'folder' | 'absent' | 'other'

export interface GitPlaceOptions {
  /** The folder with the files of the repository and `.git`. */
  readonly root: string
  /** The same, relative to the recorded folder; '' for that folder's own repository. */
  readonly path: string
  /** What is at `root`. */
  place(): Place
  /** What is at the folder that a file `.git` leads to. */
  reach(target: string): Place
  /** What git would write into a file `.git` here, where none was ever kept; null if that is not known. */
  expectedLink(): Buffer | null
}

/** `open`: the kept states; null while none is kept. Damaged ones count as none. */
export function createGitPlace(
  { root, path, place, reach, expectedLink }: GitPlaceOptions,
  open: () => GitStore | null
) {
  const entry = join(root, WORKTREE_LINK)
  const isAbsent = (): boolean => place() === 'absent' || (place() === 'folder' && !existsSync(entry))
  /** `find`: which one. */
  const keptLink = (find: (store: GitStore) => Uint8Array | null | undefined = newestLink): Buffer | null => {
    const store = open()
    const hash = store && find(store)
    return store && hash ? readWholeGitContent(store, hash) : expectedLink()
  }
  /** The git folder that the kept link leads to, where `.git` is gone: of a submodule that is not checked out. */
  const unlinked = (): string | null => {
    const target = path !== '' && isAbsent() ? linkTarget(root, keptLink()) : null
    return target !== null && reach(target) === 'folder' && existsSync(join(target, 'HEAD')) ? target : null
  }
  return {
    /** The folder with refs and objects; null while there is no repository. */
    gitDir: (): string | null => {
      const git = place() === 'folder' ? gitFolderAt(root) : null
      if (git === null) return unlinked()
      // Without its objects, git takes it for no repository, either.
      const isWhole = existsSync(join(git.commonDir, 'objects'))
      return isWhole && (git.gitDir === entry || reach(git.gitDir) === 'folder') ? git.commonDir : null
    },
    /** Whether `.git` is there. */
    isLinked: (): boolean => !isAbsent(),
    /** Where the repository is, or was last: the same for two folders of one repository. */
    target: (): string => {
      const link = isAbsent()
        ? keptLink((store) => newestGitContent(store, WORKTREE_LINK))
        : readSmallFile(entry, LINK_LIMIT)
      return linkTarget(root, link) ?? entry
    },
    /** Of a repository whose `.git` is a file: its bytes, or that nothing is there. Null if it is a folder. */
    link: (): Buffer | 'absent' | null => {
      if (isAbsent()) return 'absent'
      return place() === 'folder' ? readSmallFile(entry, LINK_LIMIT) : null
    }
  }
}

const newestLink = (store: GitStore) => newestGitFile(store, WORKTREE_LINK)?.hash

/** What is at a path below `base`. */
export function placeBelow(base: string, path: string): Place {
  for (const folder of [...foldersAbove(path), path]) {
    const stats = ifReadable(() => lstatSync(join(base, folder), { throwIfNoEntry: false }))
    if (!stats) return 'absent'
    if (!stats.isDirectory()) return 'other'
  }
  return 'folder'
}

/** The same of an absolute path; `other` outside of the folders. */
export function placeWithin(bases: readonly string[], path: string): Place {
  for (const base of bases) {
    const inside = relative(base, path).split('\\').join('/')
    if (inside !== '' && !inside.startsWith('..') && !inside.includes(':')) return placeBelow(base, inside)
  }
  return 'other'
}

/**
 * Where a kept link led, if that folder is the repository's own: that of a linked worktree belongs to another one. `files`: of
 * the state that has the link.
 */
export function ownTarget(root: string, link: Buffer, files: readonly GitFileRow[]): string | null {
  const target = linkTarget(root, link)
  if (target === null) return null
  const worktree = `worktrees/${basename(target)}/HEAD`
  const isWorktree = basename(dirname(target)) === 'worktrees' && files.some(({ path }) => path === worktree)
  return isWorktree ? null : target
}
