/**
 * Reads and writes settings files of other programs: atomically, with a backup beside the file, keeping mode and
 * owner, and through links.
 */
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
  type Stats,
  writeFileSync
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { DriftlineError } from '../../../../contract/errors.ts'
import { errorCode, ifExists, isNotFound } from '../../files/fs-errors.ts'
import { whenFreeSync } from '../../files/in-use.ts'
import { renameOver, unlinkAny } from '../../files/read-only.ts'
import { removeFile } from '../../files/remove.ts'

const BACKUP = '.driftline-backup-'

/**
 * The file's text; null when it does not exist. Throws Refused when it cannot be read, or is not UTF-8 and so would
 * not be written back unchanged.
 */
export function readSettings(file: string): string | null {
  let reason = 'it is not UTF-8 text'
  try {
    const bytes = whenFreeSync(() => readFileSync(file))
    if (isUtf8(bytes)) return bytes.toString('utf8')
  } catch (error) {
    if (isNotFound(error)) return null
    reason = errorCode(error)
    if (reason === '') throw error
  }
  throw refused(file, `cannot be read (${reason})`, 'Fix it and try again.')
}

export function refused(file: string, problem: string, advice: string): DriftlineError {
  return new DriftlineError('Refused', `${file} ${problem}. Nothing was changed. ${advice}`, { file })
}

/** A settings file that cannot be parsed. The message completes "line 3: ". */
export class SettingsSyntaxError extends Error {
  /** From 1. */
  readonly line: number
  constructor(line: number, message: string) {
    super(message)
    this.line = line
  }
}

/** The text of a file; null when it does not exist. */
export function readTextIfExists(file: string): string | null {
  return ifExists(() => whenFreeSync(() => readFileSync(file, 'utf8')))
}

/**
 * Writes `text`, or deletes the file for null. `mode`: of a new file; `copies`: whether to back up the old content
 * first. Returns the path of the backup; null when there is none.
 */
export function writeSettings(
  file: string,
  text: string | null,
  stamp: number,
  { mode = 0o600, copies = true }: { readonly mode?: number; readonly copies?: boolean } = {}
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
  if (text === null) ifExists(() => whenFreeSync(() => unlinkAny(real)))
  else {
    mkdirSync(dirname(real), { recursive: true })
    writeAtomically(real, text, stats ? stats.mode & 0o7777 : mode, stats)
  }
  return backup
}

/** Backups made earlier, newest first. */
export function listBackups(file: string): string[] {
  const real = realOf(file)
  const prefix = basename(real) + BACKUP
  return (ifExists(() => readdirSync(dirname(real))) ?? [])
    .filter((name) => name.startsWith(prefix))
    .sort((a, b) => Number(b.slice(prefix.length)) - Number(a.slice(prefix.length)))
    .map((name) => join(dirname(real), name))
}

/** Writes to a temporary file and renames it. `like`: the file whose owner and group are kept. */
function writeAtomically(file: string, text: string, mode: number, like: Stats | null): void {
  const draft = `${file}.driftline-${process.pid}.tmp`
  removeFile(draft)
  const descriptor = openSync(draft, 'wx', 0o600)
  try {
    writeFileSync(descriptor, text)
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
  if (like && (process.getuid?.() === 0 || like.gid !== process.getgid?.())) chownIfAllowed(draft, like)
  chmodSync(draft, mode)
  whenFreeSync(() => renameOver(draft, file))
}

function chownIfAllowed(file: string, like: Stats): void {
  try {
    chownSync(file, like.uid, like.gid)
  } catch (error) {
    // EPERM: a group the user is not a member of. The owner is the user already.
    if (errorCode(error) !== 'EPERM') throw error
  }
}

/** Settings are often links into a dotfiles folder: the target is changed, the link stays. */
function realOf(file: string): string {
  return ifExists(() => realpathSync.native(file)) ?? file
}
