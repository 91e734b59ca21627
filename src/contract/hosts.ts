/**
 * Hosts as the window shows them: other machines whose workspaces it opens through the recorder of this computer, which
 * holds one connection to each. A workspace of a host has the id `HOST:ID`, so the one id says where a call goes. No I/O.
 */
import type { WorkspaceId, WorkspaceSummary } from './workspace.ts'

/**
 * `idle`: no window wants it. `needs-update`: the two versions do not understand each other, or there is none there any
 * more. `damaged`: what this computer stored about it cannot be read.
 */
export type HostPhase = 'idle' | 'connecting' | 'connected' | 'unreachable' | 'needs-update' | 'damaged'

/** Its clock beside that of this computer, when it was last reached. */
export interface HostClock {
  /** Minutes east of UTC of its time zone. */
  readonly utcOffset: number
  /** How far it is ahead of this computer, ms; negative when behind. */
  readonly ahead: number
}

export interface HostPlace {
  readonly name: string
  /** The words that end in a shell there. */
  readonly command: readonly string[]
  readonly phase: HostPhase
  /** Since when it is in that phase, ms UTC; of `unreachable` since it was lost or the first attempt failed. */
  readonly since: number
  /** When anything last came from it, ms UTC; 0: never. */
  readonly lastSeenAt: number
  /** Why it is unreachable, needs an update or is damaged; "" otherwise. */
  readonly reason: string
  /** The last lines that its command printed, as they are; "" if it printed nothing. */
  readonly printed: string
  /** Which side must be updated before it can be used; null if neither has to be, or that is not known. */
  readonly outdated: 'near' | 'far' | null
  /** Of the Driftline there; "" before it was reached. */
  readonly version: string
  /** Null before it was reached, and for a version that does not say. */
  readonly clock: HostClock | null
  /** Its recorded folders as last listed, with ids that name the host. */
  readonly workspaces: readonly WorkspaceSummary[]
}

/** The id of a host's workspace on this computer. */
export function idOnHost(host: string, workspace: WorkspaceId): WorkspaceId {
  return `${host}:${workspace}`
}

/** The host of a workspace and its id there; null for a workspace of this computer. */
export function placeOf(workspace: WorkspaceId): { readonly host: string; readonly id: WorkspaceId } | null {
  const end = workspace.indexOf(':')
  return end <= 0 ? null : { host: workspace.slice(0, end), id: workspace.slice(end + 1) }
}

/** The host of a workspace; null for one of this computer. */
export function hostOf(workspace: WorkspaceId): string | null {
  return placeOf(workspace)?.host ?? null
}
