/** Reads the paths git tracks from its index file (versions 2 to 4, gitformat-index(5)), without running git. */
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { ifReadable } from '../files/fs-errors.ts'
import { readSmallFile } from '../files/read-small-file.ts'
import type { GitFolder } from './git-folder.ts'

/** Paths are relative to the top of the working tree, '/'-separated. */
interface TrackedPaths {
  readonly files: ReadonlySet<string>
  /** Every folder with a tracked path below it, and submodules. */
  readonly folders: ReadonlySet<string>
}

const MAX_BYTES = 512 * 1024 * 1024
/** Modes of entries: a submodule (gitlink), and a folder of a sparse index. */
export const GITLINK = 0o160000
const SPARSE_FOLDER = 0o040000
const EMPTY: TrackedPaths = { files: new Set(), folders: new Set() }

export type GitIndex = ReturnType<typeof createGitIndex>

export function createGitIndex(git: GitFolder) {
  const file = join(git.gitDir, 'index')
  let stamp = ''
  let tracked = EMPTY
  return {
    /** Reads the index again if its file changed. Empty if there is none or it is damaged. */
    tracked(): TrackedPaths {
      const now = stampOf(file)
      if (now !== stamp) {
        stamp = now
        tracked = readIndex(git)
      }
      return tracked
    }
  }
}

function stampOf(file: string): string {
  try {
    const { mtimeMs, size, ino } = statSync(file)
    return `${mtimeMs}:${size}:${ino}`
  } catch {
    // No index yet: nothing is tracked.
    return 'none'
  }
}

function readIndex(git: GitFolder): TrackedPaths {
  const bytes = readSmallFile(join(git.gitDir, 'index'), MAX_BYTES)
  if (!bytes) return EMPTY
  const idBytes = usesSha256(git) ? 32 : 20
  const files = new Set<string>()
  const folders = new Set<string>()
  const collect = createCollector(files, folders)
  const visited = visitEntries(bytes, idBytes, collect)
  if (visited === null) return EMPTY
  const { shared } = visited
  if (shared !== '') {
    // A split index. Its deletions from the shared part are not applied: a path too many only protects more.
    const base = readSmallFile(join(git.gitDir, `sharedindex.${shared}`), MAX_BYTES)
    if (base) visitEntries(base, idBytes, collect)
  }
  return { files, folders }
}

/** The stat of a tracked file when git last compared it with its commit: the same stat proves the same content. */
export interface IndexedStat {
  /** ms, as lstat gives it. */
  readonly mtime: number
  readonly ctime: number
  readonly size: number
  /** The low 32 bits of the inode number. */
  readonly ino: number
}

/** Where the entry of a file begins in the index. */
type EntryOffset = number

interface IndexedFiles {
  readonly files: ReadonlyMap<string, EntryOffset>
  /** Paths of all tracked files with attributes (gitattributes(5)). */
  readonly attributes: ReadonlySet<string>
  statOf(entry: EntryOffset): IndexedStat
  /** Whether an entry has the same blob as one of another index. */
  isSameBlob(entry: EntryOffset, index: IndexedFiles, twin: EntryOffset): boolean
  readonly bytes: Buffer
}

/**
 * The regular files of the index whose stat proves their content, by path: without files in conflict, marked by flags, or
 * written in the last moment before the index was (racy). Null without an index, or with a split, sparse or damaged one.
 */
export function readIndexedFiles(git: GitFolder): IndexedFiles | null {
  const file = join(git.gitDir, 'index')
  const bytes = readSmallFile(file, MAX_BYTES)
  const writtenAt = bytes && ifReadable(() => statSync(file).mtimeMs)
  if (!bytes || !writtenAt) return null
  const idBytes = usesSha256(git) ? 32 : 20
  const files = new Map<string, EntryOffset>()
  const attributes = new Set<string>()
  const visited = visitEntries(bytes, idBytes, (path, mode, at) => {
    if (path.endsWith(ATTRIBUTES)) attributes.add(path)
    const flags = bytes.readUInt16BE(at + 40 + idBytes)
    // All but the length of the name: assumed unchanged, extended, in conflict.
    if (mode >> 12 !== REGULAR || (flags & 0xf000) !== 0 || timeAt(bytes, at + 8) > writtenAt - RACY_MS) return
    files.set(path, at)
  })
  if (visited?.shared !== '') return null
  return {
    files,
    attributes,
    bytes,
    statOf: (at) => ({
      ctime: timeAt(bytes, at),
      mtime: timeAt(bytes, at + 8),
      size: bytes.readUInt32BE(at + 36),
      ino: bytes.readUInt32BE(at + 20)
    }),
    isSameBlob: (at, index, twin) => {
      const [from, twinFrom] = [at + 40, twin + 40]
      return bytes.compare(index.bytes, twinFrom, twinFrom + idBytes, from, from + idBytes) === 0
    }
  }
}

