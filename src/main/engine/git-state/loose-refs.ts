/** Refs in files of their own, and in `packed-refs`. */
import { existsSync, opendirSync } from 'node:fs'
import { join } from 'node:path'
import { ifReadable } from '../files/fs-errors.ts'
import { readSmallFile } from '../files/read-small-file.ts'
import type { GitWork } from '../store/restore-git.ts'
import { fill, nameTaken, refused, removeGitFile, withLock, writeGitFile } from './git-files.ts'
import { parsePackedRefs, type Refs, STASH_LOG } from './parse-refs.ts'
import type { LiveRefs } from './ref-backend.ts'
import { isLogWritten, logBytes } from './stash-log.ts'
import { STATE_FILE_LIMIT } from './state-files.ts'

export function looseRefs(gitDir: string): LiveRefs {
  const stashLog = (): Buffer | null => readSmallFile(join(gitDir, STASH_LOG), STATE_FILE_LIMIT)
  return {
    read: (name) => readRef(gitDir, name),
    has: (name) => existsSync(join(gitDir, name)) || (readPackedFile(gitDir)?.includes(` ${name}\n`) ?? false),
    hasAny: () => hasFile(join(gitDir, 'refs')) || hasPacked(gitDir),
    stashLog,
    write: async (work) => writeRef(gitDir, work, stashLog)
  }
}

/** Reads entries until there is a file: a status asks this of each repository, and one may have 50,000 refs. */
function hasFile(folder: string): boolean {
  const entries = ifReadable(() => opendirSync(folder))
  if (!entries) return false
  try {
    for (let entry = entries.readSync(); entry; entry = entries.readSync())
      if (entry.isFile() || (entry.isDirectory() && hasFile(join(folder, entry.name)))) return true
    return false
  } finally {
    entries.closeSync()
  }
}

function hasPacked(gitDir: string): boolean {
  return /^(?:[0-9a-f]{40}|[0-9a-f]{64}) /m.test(readPackedFile(gitDir)?.toString('latin1') ?? '')
}

function readRef(gitDir: string, ref: string): string {
  const loose = readSmallFile(join(gitDir, ref), 8192)?.toString('utf8').trim()
  if (loose) return loose
  return readPacked(gitDir).get(ref) ?? ''
}

function writeRef(
  gitDir: string,
  { name, from, to, log }: Parameters<LiveRefs['write']>[0],
  stashLog: () => Buffer | null
): void {
  withLock(gitDir, name, (lock) => {
    if (readRef(gitDir, name) !== from)
      throw refused(`Git changed ${name} meanwhile, so it was not written. Restore again.`, { ref: name })
    if (from === '' && isTaken(name, readPacked(gitDir))) throw nameTaken(join(gitDir, name))
    if (log) writeLog(gitDir, name, log, stashLog())
    if (to !== '') {
      fill(lock, `${to}\n`)
      return true
    }
    // In this order, as git does: else the packed one would be in force for a moment.
    if (readPacked(gitDir).has(name)) unpackRef(gitDir, name)
    removeGitFile(join(gitDir, name))
    return false
  })
}

/** A branch `a` and a branch `a/b` cannot both exist. Where both are files, the disk sees to it. */
function isTaken(name: string, packed: Refs): boolean {
  return [...packed.keys()].some((ref) => ref.startsWith(`${name}/`) || name.startsWith(`${ref}/`))
}

/** While the ref is locked, which keeps git from writing either. */
function writeLog(gitDir: string, name: string, log: NonNullable<GitWork['log']>, now: Buffer | null): void {
  if (!isLogWritten(now, log, name)) writeGitFile(gitDir, STASH_LOG, logBytes(log.to))
}

/** A line that begins with ^ belongs to the ref above. */
function unpackRef(gitDir: string, ref: string): void {
  withLock(gitDir, 'packed-refs', (lock) => {
    const text = readPackedFile(gitDir)?.toString('latin1') ?? ''
    const name = Buffer.from(ref)
      .toString('latin1')
      .replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
    fill(lock, Buffer.from(text.replace(new RegExp(`^[0-9a-f]+ ${name}\\n(?:\\^.*\\n)?`, 'm'), ''), 'latin1'))
    return true
  })
}

function readPacked(gitDir: string): Refs {
  return parsePackedRefs(readPackedFile(gitDir) ?? Buffer.alloc(0))
}

/** Bytes: of more than two million refs. */
const PACKED_LIMIT = 2 ** 28

function readPackedFile(gitDir: string): Buffer | null {
  return readSmallFile(join(gitDir, 'packed-refs'), PACKED_LIMIT)
}
