/**
 * The hosts that a person added: one file each in the data folder, so that two commands never overwrite each other's. A
 * file names a program that is started, so only its owner may have written it; the data folder is checked for that.
 */
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DriftlineError } from '../../contract/errors.ts'
import type { Workspace } from '../../contract/workspace.ts'
import { ensureDataDir } from '../host/data-dir.ts'

export interface RemoteHost {
  readonly name: string
  /** The words that end in a shell there, as they were given. Never a line for a shell of this computer. */
  readonly command: readonly string[]
  /** The build that was installed there from here; "" for a Driftline of its own. */
  readonly build: string
  /** Of the Driftline there, when it was last reached. */
  readonly version: string
  /** Whether the last attempt reached it. */
  readonly state: 'reached' | 'out-of-reach'
  /** Milliseconds UTC. */
  readonly lastSeenAt: number
  /** Its recorded folders, when they were last listed. */
  readonly workspaces: readonly Pick<Workspace, 'id' | 'root'>[]
}

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/

/** Fails with Usage. */
export function checkHostName(name: string): void {
  if (!NAME.test(name))
    throw new DriftlineError(
      'Usage',
      `"${name}" cannot be the name of a host. Take up to 63 letters, digits, dots, hyphens and underscores, and begin with a letter or digit.`
    )
}

const folderOf = (dataDir: string): string => join(dataDir, 'hosts')
const fileOf = (dataDir: string, name: string): string => join(folderOf(dataDir), `${name}.json`)
/** What was last shown of the host, for when it is out of reach (shown-cache.ts). */
export const shownFileOf = (dataDir: string, name: string): string => join(folderOf(dataDir), `${name}.shown`)

/** Their names, sorted. */
export function hostNames(dataDir: string): readonly string[] {
  if (!statSync(folderOf(dataDir), { throwIfNoEntry: false })) return []
  ensureDataDir(dataDir)
  return readdirSync(folderOf(dataDir))
    .filter((name) => name.endsWith('.json'))
    .map((name) => name.slice(0, -'.json'.length))
    .filter((name) => NAME.test(name))
    .sort()
}

/** When a host was last added, changed or removed, ms UTC; 0 without any. */
export function hostsChangedAt(dataDir: string): number {
  return statSync(folderOf(dataDir), { throwIfNoEntry: false })?.mtimeMs ?? 0
}

/** By name. Fails with StoreDamaged. */
export function listHosts(dataDir: string): readonly RemoteHost[] {
  return hostNames(dataDir).map((name) => readHost(dataDir, name))
}

/** Null without such a host. */
export function findHostNamed(dataDir: string, name: string): RemoteHost | null {
  checkHostName(name)
  if (!isHost(dataDir, name)) return null
  ensureDataDir(dataDir)
  return readHost(dataDir, name)
}

/** Fails with UnknownTarget. */
export function hostNamed(dataDir: string, name: string): RemoteHost {
  const host = findHostNamed(dataDir, name)
  if (host) return host
  throw new DriftlineError(
    'UnknownTarget',
    `There is no host "${name}". \`driftline hosts\` lists them; \`driftline hosts add ${name} -- ssh ${name}\` adds one.`,
    { host: name }
  )
}

function readHost(dataDir: string, name: string): RemoteHost {
  const file = fileOf(dataDir, name)
  try {
    const { command, ...rest } = JSON.parse(readFileSync(file, 'utf8')) as RemoteHost
    if (!Array.isArray(command) || command.length === 0 || !command.every((word) => typeof word === 'string'))
      throw new Error('it names no command')
    const unseen = { build: '', version: '', state: 'out-of-reach', lastSeenAt: 0, workspaces: [] } as const
    return { ...unseen, ...rest, name, command }
  } catch (error) {
    throw new DriftlineError(
      'StoreDamaged',
      `${file} cannot be read (${(error as Error).message}). Nothing was started. Delete it and add the host again.`,
      { host: name }
    )
  }
}

/** Adds the host, or replaces what is known of it. */
export function saveHost(dataDir: string, { name, ...content }: RemoteHost): void {
  ensureDataDir(dataDir)
  mkdirSync(folderOf(dataDir), { recursive: true, mode: 0o700 })
  const draft = `${fileOf(dataDir, name)}.${process.pid}.tmp`
  writeFileSync(draft, `${JSON.stringify(content)}\n`, { mode: 0o600 })
  renameSync(draft, fileOf(dataDir, name))
}

export function isHost(dataDir: string, name: string): boolean {
  return statSync(fileOf(dataDir, name), { throwIfNoEntry: false }) !== undefined
}

/** As saveHost, unless the host was removed meanwhile. */
export function updateHost(dataDir: string, host: RemoteHost): void {
  if (isHost(dataDir, host.name)) saveHost(dataDir, host)
}

/** Removes the host from this computer, with what was shown of it; nothing changes there. */
export function removeHost(dataDir: string, name: string): void {
  rmSync(fileOf(dataDir, name))
  rmSync(shownFileOf(dataDir, name), { force: true })
}
