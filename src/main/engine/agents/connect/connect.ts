/**
 * Connects and disconnects agents by editing their settings. Every change can be previewed as a diff, is applied with
 * a backup of the old file, and is undone exactly.
 */
import { existsSync, lstatSync, readdirSync, rmdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createTwoFilesPatch } from 'diff'
import type { AgentChange, AgentNote } from '../../../../contract/agents.ts'
import { DriftlineError } from '../../../../contract/errors.ts'
import { errorCode, ifReadable, isNotFound, isUnreadable } from '../../files/fs-errors.ts'
import { AGENTS, type AgentId, isAgent } from '../agent-action.ts'
import { writeLauncher } from './launcher.ts'
import { MCP_REGISTRATIONS } from './mcp-registrations.ts'
import { ForeignFile, type ManagedFile, type Places, REGISTRATIONS } from './registrations.ts'
import {
  listBackups,
  readSettings,
  readTextIfExists,
  refused,
  SettingsSyntaxError,
  writeSettings
} from './settings-file.ts'

export interface ConnectContext extends Places {
  /** Path of the command line's program. */
  readonly cli: string
  readonly now: number
  readonly createdFiles: CreatedFiles
}

/** The agent of that name. Throws Usage for an unknown one. */
export function parseAgent(name: string): AgentId {
  if (isAgent(name)) return name
  throw new DriftlineError('Usage', `Unknown agent "${name}". Known agents: ${AGENTS.join(', ')}.`, { agent: name })
}

/** What `connect` adds to an agent's settings: hooks that report its work, or our file tools as an MCP server. */
export type Integration = 'hooks' | 'mcp'

export function connect(
  agent: AgentId,
  places: ConnectContext,
  dryRun: boolean,
  integration: Integration = 'hooks'
): AgentChange {
  const { files, notes } = managedFiles(agent, places, integration)
  const change = apply(agent, places, files, dryRun, (managed, before) => managed.connect(before))
  if (!dryRun) writeLauncher(places.dataDir, places.cli)
  return { ...change, notes }
}

export function disconnect(
  agent: AgentId,
  places: ConnectContext,
  dryRun: boolean,
  integration: Integration = 'hooks'
): AgentChange {
  // Nothing to remove: this agent cannot be connected over MCP.
  const isPossible = integration === 'hooks' || MCP_REGISTRATIONS[agent]
  const files = isPossible ? managedFiles(agent, places, integration).files : []
  return apply(agent, places, files, dryRun, (managed, before) => withoutOurs(managed, before, places.createdFiles))
}

function managedFiles(
  agent: AgentId,
  places: ConnectContext,
  integration: Integration
): { readonly files: readonly ManagedFile[]; readonly notes: readonly AgentNote[] } {
  if (integration === 'hooks') return { files: REGISTRATIONS[agent].files(places), notes: REGISTRATIONS[agent].notes }
  const registration = MCP_REGISTRATIONS[agent]
  if (!registration)
    throw new DriftlineError(
      'Refused',
      `Driftline cannot add MCP servers to ${agent}. Nothing was changed. Add "driftline mcp" as a stdio server in the agent's own settings.`,
      { agent }
    )
  return { files: [registration.file(places)], notes: registration.notes }
}

/** Everything we add to that file: hooks, tools, or both. */
function integrationsIn(file: string, agent: AgentId, places: Places): ManagedFile[] {
  const tools = MCP_REGISTRATIONS[agent]?.file(places)
  return [...REGISTRATIONS[agent].files(places), ...(tools ? [tools] : [])].filter((managed) => managed.file === file)
}

/** The file as it was before connecting if it has not been changed since; else only without our entries. */
function withoutOurs(managed: ManagedFile, before: string | null, created: CreatedFiles): string | null {
  const rest = managed.disconnect(before)
  if (before === null || rest === before) return rest
  if (isEmptySettings(rest) && wasCreated(created, managed.file)) return null
  for (const backup of listBackups(managed.file)) {
    const old = readTextIfExists(backup)
    if (old !== null && managed.countFound(old) === 0 && reproduces(managed, old, before)) return old
  }
  return rest
}

function reproduces(managed: ManagedFile, old: string, now: string): boolean {
  try {
    return managed.connect(old) === now
  } catch (error) {
    if (error instanceof SettingsSyntaxError || error instanceof TypeError || error instanceof ForeignFile) return false
    throw error
  }
}

interface Change {
  readonly managed: ManagedFile
  /** Everything we add to that file. */
  readonly integrations: readonly ManagedFile[]
  readonly before: string | null
  readonly after: string | null
  /** Whether the old content is backed up; not needed when connecting would write the same content again. */
  readonly copies: boolean
}

