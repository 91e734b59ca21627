/** Connecting and disconnecting agents: shown as a diff first, applied with a copy of what was there, taken back exactly. */
import { createTwoFilesPatch } from 'diff'
import type { AgentChange } from '../../../../contract/agents.ts'
import { DriftlineError } from '../../../../contract/errors.ts'
import { AGENTS, type AgentId, isAgent } from '../event.ts'
import { lineOf, NotJson } from './json-spans.ts'
import { readIfThere, writeLauncher } from './launcher.ts'
import { ForeignFile, type ManagedFile, type Places, REGISTRATIONS } from './registrations.ts'
import { backupsOf, changeFile } from './settings-file.ts'

export interface Connecting extends Places {
  /** The command line's program. */
  readonly cli: string
  readonly now: number
}

/** The agent of that name. Fails with Usage. */
export function agentOf(name: string): AgentId {
  if (isAgent(name)) return name
  throw new DriftlineError('Usage', `"${name}" is no agent Driftline knows: ${AGENTS.join(', ')}.`, { agent: name })
}

export function connect(agent: AgentId, places: Connecting, dryRun: boolean): AgentChange {
  const change = apply(agent, places, dryRun, (managed, before) => understood(managed, () => managed.connected(before)))
  if (!dryRun) writeLauncher(places.dataDir, places.cli)
  return { ...change, note: REGISTRATIONS[agent].note }
}

export function disconnect(agent: AgentId, places: Connecting, dryRun: boolean): AgentChange {
  return apply(agent, places, dryRun, (managed, before) => understood(managed, () => withoutOurs(managed, before)))
}

/** As it was before connecting when nobody has changed it since; else only our entries go. */
function withoutOurs(managed: ManagedFile, before: string | null): string | null {
  if (before === null || managed.found(before) === 0) return managed.disconnected(before)
  for (const backup of backupsOf(managed.file)) {
    const old = readIfThere(backup)
    if (old !== null && managed.found(old) === 0 && isSame(managed, old, before)) return old
  }
  return isSame(managed, null, before) ? null : managed.disconnected(before)
}

function isSame(managed: ManagedFile, old: string | null, now: string): boolean {
  try {
    return managed.connected(old) === now
  } catch (error) {
    if (error instanceof NotJson || error instanceof TypeError || error instanceof ForeignFile) return false
    throw error
  }
}

function apply(
  agent: AgentId,
  places: Connecting,
  dryRun: boolean,
  next: (managed: ManagedFile, before: string | null) => string | null
): AgentChange {
  const files = REGISTRATIONS[agent].files(places)
  // Every file is worked out before the first is written.
  const changes = files.map((managed) => {
    const before = readIfThere(managed.file)
    return { managed, before, after: next(managed, before) }
  })
  const changed = changes.filter(({ before, after }) => before !== after)
  const backups = dryRun
    ? []
    : changed.map(({ managed, after }) => changeFile(managed.file, after, places.now, managed.mode))
  return {
    agent,
    scope: places.project ? 'project' : 'user',
    file: (files[0] as ManagedFile).file,
    change: changed.map(({ managed, before, after }) => patchOf(managed.file, before, after)).join(''),
    backup: backups.find((one) => one !== null) ?? null,
    applied: !dryRun && changed.length > 0,
    note: ''
  }
}

function patchOf(file: string, before: string | null, after: string | null): string {
  return createTwoFilesPatch(
    before === null ? '/dev/null' : file,
    after === null ? '/dev/null' : file,
    before ?? '',
    after ?? '',
    undefined,
    undefined,
    { context: 3 }
  )
}

function understood<T>(managed: ManagedFile, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (error instanceof ForeignFile) {
      throw new DriftlineError(
        'Refused',
        `${managed.file} is there already and is not Driftline's. Nothing was changed; call Driftline from it, or move it away.`,
        { file: managed.file }
      )
    }
    if (!(error instanceof NotJson || error instanceof TypeError)) throw error
    const line = error instanceof NotJson ? `line ${lineOf(readIfThere(managed.file) ?? '', error.at)}: ` : ''
    throw new DriftlineError(
      'Refused',
      `${managed.file} could not be understood (${line}${error.message}). Nothing was changed; mend it and try again.`,
      { file: managed.file }
    )
  }
}
