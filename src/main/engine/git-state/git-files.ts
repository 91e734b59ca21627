/** Writes files of a repository as git does: a lock beside the file, which is then renamed over it. */
import {
  closeSync,
  existsSync,
  fchmodSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  rmdirSync,
  symlinkSync,
  writeSync
} from 'node:fs'
import { dirname, join } from 'node:path'
import { DriftlineError } from '../../../contract/errors.ts'
import { errorCode, ignoreFsErrors } from '../files/fs-errors.ts'
import { whenFreeSync } from '../files/in-use.ts'
import { foldersAbove } from '../files/paths.ts'
import { renameOver } from '../files/read-only.ts'
import { readSmallFile } from '../files/read-small-file.ts'
import { removeFile } from '../files/remove.ts'
import type { Clock } from '../ports/clock.ts'
import { LINK_MODE } from './link-files.ts'
import { isOtherName, onDisk } from './names-on-disk.ts'

const LOCK_TRIES = 100
const LOCK_MS = 50

/** Resolves once no git command holds the lock of a file. Throws Refused if one still does after five seconds. */
export async function waitForLock(lock: string, clock: Clock): Promise<void> {
  for (let tries = 0; existsSync(lock); tries++) {
    if (tries === LOCK_TRIES) throw locked(lock)
    await new Promise<void>((resolve) => clock.setTimeout(resolve, LOCK_MS))
  }
}

/** Length of the object ids of the repository, bytes. */
export function idBytesOf(gitDir: string): 20 | 32 {
  return idBytesIn(readSmallFile(join(gitDir, 'config'), 2 ** 20)?.toString('utf8') ?? '')
}

/** The same by the text of its config. */
export function idBytesIn(config: string): 20 | 32 {
  return /^\s*objectformat\s*=\s*sha256\s*$/im.test(config) ? 32 : 20
}

/** Replaces a file of the repository; null deletes it. `mode`: else that of a file that git writes; LINK_MODE makes a link. */
export function writeGitFile(gitDir: string, path: string, bytes: Uint8Array | null, mode?: number): void {
  if (bytes !== null && mode === LINK_MODE) {
    placeLink(gitDir, path, bytes)
    return
  }
  withLock(gitDir, path, (lock) => {
    if (bytes === null) removeGitFile(join(gitDir, path))
    else fill(lock, bytes)
    if (mode !== undefined) fchmodSync(lock, mode)
    return bytes !== null
  })
}

/** Made beside its place first, as a file is. */
function placeLink(gitDir: string, path: string, target: Uint8Array): void {
  checkInside(gitDir, path)
  const file = join(gitDir, path)
  const lock = `${file}.lock`
  mkdirSync(dirname(file), { recursive: true })
  try {
    symlinkSync(Buffer.from(target), lock)
  } catch (error) {
    if (errorCode(error) === 'EEXIST') throw locked(lock)
    throw error
  }
  placeLock(lock, file)
}

/** `write` says whether the lock becomes the file. Throws Refused if git holds it. */
export function withLock(gitDir: string, path: string, write: (lock: number) => boolean): void {
  checkInside(gitDir, path)
  const file = join(gitDir, path)
  const lock = `${file}.lock`
  let descriptor: number
  try {
    mkdirSync(dirname(file), { recursive: true })
    descriptor = openSync(lock, 'wx', 0o666)
  } catch (error) {
    if (errorCode(error) === 'EEXIST' && existsSync(lock)) throw locked(lock)
    // A branch `a` and a branch `a/b` cannot both exist.
    if (['EEXIST', 'ENOTDIR', 'EISDIR'].includes(errorCode(error))) throw nameTaken(file)
    throw error
  }
  let isWritten = false
  try {
    isWritten = write(descriptor)
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
    if (!isWritten) removeGitFile(lock)
  }
  if (isWritten) placeLock(lock, file)
}

/** A lock that stayed would keep git from ever writing the file. */
function placeLock(lock: string, file: string): void {
  try {
    removeEmptyFolders(file)
    if (lstatSync(file, { throwIfNoEntry: false })?.isDirectory()) throw nameTaken(file)
    whenFreeSync(() => renameOver(lock, file))
  } catch (error) {
    removeGitFile(lock)
    throw error
  }
}

/** Also one that is in use for a moment. */
export function removeGitFile(file: string): void {
  whenFreeSync(() => removeFile(file))
}

/** Git leaves the folders of branches that it deleted: `a/` of `a/b`, where a branch `a` is to be. */
export function removeEmptyFolders(file: string): void {
  if (!lstatSync(file, { throwIfNoEntry: false })?.isDirectory()) return
  for (const name of readdirSync(file)) removeEmptyFolders(join(file, name))
  ignoreFsErrors(() => rmdirSync(file))
}

export function fill(descriptor: number, content: string | Uint8Array): void {
  const bytes = Buffer.from(content)
  for (let at = 0; at < bytes.length; ) at += writeSync(descriptor, bytes, at)
}

export function nameTaken(file: string): DriftlineError {
  return refused(
    `Git cannot have this name beside another one: ${file}. It was not written. Rename the other one, or use --as with another name.`,
    { file }
  )
}

export function locked(lock: string): DriftlineError {
  return refused(
    `A git command is at work: it holds ${lock}. Git’s state was not written. Try again when it has ended. If no git command is running, one that was killed left this file: delete it.`,
    {
      lock
    }
  )
}

/** Whether git held the lock of what was to be written. */
export function isLocked(error: unknown): boolean {
  return error instanceof DriftlineError && error.data.lock !== undefined
}

/** An error of a restore that wrote nothing. */
export function refused(message: string, data: Readonly<Record<string, unknown>> = {}): DriftlineError {
  return new DriftlineError('Refused', message, data)
}

function outside(path: string): DriftlineError {
  return refused(`${path} leads out of the repository, so it was not written.`, { path })
}

/** [CP-4] Throws Refused for a path that leads out of the repository, by `..` or through a link. */
export function checkInside(gitDir: string, path: string): void {
  const parts = path.split('/')
  const isPlain = parts.every(
    (part) => isOtherName(part) || (part !== '' && part !== '.' && part !== '..' && !/[\\:\0]/.test(part))
  )
  if (!isPlain) throw outside(path)
  for (const folder of foldersAbove(path)) {
    const stats = lstatSync(onDisk(gitDir, folder), { throwIfNoEntry: false })
    if (!stats) return
    if (stats.isFile()) throw nameTaken(join(gitDir, path))
    if (!stats.isDirectory()) throw outside(path)
  }
}