function apply(
  agent: AgentId,
  places: ConnectContext,
  files: readonly ManagedFile[],
  dryRun: boolean,
  next: (managed: ManagedFile, before: string | null) => string | null
): AgentChange {
  // Compute every file before writing the first: an error must leave all of them unchanged.
  const changed = files
    .map((managed): Change => {
      const integrations = integrationsIn(managed.file, agent, places)
      const before = readSettings(managed.file)
      const after = withClearErrors(managed, () => next(managed, before))
      return { managed, integrations, before, after, copies: before !== null && !isEntirelyOurs(integrations, before) }
    })
    .filter(({ before, after }) => before !== after)
  const deleted = changed.filter(({ after }) => after === null)
  const emptied = findEmptiedFolders(
    places.createdFiles,
    deleted.filter(({ copies }) => !copies).map(({ managed }) => managed.file)
  )
  const backups = dryRun ? [] : changed.map((change) => writeChange(change, places))
  if (!dryRun) removeFolders(places.createdFiles, emptied)
  return {
    agent,
    scope: places.project ? 'project' : 'user',
    file: files[0]?.file ?? '',
    change: changed.map(({ managed, before, after }) => patchOf(managed.file, before, after)).join(''),
    removed: [...deleted.map(({ managed }) => managed.file), ...emptied],
    backup: backups.find((backup) => backup !== null) ?? null,
    applied: !dryRun && changed.length > 0,
    notes: []
  }
}

function writeChange({ managed, before, after, integrations, copies }: Change, { createdFiles, now }: ConnectContext) {
  if (before === null) addMissingParents(createdFiles, managed.file)
  else if (integrations.every((integration) => integration.disconnect(before) === before))
    createdFiles.delete(managed.file)
  const backup = writeSettings(managed.file, after, now, { mode: managed.mode, copies })
  if (after === null) createdFiles.delete(managed.file)
  return backup
}

function patchOf(file: string, before: string | null, after: string | null): string {
  const [oldName, newName] = [before, after].map((text) => (text === null ? '/dev/null' : file))
  return createTwoFilesPatch(oldName ?? '', newName ?? '', before ?? '', after ?? '', undefined, undefined, {
    context: 3
  })
}

/** Runs `work`, which throws what the file's registration throws, and explains its errors. */
function withClearErrors<T>({ file }: ManagedFile, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (error instanceof ForeignFile)
      throw refused(file, 'exists and was not written by Driftline', 'Call Driftline from it, or move it away.')
    if (!(error instanceof SettingsSyntaxError || error instanceof TypeError)) throw error
    const line = error instanceof SettingsSyntaxError ? `line ${error.line}: ` : ''
    throw refused(file, `could not be parsed (${line}${error.message})`, 'Fix it and try again.')
  }
}

/**
 * Paths of files and folders that `connect` created, stored across processes. `disconnect` deletes them again, unless
 * they hold anything else by then.
 */
interface CreatedFiles {
  has(path: string): boolean
  add(path: string): unknown
  delete(path: string): unknown
}

/** Adds `file` and its missing parents. Call before `file` is written for the first time. */
function addMissingParents(created: CreatedFiles, file: string): void {
  for (let path = file; !existsSync(path); path = dirname(path)) created.add(path)
}

/** Whether we created the file. One that has been replaced by a link since belongs to the user. */
function wasCreated(created: CreatedFiles, file: string): boolean {
  return created.has(file) && !lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink()
}

/** Whether settings are empty. A comment counts as content. */
function isEmptySettings(text: string | null): boolean {
  return text === null || /^\s*(\{\s*\})?\s*$/.test(text)
}

/**
 * Whether every byte of `text` is what `connect` writes into a new file. `integrations`: everything we add to that
 * file, in any order of connecting.
 */
function isEntirelyOurs(integrations: readonly ManagedFile[], text: string): boolean {
  return integrations.some((integration) => {
    const rest = integration.disconnect(text)
    if (rest === text) return false
    const before = rest === null || isEmptySettings(rest) ? null : rest
    return integration.connect(before) === text && (before === null || isEntirelyOurs(integrations, before))
  })
}

/** Folders that `connect` created and that hold nothing but these files, inner ones first. */
function findEmptiedFolders(created: CreatedFiles, files: readonly string[]): string[] {
  const removed = new Set(files)
  for (const file of files) {
    let folder = dirname(file)
    while (
      created.has(folder) &&
      ifReadable(() => readdirSync(folder))?.every((name) => removed.has(join(folder, name)))
    ) {
      removed.add(folder)
      folder = dirname(folder)
    }
  }
  return [...removed].slice(files.length)
}

/** Removes these folders; one that is no longer empty stays. */
function removeFolders(created: CreatedFiles, folders: readonly string[]): void {
  for (const folder of folders) {
    try {
      rmdirSync(folder)
      created.delete(folder)
    } catch (error) {
      if (!isNotFound(error) && !isUnreadable(error) && !['ENOTEMPTY', 'EEXIST'].includes(errorCode(error))) throw error
    }
  }
}
