/** The state of the tray icon and its text, derived from the state of all folders. Pure. */
import type { HostState, WorkspaceSummary } from '../../contract/workspace.ts'

export interface TrayStatus {
  readonly state: 'recording' | 'attention' | 'not-protected'
  /** One line, for the menu and the tooltip. */
  readonly text: string
}

/** Reports the most serious problem; the order of the checks is the order of severity. */
export function trayStatus({ watching }: HostState, workspaces: readonly WorkspaceSummary[]): TrayStatus {
  if (watching === 'paused') return { state: 'not-protected', text: 'Recording is paused' }
  if (watching === 'safe-mode') return { state: 'not-protected', text: 'Safe mode: folders are not watched' }
  if (workspaces.length === 0) return { state: 'not-protected', text: 'No recorded folders yet' }
  const missing = workspaces.filter((workspace) => workspace.folder === 'missing')
  if (missing.length > 0) return { state: 'attention', text: describe(missing, 'is missing', 'are missing') }
  const partial = workspaces.filter((workspace) => workspace.coverage === 'partial')
  if (partial.length > 0)
    return { state: 'not-protected', text: describe(partial, 'is partly protected', 'are partly protected') }
  const drifted = workspaces.filter((workspace) => workspace.openDrift > 0)
  if (drifted.length > 0)
    return { state: 'attention', text: describe(drifted, 'has outside changes', 'have outside changes') }
  return {
    state: 'recording',
    text: `Recording ${workspaces.length === 1 ? workspaces[0]?.name : `${workspaces.length} folders`}`
  }
}

function describe(workspaces: readonly WorkspaceSummary[], singular: string, plural: string): string {
  return workspaces.length === 1 ? `${workspaces[0]?.name} ${singular}` : `${workspaces.length} folders ${plural}`
}
