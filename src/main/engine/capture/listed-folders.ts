/** Lists the folders of an initial snapshot, each with the stats of its subfolders, in steps. */
import { readdirSync } from 'node:fs'
import type { NotStoredReason } from '../../../contract/log.ts'
import { errorCode, isNotFound } from '../files/fs-errors.ts'
import { childOf } from '../files/paths.ts'
import { lstatSignature, type Signature, signatureOf } from '../files/signature.ts'
import { isLosslessName } from '../files/spelling.ts'
import { absoluteOf } from '../files/workspace-fs.ts'
import type { ScanObserver } from '../ports/scan-observer.ts'
import type { FOUND_REPOSITORIES } from '../store/meta.ts'
import type { RecordingContext } from './reconcile.ts'
import { isNeverRecorded, isRepositoryBelow } from './recordable-names.ts'

/** A listed folder, as JSON. */
export interface ListedFolder {
  readonly path: string
  readonly signature: Signature
  /** When its stat was taken and it was listed, ms. */
  readonly statAt: number
  /** By name. */
  readonly folders: readonly ListedSubfolder[]
  /** Names of everything else. */
  readonly files: readonly string[]
  /** Those of them that git ignores. */
  readonly ignored: readonly string[]
  /** The stats of all its subfolders could be taken. */
  readonly complete: boolean
}

interface ListedSubfolder {
  readonly name: string
  readonly stat: Signature
  /** Why it is not entered, else null. */
  readonly reason: NotStoredReason | null
}

/** What was found when all folders are listed. */
export interface ListingEnd {
  /** How many names were listed; null if a folder could not be. */
  readonly paths: number | null
  /** Paths that were not listed, by the reason. */
  readonly leftOut: Readonly<Record<'unnameable' | 'unreadable' | typeof FOUND_REPOSITORIES, readonly string[]>>
}

/** On a disk that ignores case, `.GITIGNORE` is one, too. */
const isIgnoreFile = (name: string): boolean => name.toLowerCase() === '.gitignore'

type FolderListing = Generator<readonly ListedFolder[], ListingEnd>

/** A step lists about so many names. */
const NAMES_PER_STEP = 1000

/** A folder comes after its parent. */
export function* listFolders(
  { root, rules, boundaries }: Pick<RecordingContext, 'root' | 'rules' | 'boundaries'>,
  observer: ScanObserver | null
): FolderListing {
  const unnameable: string[] = []
  const unreadable: string[] = []
  const repositories: string[] = []
  /** The next one last. */
  const folders: string[] = ['']
  let names = 0
  let isAllListed = true

  const listFolder = (folder: string): ListedFolder | null => {
    const statAt = Date.now()
    const entered = observer?.enter(folder)
    const signature = entered ? signatureOf(entered) : readOrNote(folder, lstatSignature)
    const entries =
      signature?.kind === 'dir' ? readOrNote(folder, (path) => readdirSync(path, { withFileTypes: true })) : null
    if (!signature || !entries) return null
    if (!entries.some(({ name }) => isIgnoreFile(name))) rules.hasNoIgnoreFile(folder)
    const listed = { path: folder, signature, statAt, folders: [] as ListedSubfolder[], files: [] as string[] }
    let complete = true
    // Names that come in their order fill the pages of their index: in another order, half of each stays empty.
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const { name } = entry
      if (isNeverRecorded(name)) {
        if (isRepositoryBelow(root, folder, name)) repositories.push(childOf(folder, name))
        continue
      }
      const path = childOf(folder, name)
      if (!isLosslessName(absoluteOf(root, folder), name)) {
        unnameable.push(path)
        continue
      }
      // A folder that cannot be read gets no row; the next scan decides.
      const stat = entry.isDirectory() ? readOrNote(path, lstatSignature) : null
      if (entry.isDirectory() && !stat) {
        complete = false
        continue
      }
      names++
      if (stat?.kind === 'dir') listed.folders.push({ name, stat, reason: reasonOf(path) })
      else listed.files.push(name)
    }
    for (const { name, reason } of listed.folders.toReversed()) {
      if (reason === null) folders.push(childOf(folder, name))
      else observer?.skip(childOf(folder, name))
    }
    const ignored = listed.files.filter((name) => rules.ignoresFile(childOf(folder, name)))
    return { ...listed, ignored, complete }
  }
  const reasonOf = (path: string): NotStoredReason | null =>
    boundaries.has(path) ? 'workspace' : rules.ignoresDir(path) ? 'ignored' : null

  /** Null if the path is absent, or unreadable, which is noted. */
  function readOrNote<T>(path: string, read: (absolute: string) => T): T | null {
    try {
      return read(absoluteOf(root, path))
    } catch (error) {
      if (errorCode(error) === '') throw error
      if (!isNotFound(error)) unreadable.push(path)
      return null
    }
  }

  while (folders.length > 0) {
    const stop = names + NAMES_PER_STEP
    const step: ListedFolder[] = []
    while (folders.length > 0 && names < stop) {
      const listed = listFolder(folders.pop() as string)
      if (listed) step.push(listed)
      isAllListed &&= listed?.complete ?? false
    }
    yield step
  }
  return { paths: isAllListed ? names : null, leftOut: { unnameable, unreadable, repositories } }
}