/** Name of the files that give paths attributes. */
export const ATTRIBUTES = '.gitattributes'
const REGULAR = 0o10
/** Times of files may be equal for two writes within this time, ms. */
const RACY_MS = 20

/** Seconds and nanoseconds, as lstat's milliseconds. */
function timeAt(bytes: Buffer, at: number): number {
  return bytes.readUInt32BE(at) * 1000 + bytes.readUInt32BE(at + 4) / 1e6
}

function createCollector(files: Set<string>, folders: Set<string>): VisitEntry {
  let lastFolder = ''
  return (name, mode) => {
    const path = mode === SPARSE_FOLDER ? name.replace(/\/$/, '') : name
    if (mode === SPARSE_FOLDER || mode === GITLINK) folders.add(path)
    else files.add(path)
    const folder = path.slice(0, Math.max(0, path.lastIndexOf('/')))
    if (folder !== lastFolder) addWithParents(folder, folders)
    lastFolder = folder
  }
}

function usesSha256(git: GitFolder): boolean {
  const config = readSmallFile(join(git.commonDir, 'config'), 1024 * 1024)
  return /^\s*objectformat\s*=\s*sha256\s*$/im.test(config?.toString('utf8') ?? '')
}

/** `at`: where the entry begins: 40 bytes of stat data, the object id, 2 bytes of flags. */
type VisitEntry = (path: string, mode: number, at: number) => void

/**
 * Visits all entries of one index file. Returns the name of its shared part, '' if it has none, and where the extensions
 * begin; null if the file is damaged. Layout: 12 bytes of header, entries, extensions, a checksum of `idBytes`.
 */
export function visitEntries(
  bytes: Buffer,
  idBytes: number,
  visit: VisitEntry
): { readonly shared: string; readonly end: number } | null {
  if (bytes.length < 12 + idBytes || bytes.toString('latin1', 0, 4) !== 'DIRC') return null
  const version = bytes.readUInt32BE(4)
  if (version < 2 || version > 4) return null
  const end = bytes.length - idBytes
  let remaining = bytes.readUInt32BE(8)
  let at = 12
  let previous: Buffer = Buffer.alloc(0)
  for (; remaining > 0; remaining--) {
    const start = at
    if (at + 42 + idBytes > end) return null
    const mode = bytes.readUInt32BE(at + 24)
    const flags = bytes.readUInt16BE(at + 40 + idBytes)
    at += 42 + idBytes
    // Extended flag: two more bytes.
    if (flags & 0x4000) {
      if (version < 3) return null
      at += 2
    }
    let path: string
    // Version 4 removes a number of bytes from the former name, then appends.
    if (version === 4) {
      const stripped = readOffset(bytes, at, end)
      if (!stripped || stripped.value > previous.length) return null
      const nul = bytes.indexOf(0, stripped.next)
      if (nul < 0 || nul >= end) return null
      const kept = previous.subarray(0, previous.length - stripped.value)
      previous = Buffer.concat([kept, bytes.subarray(stripped.next, nul)])
      path = previous.toString('utf8')
      at = nul + 1
    } else {
      const nul = bytes.indexOf(0, at)
      if (nul < 0 || nul >= end) return null
      path = bytes.toString('utf8', at, nul)
      // Entries are padded with 1 to 8 NUL bytes to a multiple of eight.
      at = start + ((nul - start + 8) & ~7)
    }
    // A split index omits the names of entries that replace shared ones.
    if (path !== '') visit(path, mode, start)
  }
  return { shared: sharedName(bytes, at, end, idBytes), end: at }
}

function addWithParents(folder: string, folders: Set<string>): void {
  for (let path = folder; path !== '' && !folders.has(path); path = path.slice(0, Math.max(0, path.lastIndexOf('/')))) {
    folders.add(path)
  }
}

/** The offset encoding of pack files (gitformat-pack(5)): seven bits a byte, each continuation adds one. */
function readOffset(bytes: Buffer, at: number, end: number): { value: number; next: number } | null {
  let value = 0
  for (let next = at; next < end && next < at + 5; next++) {
    const byte = bytes[next]!
    value = value * 128 + (byte & 0x7f)
    if (!(byte & 0x80)) return { value, next: next + 1 }
    value++
  }
  return null
}

/** Id in the `link` extension, in hex; '' if it is missing or zero. */
function sharedName(bytes: Buffer, from: number, end: number, idBytes: number): string {
  for (let at = from; at + 8 <= end; ) {
    const size = bytes.readUInt32BE(at + 4)
    if (bytes.toString('latin1', at, at + 4) === 'link' && size >= idBytes && at + 8 + idBytes <= end) {
      const name = bytes.toString('hex', at + 8, at + 8 + idBytes)
      return /^0+$/.test(name) ? '' : name
    }
    at += 8 + size
  }
  return ''
}
