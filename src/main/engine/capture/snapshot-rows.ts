/** Where the names of an initial snapshot go: into the log, or, of a new worktree, packed (packed-paths.ts). */
import type { NotStoredReason } from '../../../contract/log.ts'
import { type Signature, withoutListing } from '../files/signature.ts'
import { bumpRev } from '../store/meta.ts'
import { ROOT_ID, type Store } from '../store/open-store.ts'
import { type FirstPath, insertPaths, MOST_PACKED, PATH_TABLES, packPaths } from '../store/packed-paths.ts'
import {
  addPathOnce,
  addPending,
  hasOnlyRoot,
  isEnteredFolder,
  lastPathId,
  type PathId,
  setFolder
} from '../store/paths.ts'
import { addSharedFile, type NewSharedFile } from '../store/shared-files.ts'
import { type Deferred, deferRows, isDeferred, transact, type Writable } from '../store/sql.ts'
import { folderVersion } from './observe.ts'

interface NewFolder {
  readonly path: string
  readonly parent: PathId
  readonly stat: Signature
  /** When that was taken, ms. */
  readonly statAt: number
  /** Why it is not entered, else null. */
  readonly reason: NotStoredReason | null
}

export interface SnapshotRows {
  /** `body` adds rows; nothing else is written meanwhile. */
  step(body: () => void): void
  /** False if it has a version, which stays. */
  addFile(file: NewSharedFile): boolean
  /** Waits for its first version. */
  addName(path: string, parent: PathId): void
  /** Null if it has another version, which stays. */
  addFolder(folder: NewFolder): PathId | null
  /** False if something else has recorded since that the folder is gone. What was listed in it gets no row then: nothing would say that it is gone. */
  isEntered(id: PathId): boolean
  /** All names in the folder are added. */
  setListed(id: PathId, signature: Signature, statAt: number): void
  /** All names are added. Returns false if others were recorded before, or meanwhile by something else: they may have changed since. */
  end(): boolean
  /** Call at last, also after a failure. */
  [Symbol.dispose](): void
}

export function createStoredRows(store: Store): SnapshotRows {
  /** The transaction of the present step. */
  let current: Writable<Store> | null = null
  let isAlone = true
  let lastId = ROOT_ID
  const noteOthers = (tx: Writable<Store>): void => {
    isAlone &&= lastPathId(tx) === lastId
  }
  const inStep = (): Writable<Store> => {
    if (!current) throw new Error('rows of a snapshot are added in its steps')
    return current
  }
  return {
    step: (body) => {
      try {
        transact(store, (tx) => {
          current = tx
          noteOthers(tx)
          body()
          lastId = lastPathId(tx)
        })
      } finally {
        current = null
      }
    },
    addFile: (file) => addSharedFile(inStep(), file),
    addName: (path, parent) => void addPathOnce(inStep(), path, parent),
    addFolder: ({ path, parent, stat, statAt, reason }) => {
      const tx = inStep()
      const { id, version: known } = addPathOnce(tx, path, parent)
      if (known !== null && !isEnteredFolder(tx, id)) return null
      // Gets its version at once: a row without one is taken for a file that waits for its content.
      const version = tx.records.addVersion(folderVersion(stat.mode, reason), null)
      setFolder(tx, id, { version, signature: listedLater(stat, reason), statAt, covered: false })
      return id
    },
    isEntered: (id) => id === ROOT_ID || isEnteredFolder(inStep(), id),
    setListed: (id, signature, statAt) => setListed(inStep(), id, signature, statAt),
    end: () => {
      transact(store, (tx) => {
        noteOthers(tx)
        bumpRev(tx)
      })
      return isAlone
    },
    [Symbol.dispose]: () => {}
  }
}

/**
 * For a history that has no paths yet: they stay in memory and are packed in the end. What else uses the history meanwhile
 * writes them into the log first, where the rest follows.
 */
export function createPackedRows(store: Store): SnapshotRows {
  const stored = createStoredRows(store)
  if (!hasOnlyRoot(store)) return stored
  const paths = new Map<PathId, FirstPath>()
  const pending: { readonly id: PathId; readonly parent: PathId; readonly path: string }[] = []
  let root: { readonly signature: Signature; readonly statAt: number } | null = null
  let lastId = ROOT_ID
  const writeOthers = (tx: Writable<Store>): void => {
    for (const { id, parent, path } of pending) addPending(tx, id, parent, path)
    if (root) setListed(tx, ROOT_ID, root.signature, root.statAt)
  }
  const deferred: Deferred = {
    tables: PATH_TABLES,
    write: () =>
      transact(store, (tx) => {
        insertPaths(tx, [...paths.values()])
        writeOthers(tx)
      })
  }
  /** False once they are in the log. */
  const areInMemory = (): boolean => isDeferred(store, deferred)
  deferRows(store, deferred)
  const writeNow = (): void => {
    deferRows(store, null)
    deferred.write()
  }

  return {
    step: (body) => {
      if (!areInMemory()) stored.step(body)
      else {
        body()
        if (paths.size + pending.length > MOST_PACKED) writeNow()
      }
    },
    addFile: (file) => {
      if (!areInMemory()) return stored.addFile(file)
      paths.set(++lastId, { id: lastId, reason: null, covered: false, ...file })
      return true
    },
    addName: (path, parent) => {
      if (areInMemory()) pending.push({ id: ++lastId, parent, path })
      else stored.addName(path, parent)
    },
    addFolder: (folder) => {
      if (!areInMemory()) return stored.addFolder(folder)
      const { path, parent, stat, statAt, reason } = folder
      const signature = listedLater(stat, reason)
      paths.set(++lastId, { id: lastId, parent, path, hash: null, reason, signature, statAt, covered: false })
      return lastId
    },
    isEntered: (id) => areInMemory() || stored.isEntered(id),
    setListed: (id, signature, statAt) => {
      const folder = paths.get(id)
      if (!areInMemory()) stored.setListed(id, signature, statAt)
      else if (folder) paths.set(id, { ...folder, signature, statAt, covered: true })
      else root = { signature, statAt }
    },
    end: () => {
      if (!areInMemory()) return stored.end()
      deferRows(store, null)
      const all = [...paths.values()]
      transact(store, (tx) => {
        writeOthers(tx)
        packPaths(tx, all)
        bumpRev(tx)
      })
      return true
    },
    [Symbol.dispose]: () => {
      if (areInMemory()) deferRows(store, null)
    }
  }
}

/** The next scan lists a folder that is entered, until all its names are added. */
function listedLater(stat: Signature, reason: NotStoredReason | null): Signature {
  return reason === null ? withoutListing(stat) : stat
}

function setListed(tx: Writable<Store>, id: PathId, signature: Signature, statAt: number): void {
  // The others have theirs since they were found.
  const version = id === ROOT_ID ? tx.records.addVersion(folderVersion(signature.mode), null) : null
  setFolder(tx, id, { version, signature, statAt, covered: true })
}
