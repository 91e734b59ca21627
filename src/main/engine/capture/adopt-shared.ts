/**
 * Gives a new worktree its first versions without reading its files: where git's indexes say that a file has the content
 * that the same file of the main folder has, and the stats agree, the history of the main folder holds its bytes.
 */
import { lastWrite, trustedStatAt } from '../files/racy-times.ts'
import { type BareStat, type Signature, signatureOf } from '../files/signature.ts'
import { createFilteredFiles } from '../git/filtered-files.ts'
import { gitFolderAt } from '../git/git-folder.ts'
import { ATTRIBUTES, type IndexedStat, readIndexedFiles } from '../git/git-index.ts'
import { writeMeta } from '../store/meta.ts'
import type { Store } from '../store/open-store.ts'
import { pathsNamed } from '../store/paths.ts'
import { keepForWorktree } from '../store/shared-content.ts'
import { type SharedFile, storedHeads } from '../store/shared-files.ts'
import { transact } from '../store/sql.ts'
import { type CoverRules, limitOf } from './ignore-rules.ts'

interface Folder {
  readonly id: string
  readonly root: string
  readonly store: Store
}

/** Clocks of file systems with finer times than milliseconds tell two writes apart after this time, ms. */
const TICK_MS = 20

/** Files of a new worktree whose contents the main history has. */
export interface FilesAlike {
  /** How many files git has. */
  readonly count: number
  /** Whether a file at that path may be one, so that its stat is needed. */
  mayBe(path: string): boolean
  /** The file as its first version, without reading it; null if it is to be read. `stat`: null if it could not be taken. */
  find(path: string, stat: BareStat | null): SharedFile | null
}

/**
 * Files in `worktree` that are as in `main`, a recorded folder of the same repository. Null if there is none. From now
 * on the contents that `main` has stay there.
 */
export function findShared(worktree: Folder & { readonly rules: CoverRules }, main: Folder): FilesAlike | null {
  const indexed = readIndexes(worktree.root, main)
  if (!indexed) return null
  transact(worktree.store, (tx) => writeMeta(tx, 'parent', main.id))
  const heads = transact(main.store, (tx) => {
    // Before they are read: what is read now stays.
    keepForWorktree(tx, worktree.id, tx.records.lastSeq())
    return storedHeads(tx)
  })
  return {
    count: indexed.count,
    mayBe: (path) => heads.has(path) && indexed.has(path),
    find: (path, stat) => {
      const [alike, head] = [indexed.alike(path), heads.get(path)]
      if (!alike || !head || !isSame(head, alike.main) || head.statAt < lastWrite(head) + TICK_MS) return null
      if (head.size > limitOf(worktree.rules, path).limit) return null
      const signature = stat && signatureOf(stat)
      if (signature?.kind !== 'file' || !isSame(signature, alike.worktree)) return null
      // [DR-2] The index proved its content, so the next scan need not read it.
      return { hash: head.hash, signature, statAt: trustedStatAt(signature) }
    }
  }
}

interface Alike {
  readonly worktree: IndexedStat
  readonly main: IndexedStat
}

interface Indexes {
  /** Of the worktree's entries. */
  readonly count: number
  has(path: string): boolean
  /** Null unless the file has the same blob in both. */
  alike(path: string): Alike | null
}

/** Null if they have no file in common. */
function readIndexes(worktree: string, main: Folder): Indexes | null {
  const [git, mainGit] = [gitFolderAt(worktree), gitFolderAt(main.root)]
  if (!git || !mainGit) return null
  const [own, theirs] = [readIndexedFiles(git), readIndexedFiles(mainGit)]
  if (!own || !theirs) return null
  const isFiltered = createFilteredFiles(git, worktree, (path) => own.attributes.has(path))
  // In the main folder git reads also attributes that it does not track.
  const recorded = new Set(pathsNamed(main.store, ATTRIBUTES))
  const wasFiltered = createFilteredFiles(
    mainGit,
    main.root,
    (path) => theirs.attributes.has(path) || recorded.has(path)
  )
  const alike = (path: string): Alike | null => {
    const [entry, twin] = [own.files.get(path), theirs.files.get(path)]
    if (entry === undefined || twin === undefined || !own.isSameBlob(entry, theirs, twin)) return null
    const stats = { worktree: own.statOf(entry), main: theirs.statOf(twin) }
    // The size tells whether line endings give the same blob other bytes here.
    const isAlike = stats.worktree.size === stats.main.size && isFine(stats.worktree) && isFine(stats.main)
    return isAlike && !isFiltered(path) && !wasFiltered(path) ? stats : null
  }
  const { files } = own
  for (const path of files.keys()) if (alike(path)) return { count: files.size, has: (path) => files.has(path), alike }
  return null
}

/** Whether its clock is finer than milliseconds: a coarse one cannot prove that nothing was written since. */
function isFine({ mtime }: IndexedStat): boolean {
  return mtime % 1 !== 0
}

function isSame(stat: Pick<Signature, 'ino' | 'size' | 'mtime' | 'ctime'>, indexed: IndexedStat): boolean {
  return (
    stat.mtime === indexed.mtime &&
    stat.ctime === indexed.ctime &&
    stat.size === indexed.size &&
    stat.ino % 2 ** 32 === indexed.ino
  )
}
