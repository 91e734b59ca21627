/** engine.json: how other processes of this person find the running host. Holds the URL with its token, so 0600. */
import { closeSync, constants, fstatSync, openSync, readFileSync, renameSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export interface EngineFile {
  readonly pid: number
  /** Address of the engine's socket; see `socketAddress`. */
  readonly socket: string
  /** Only the headless host has one: where the browser finds it, token included. */
  readonly url?: string
  /** Absent when an older Driftline wrote the file. */
  readonly kind?: 'electron' | 'server'
  readonly version: string
  /** Milliseconds UTC. */
  readonly startedAt: number
}

const NAME = 'engine.json'

/** Writes engine.json in one step: readers see the old or the new file, a link there is replaced and not followed. */
export function writeEngineFile(dataDir: string, content: EngineFile): void {
  const draft = join(dataDir, `${NAME}.${process.pid}.tmp`)
  removeIfThere(draft)
  writeFileSync(draft, `${JSON.stringify(content)}\n`, { flag: 'wx', mode: 0o600 })
  renameSync(draft, join(dataDir, NAME))
}

/** What the last host left there, or null. It may be dead: only an answer on its socket proves it is not. */
export function readEngineFile(dataDir: string): EngineFile | null {
  let descriptor: number
  try {
    descriptor = openSync(join(dataDir, NAME), constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0))
  } catch {
    // Expected: ENOENT (no host yet), ELOOP (a link: refused), EACCES (another person's).
    return null
  }
  try {
    const found = fstatSync(descriptor)
    const ours = process.getuid === undefined || (found.uid === process.getuid() && (found.mode & 0o077) === 0)
    if (!found.isFile() || !ours) return null
    return parseEngineFile(readFileSync(descriptor, 'utf8'))
  } finally {
    closeSync(descriptor)
  }
}

function parseEngineFile(text: string): EngineFile | null {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    // Expected: SyntaxError, when something else wrote the file.
    return null
  }
  if (typeof value !== 'object' || value === null) return null
  const { pid, socket, url, kind, version, startedAt } = value as Record<string, unknown>
  if (typeof pid !== 'number' || typeof socket !== 'string') return null
  if (typeof version !== 'string' || typeof startedAt !== 'number') return null
  return {
    pid,
    socket,
    version,
    startedAt,
    ...(typeof url === 'string' ? { url } : {}),
    ...(kind === 'electron' || kind === 'server' ? { kind } : {})
  }
}

/** Removes engine.json if it is this process's. */
export function removeEngineFile(dataDir: string): void {
  if (readEngineFile(dataDir)?.pid === process.pid) removeIfThere(join(dataDir, NAME))
}

function removeIfThere(file: string): void {
  try {
    unlinkSync(file)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
  }
}
