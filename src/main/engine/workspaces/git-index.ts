/** Which paths git tracks, read from the index file itself (versions 2, 3 and 4), without running git. */
import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { GitFolder } from './git-folder.ts'
import { readSmallFile } from './read-small-file.ts'

/** Paths are relative to the top of the working tree, '/'-separated. */
export interface TrackedPaths {
  readonly files: ReadonlySet<string>
  /** Every folder with something tracked below, and submodules. */
  readonly folders: ReadonlySet<string>
}

const LIMIT = 512 * 1024 * 1024
const SUBMODULE = 0o160000
const FOLDER = 0o040000
const NOTHING: TrackedPaths = { files: new Set(), folders: new Set() }

export interface GitIndex {
  /** What is tracked now; read again when the index file changed. Empty if there is no index or it makes no sense. */
  tracked(): TrackedPaths
}

export function createGitIndex(git: GitFolder): GitIndex {
  const file = join(git.gitDir, 'index')
  let stamp = ''
  let known = NOTHING
  return {
    tracked() {
      const now = stampOf(file)
      if (now !== stamp) {
        stamp = now
        known = readIndex(git)
      }
      return known
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
  const bytes = readSmallFile(join(git.gitDir, 'index'), LIMIT)
  if (!bytes) return NOTHING
  const idBytes = usesSha256(git) ? 32 : 20
  const files = new Set<string>()
  const folders = new Set<string>()
  const shared = collect(bytes, idBytes, files, folders)
  if (shared === null) return NOTHING
  if (shared !== '') {
    // A split index: what it says is deleted from the shared part stays in; protecting too much is harmless.
    const base = readSmallFile(join(git.gitDir, `sharedindex.${shared}`), LIMIT)
    if (base) collect(base, idBytes, files, folders)
  }
  return { files, folders }
}

function usesSha256(git: GitFolder): boolean {
  const config = readSmallFile(join(git.commonDir, 'config'), 1024 * 1024)
  return /^\s*objectformat\s*=\s*sha256\s*$/im.test(config?.toString('utf8') ?? '')
}

/** Adds all entries of one index file; the name of its shared part, '' without one, null when it is damaged. */
function collect(bytes: Buffer, idBytes: number, files: Set<string>, folders: Set<string>): string | null {
  if (bytes.length < 12 + idBytes || bytes.toString('latin1', 0, 4) !== 'DIRC') return null
  const version = bytes.readUInt32BE(4)
  if (version < 2 || version > 4) return null
  const end = bytes.length - idBytes
  let left = bytes.readUInt32BE(8)
  let at = 12
  let previous: Buffer = Buffer.alloc(0)
  let lastFolder = ''
  for (; left > 0; left--) {
    const start = at
    if (at + 42 + idBytes > end) return null
    const mode = bytes.readUInt32BE(at + 24)
    const flags = bytes.readUInt16BE(at + 40 + idBytes)
    at += 42 + idBytes
    if (flags & 0x4000) {
      if (version < 3) return null
      at += 2
    }
    let name: Buffer
    if (version === 4) {
      const stripped = readOffset(bytes, at, end)
      if (!stripped || stripped.value > previous.length) return null
      const nul = bytes.indexOf(0, stripped.next)
      if (nul < 0 || nul >= end) return null
      name = Buffer.concat([previous.subarray(0, previous.length - stripped.value), bytes.subarray(stripped.next, nul)])
      previous = name
      at = nul + 1
    } else {
      const nul = bytes.indexOf(0, at)
      if (nul < 0 || nul >= end) return null
      name = bytes.subarray(at, nul)
      // Entries are padded with 1 to 8 NULs to a multiple of eight bytes.
      at = start + ((nul - start + 8) & ~7)
    }
    let path = name.toString('utf8')
    // A split index leaves out the names of entries it only replaces.
    if (path === '') continue
    if (mode === FOLDER) path = path.replace(/\/$/, '')
    if (mode === FOLDER || mode === SUBMODULE) folders.add(path)
    else files.add(path)
    const folder = path.slice(0, Math.max(0, path.lastIndexOf('/')))
    if (folder !== lastFolder) addWithParents(folder, folders)
    lastFolder = folder
  }
  return sharedName(bytes, at, end, idBytes)
}

function addWithParents(folder: string, folders: Set<string>): void {
  for (let path = folder; path !== '' && !folders.has(path); path = path.slice(0, Math.max(0, path.lastIndexOf('/')))) {
    folders.add(path)
  }
}

/** The variable-length number of version 4: seven bits a byte, each continuation adding one. */
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
