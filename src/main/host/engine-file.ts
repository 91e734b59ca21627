/**
 * engine.json: how other processes of the same user find the running host. It contains the URL with its token, so its
 * mode is 0600.
 */
import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync
} from 'node:fs'
import { dirname, join } from 'node:path'
import type { RecorderKind } from '../../contract/recorder.ts'
import { whenFreeSync } from '../engine/files/in-use.ts'
import { isAlive } from '../engine/ports/processes.ts'
import { foreignAccess } from './data-dir.ts'

export interface EngineFile {
  readonly pid: number
  /** When that process started (ports/processes.ts); absent in files written by older versions. */
  readonly start?: string
  /** Address of the engine's socket; see `socketAddress`. */
  readonly socket: string
  /** What both sides of a named pipe prove to know (pipe-proof.ts); absent for other sockets. */
  readonly secret?: string
  /** URL for a browser, including the token. Only the headless host has one. */
  readonly url?: string
  /** Absent in files written by older versions. */
  readonly kind?: RecorderKind
  readonly version: string
  /** Milliseconds UTC. */
  readonly startedAt: number
}

/** Its name in the data folder. */
export const ENGINE_FILE = 'engine.json'
/** No link, and no waiting for the writer of a pipe. */
const READ_FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

/**
 * Replaces engine.json atomically. A symbolic link in its place is replaced, not followed. Windows replaces no file at the
 * moment in which another process reads it, and whoever waits for this one reads it often.
 */
export function writeEngineFile(dataDir: string, content: EngineFile): void {
  const draft = join(dataDir, `${ENGINE_FILE}.${process.pid}.tmp`)
  rmSync(draft, { force: true })
  writeFileSync(draft, `${JSON.stringify(content)}\n`, { flag: 'wx', mode: 0o600 })
  whenFreeSync(() => renameSync(draft, join(dataDir, ENGINE_FILE)))
}

/** The content of engine.json, or null. Its host may have crashed: only an answer on the socket proves that it runs. */
export function readEngineFile(dataDir: string): EngineFile | null {
  let descriptor: number
  try {
    descriptor = openSync(join(dataDir, ENGINE_FILE), READ_FLAGS)
  } catch {
    // Expected: ENOENT (no host yet), ELOOP (a symbolic link), EACCES (owned by another user).
    return null
  }
  try {
    const stats = fstatSync(descriptor)
    const isPrivate = process.getuid === undefined || (stats.uid === process.getuid() && (stats.mode & 0o077) === 0)
    if (!stats.isFile() || !isPrivate) return null
    const content = parseEngineFile(readFileSync(descriptor, 'utf8'))
    return content && isOwnAddress(content.socket, dataDir) ? content : null
  } finally {
    closeSync(descriptor)
  }
}

/**
 * engine.json of a host that may be connected to, or null. [PR-2] Once a host on Windows has ended, another user could
 * take the name of its pipe.
 */
export function findHost(dataDir: string, platform: string = process.platform): EngineFile | null {
  const file = readEngineFile(dataDir)
  const hasEnded = platform === 'win32' && file !== null && !isAlive({ pid: file.pid, start: file.start ?? '' })
  return hasEnded ? null : file
}

/**
 * [PR-2] A socket outside the data folder, whose path was too long, is in a private folder. If that was removed, another
 * user may have created it again and listen there.
 */
function isOwnAddress(socket: string, dataDir: string): boolean {
  if (process.platform === 'win32' || dirname(socket) === dataDir) return true
  const stats = statSync(dirname(socket), { throwIfNoEntry: false })
  return stats === undefined || foreignAccess(stats) === null
}

function parseEngineFile(text: string): EngineFile | null {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    // Expected: SyntaxError, when another program wrote the file.
    return null
  }
  if (typeof value !== 'object' || value === null) return null
  const { pid, start, socket, secret, url, kind, version, startedAt } = value as Record<string, unknown>
  if (typeof pid !== 'number' || typeof socket !== 'string') return null
  if (typeof version !== 'string' || typeof startedAt !== 'number') return null
  return {
    pid,
    socket,
    version,
    startedAt,
    ...(typeof start === 'string' ? { start } : {}),
    ...(typeof secret === 'string' ? { secret } : {}),
    ...(typeof url === 'string' ? { url } : {}),
    ...(kind === 'electron' || kind === 'server' || kind === 'background' ? { kind } : {})
  }
}

/** Removes engine.json if it names that process, by default this one. */
export function removeEngineFile(dataDir: string, pid = process.pid): void {
  if (readEngineFile(dataDir)?.pid === pid) rmSync(join(dataDir, ENGINE_FILE), { force: true })
}
