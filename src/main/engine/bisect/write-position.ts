/**
 * Writes what differs between a position and the folder on disk into a folder of its own: files, links and the folders
 * around them. Nothing is read from or written into the recorded folder but the modes of its folders. Costs what differs.
 */
import {
  chmodSync,
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  lchownSync,
  linkSync,
  mkdirSync,
  openSync,
  symlinkSync,
  unlinkSync,
  writeSync
} from 'node:fs'
import type { WrittenPosition } from '../../../contract/bisect.ts'
import { DriftlineError } from '../../../contract/errors.ts'
import { errorCode, isUnreadable } from '../files/fs-errors.ts'
import { foldersAbove, parentOf } from '../files/paths.ts'
import { preserveOwner } from '../files/replace-file.ts'
import { absoluteOf, createWorkspaceFs, type WorkspaceFs } from '../files/workspace-fs.ts'
import { createTimeSlicer } from '../ports/time-slicer.ts'
import type { Store } from '../store/open-store.ts'
import { isInMemory, makeTree } from './position-folders.ts'
import { type Position, versionsAtPosition, type WantedVersion } from './position-versions.ts'
import { rememberFiles, type WrittenFiles, writtenFiles } from './written-files.ts'

/** How long the engine's thread is held at a time, ms. */
const SLICE_MS = 10
/** What a file takes at least, bytes. */
const BLOCK = 4096
const NEW_FILE = constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY | (constants.O_NOFOLLOW ?? 0)

interface Writing {
  readonly store: Store
  /** The recorded folder. */
  readonly disk: WorkspaceFs
  /** Absolute. */
  readonly tree: string
  /** Folders that exist in the tree, with the mode they get at the end. */
  readonly folders: Map<string, number>
  /** Paths without anything below: files, links, and what is absent. */
  readonly leaves: Set<string>
  /** What another position holds, to be shared. */
  readonly like: WrittenFiles | null
  readonly files: WrittenFiles['files']
}

interface Target {
  /** New and empty. */
  readonly folder: string
  /** Paths to write even if they are so on disk. */
  readonly also: readonly string[]
  /** The folder of a position whose files may be shared. */
  readonly like: string | null
}

/** Throws DiskFull, StoreDamaged. */
export async function writePosition(
  store: Store,
  root: string,
  position: Position,
  { folder, also, like }: Target
): Promise<WrittenPosition> {
  const head = store.records.lastSeq()
  const { wanted, unavailable } = versionsAtPosition(store, position, also)
  const tree = makeTree(folder, bytesOf(wanted))
  const disk = createWorkspaceFs(root)
  const shared = like === null ? null : writtenFiles(store, like)
  const writing: Writing = {
    ...{ store, disk, tree, folders: new Map(), leaves: new Set(), like: shared, files: new Map() }
  }
  const absent: string[] = []
  const missing = [...unavailable]
  const paths: string[] = []
  const slice = createTimeSlicer(SLICE_MS)
  const needed = new Set(wanted.flatMap(({ path, version }) => (version.kind === 'absent' ? [] : foldersAbove(path))))
  try {
    coverTree(writing)
    for (const item of wanted) {
      await slice()
      const { path, version } = item
      // What is in a folder that is absent, or a file, is not there either.
      if (foldersAbove(path).some((above) => writing.leaves.has(above))) continue
      if (version.kind === 'dir') makeFolder(writing, path, version.mode)
      else if (version.kind === 'absent') {
        // A folder that the log does not know can hold files that it knows.
        if (needed.has(path)) continue
        makeFolders(writing, parentOf(path))
        writing.leaves.add(path)
        absent.push(path)
      } else if (writeEntry(writing, item)) paths.push(path)
      else missing.push({ path, reason: 'damaged' })
    }
    for (const [path, mode] of [...writing.folders].reverse()) chmodSync(absoluteOf(tree, path), mode)
  } catch (error) {
    throw toWriteError(error, tree)
  }
  rememberFiles(store, folder, { tree, files: writing.files })
  return { folder, tree, seq: position.seq, head, paths, absent, unavailable: missing }
}

