/**
 * [Security] Access to an agent's own files. Payloads name paths, and a project could name any file: only regular
 * files of this user below the agent's own folder are opened, and never through symbolic links.
 */
import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, realpathSync } from 'node:fs'
import { isAbsolute, join, relative, sep } from 'node:path'
import { isNotFound, isUnreadable } from '../files/fs-errors.ts'

/** Default folder of each agent, below the home folder. opencode is absent: it keeps no files we read. */
const FOLDERS: Readonly<Record<string, string>> = {
  'claude-code': '.claude',
  codex: '.codex',
  'gemini-cli': '.gemini',
  'qwen-code': '.qwen',
  cline: '.cline'
}

/**
 * The folder an agent keeps its files in; null for agents without one. `agentHome` is the folder the agent itself
 * reports.
 */
export function agentFolder(root: string, agent: string, home: string, agentHome: string | null): string | null {
  const name = FOLDERS[agent]
  if (!name) return null
  // [Security] A workspace must not be able to name a folder of its own.
  if (agentHome && isAbsolute(agentHome) && isOutside(root, agentHome)) return agentHome
  return join(home, name)
}

/** The file that holds a session's messages; null when it is not known. */
export function transcriptFile(
  session: { readonly id: string; readonly agent: string; readonly transcript: string | null },
  folder: string
): string | null {
  if (session.transcript) return session.transcript
  return session.agent === 'cline' ? join(folder, 'data', 'sessions', session.id, `${session.id}.messages.json`) : null
}

/**
 * Opens a file for reading and returns its descriptor, which the caller closes. Null for anything that is not a
 * regular file of this user below `folder`. O_NOFOLLOW and O_NONBLOCK cover a link or FIFO that replaces the file
 * after the check.
 */
export function openOwnedFile(folder: string, file: string): number | null {
  if (!isAbsolute(file) || isOutside(folder, file)) return null
  let descriptor: number | null = null
  try {
    if (realpathSync.native(file) !== join(realpathSync.native(folder), relative(folder, file))) return null
    descriptor = openSync(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0))
    const stats = fstatSync(descriptor)
    if (stats.isFile() && isOwnedByUser(stats.uid)) return descriptor
    closeSync(descriptor)
    return null
  } catch (error) {
    if (isNotFound(error) || isUnreadable(error)) return null
    throw error
  }
}

/** Whether `path` is `folder` or a real directory of this user below it, reached without symbolic links. */
export function isOwnedFolder(folder: string, path: string): boolean {
  if (!isAbsolute(path) || (path !== folder && isOutside(folder, path))) return false
  try {
    if (realpathSync.native(path) !== join(realpathSync.native(folder), relative(folder, path))) return false
    const stats = lstatSync(path)
    return stats.isDirectory() && isOwnedByUser(stats.uid)
  } catch (error) {
    if (isNotFound(error) || isUnreadable(error)) return false
    throw error
  }
}

/** Reads `length` bytes at offset `from`; fewer at the end of the file. */
export function readSlice(descriptor: number, from: number, length: number): Buffer {
  const bytes = Buffer.alloc(length)
  let done = 0
  while (done < length) {
    const count = readSync(descriptor, bytes, done, length - done, from + done)
    if (count === 0) break
    done += count
  }
  return bytes.subarray(0, done)
}

function isOwnedByUser(uid: number): boolean {
  return process.getuid === undefined || uid === process.getuid()
}

function isOutside(folder: string, path: string): boolean {
  const inside = relative(folder, path)
  return inside === '' || inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside)
}
