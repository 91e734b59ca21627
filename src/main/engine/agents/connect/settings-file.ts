/** Reads and writes a file of somebody else's: a copy of the old one beside it first, mode and owner kept, in one step, through links. */
import { isUtf8 } from 'node:buffer'
import {
  chmodSync,
  chownSync,
  closeSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  writeFileSync
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { DriftlineError } from '../../../../contract/errors.ts'
import { errorCode, isNotFound } from '../../ports/fs-errors.ts'
import { readTextIfExists } from './launcher.ts'

const BACKUP = '.driftline-backup-'

/** The file's text, null when there is none. Fails with Refused for what would come back as other bytes, or cannot be read. */
export function readSettings(file: string): string | null {
  let why = 'it is not UTF-8 text'
  try {
    const bytes = readFileSync(file)
    if (isUtf8(bytes)) return bytes.toString('utf8')
  } catch (error) {
    if (isNotFound(error)) return null
    why = errorCode(error)
    if (why === '') throw error
  }
  throw new DriftlineError('Refused', `${file} cannot be read (${why}). Nothing was changed; mend it and try again.`, {
    file
  })
}

export interface WriteOptions {
  /** Mode of a file that is new. */
  readonly mode?: number
  /** Whether what was there is copied beside it first. */
  readonly copies?: boolean
}

/** Writes `text`, or removes the file for null. Returns where the old content was copied to, null when it was not. */
export function writeSettings(
  file: string,
  text: string | null,
  stamp: number,
  { mode = 0o600, copies = true }: WriteOptions = {}
): string | null {
  const real = realOf(file)
  const before = readTextIfExists(real)
  if (before === text) return null
  let backup: string | null = null
  const stats = before === null ? null : lstatSync(real)
  if (copies && before !== null && stats) {
    backup = `${real}${BACKUP}${stamp}`
    writeAtomically(backup, before, stats.mode & 0o7777, stats)
  }
  if (text === null) rmSync(real, { force: true })
  else {
    mkdirSync(dirname(real), { recursive: true })
    writeAtomically(real, text, stats ? stats.mode & 0o7777 : mode, stats)
  }
  return backup
}

/** Copies made before, newest first. */
export function listBackups(file: string): string[] {
  const real = realOf(file)
  const prefix = basename(real) + BACKUP
  try {
    return readdirSync(dirname(real))
      .filter((name) => name.startsWith(prefix))
      .sort((a, b) => Number(b.slice(prefix.length)) - Number(a.slice(prefix.length)))
      .map((name) => join(dirname(real), name))
  } catch (error) {
    if (isNotFound(error)) return []
    throw error
  }
}

function writeAtomically(file: string, text: string, mode: number, like: Stats | null): void {
  const draft = `${file}.driftline-${process.pid}.tmp`
  rmSync(draft, { force: true })
  const descriptor = openSync(draft, 'wx', 0o600)
  try {
    writeFileSync(descriptor, text)
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
  if (like && (process.getuid?.() === 0 || like.gid !== process.getgid?.())) chownIfAllowed(draft, like)
  chmodSync(draft, mode)
  renameSync(draft, file)
}

function chownIfAllowed(file: string, like: Stats): void {
  try {
    chownSync(file, like.uid, like.gid)
  } catch (error) {
    // EPERM: a group this person is not in; the owner is theirs already.
    if (!(error instanceof Error && 'code' in error && error.code === 'EPERM')) throw error
  }
}

/** Settings are often links into a folder of dotfiles: the file itself is changed, the link stays. */
function realOf(file: string): string {
  try {
    return realpathSync.native(file)
  } catch (error) {
    if (isNotFound(error)) return file
    throw error
  }
}