function bytesOf(wanted: readonly WantedVersion[]): number {
  return wanted.reduce((sum, { version, bytes }) => sum + BLOCK + (bytes?.length ?? version.size), 0)
}

/** The tree itself stands for the root. */
function coverTree({ disk, tree, folders }: Writing): void {
  preserveOwner(disk.absolute(''), (uid, gid) => lchownSync(tree, uid, gid))
  folders.set('', disk.stat('')?.mode ?? 0o755)
}

function makeFolders(writing: Writing, folder: string): void {
  for (const path of folder === '' ? [] : [...foldersAbove(folder), folder]) makeFolder(writing, path)
}

/** Of mode `mode`, else as on disk. */
function makeFolder(writing: Writing, path: string, mode?: number): void {
  const { disk, tree, folders } = writing
  if (!folders.has(path)) {
    makeFolders(writing, parentOf(path))
    const absolute = absoluteOf(tree, path)
    mkdirSync(absolute, { mode: 0o700 })
    const isOnDisk = disk.stat(path)?.kind === 'dir'
    preserveOwner(isOnDisk ? disk.absolute(path) : disk.absolute(''), (uid, gid) => lchownSync(absolute, uid, gid))
    folders.set(path, (isOnDisk ? disk.stat(path)?.mode : undefined) ?? 0o755)
  }
  if (mode !== undefined) folders.set(path, mode)
}

/** False for content that cannot be read. */
function writeEntry(writing: Writing, { path, version, bytes }: WantedVersion): boolean {
  const { store, disk, tree, leaves, files } = writing
  makeFolders(writing, parentOf(path))
  leaves.add(path)
  const absolute = absoluteOf(tree, path)
  const ownerOf = disk.stat(path) ? disk.absolute(path) : disk.absolute('')
  if (version.kind === 'symlink') {
    symlinkSync(version.target ?? '', absolute)
    preserveOwner(ownerOf, (uid, gid) => lchownSync(absolute, uid, gid))
    return true
  }
  const { content } = version
  if (bytes === null && typeof content !== 'number') return false
  const name = bytes === null ? `${content} ${version.mode}` : null
  if (name !== null) files.set(path, name)
  if (isShared(writing, path, name)) return true
  const file = openSync(absolute, NEW_FILE, 0o600)
  try {
    const put = (piece: Buffer): void => {
      for (let at = 0; at < piece.length; ) at += writeSync(file, piece, at)
    }
    if (bytes) put(bytes)
    else store.content.stream(content as number, put, version.size)
    preserveOwner(ownerOf, (uid, gid) => fchownSync(file, uid, gid))
    fchmodSync(file, version.mode & 0o777)
  } catch (error) {
    if (!(error instanceof DriftlineError)) throw error
    // Damaged content may not be used, not even in part.
    unlinkSync(absolute)
    leaves.delete(path)
    files.delete(path)
    return false
  } finally {
    closeSync(file)
  }
  return true
}

/** The file of the other position is now in this one, too. */
function isShared({ tree, like }: Writing, path: string, name: string | null): boolean {
  if (!like || name === null || like.files.get(path) !== name) return false
  try {
    linkSync(absoluteOf(like.tree, path), absoluteOf(tree, path))
    return true
  } catch {
    // That position is gone, or on another disk.
    return false
  }
}

/** What a person can act on, for an error of the system while `tree` was written. Other errors stay as they are. */
export function toWriteError(error: unknown, tree: string): unknown {
  const code = errorCode(error)
  const place = isInMemory(tree) ? 'in memory (/dev/shm)' : 'in the data folder'
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return new DriftlineError(
      'DiskFull',
      `Not enough ${isInMemory(tree) ? 'space' : 'disk space'} ${place} to prepare the position. Your folder was not changed. Free some space there and retry.`
    )
  if (isUnreadable(error))
    return new DriftlineError(
      'Refused',
      `Couldn’t prepare the position ${place} (${code}). Your folder was not changed.`,
      { code }
    )
  return error
}
