/** [Security] An agent's own files: which folder is its, and opening what lies below it: regular files of this person, never through links. */
import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, realpathSync } from 'node:fs'
import { isAbsolute, join, relative, sep } from 'node:path'
import { isNotFound, isUnreadable } from '../ports/fs-errors.ts'

/** Folders below which each agent keeps its files. */
const FOLDERS: Readonly<Record<string, string>> = {
  'claude-code': '.claude',
  codex: '.codex',
  'gemini-cli': '.gemini',
  'qwen-code': '.qwen',
  cline: '.cline'
}

/** The agent's folder; `agentHome` is where the agent says it is. Null for agents without one. */
export function agentFolder(root: string, agent: string, home: string, agentHome: string | null): string | null {
  const usual = FOLDERS[agent]
  if (!usual) return null
  // A project must not be able to name a folder of its own.
  if (agentHome && isAbsolute(agentHome) && isOutside(root, agentHome)) return agentHome
  return join(home, usual)
}

/** Where a session's words are; null when that cannot be told. */
export function transcriptFile(
  session: { readonly id: string; readonly agent: string; readonly transcript: string | null },
  folder: string
): string | null {
  if (session.transcript) return session.transcript
  return session.agent === 'cline' ? join(folder, 'data', 'sessions', session.id, `${session.id}.messages.json`) : null
}

/** A descriptor to read with; null for anything that is not this person's regular file below the folder. */
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

/** Whether a folder is a real one of this person, the agent's own or below it, with no link on the way. */
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

/** Bytes of an open file; fewer when it ends before. */
export function readSlice(descriptor: number, from: number, length: number): Buffer {
  const bytes = Buffer.alloc(length)
  let got = 0
  while (got < length) {
    const more = readSync(descriptor, bytes, got, length - got, from + got)
    if (more === 0) break
    got += more
  }
  return bytes.subarray(0, got)
}

function isOwnedByUser(uid: number): boolean {
  return process.getuid === undefined || uid === process.getuid()
}

function isOutside(folder: string, path: string): boolean {
  const way = relative(folder, path)
  return way === '' || way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way)
}
