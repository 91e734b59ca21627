/** What the tray shows: pure, from how the folders stand. */
import type { HostState, WorkspaceSummary } from '../../contract/workspace.ts'

export interface TrayLook {
  readonly state: 'recording' | 'attention' | 'not-protected'
  /** One line, for the menu and the tooltip. */
  readonly text: string
}

/** The most serious thing first. */
export function trayLook({ watching }: HostState, workspaces: readonly WorkspaceSummary[]): TrayLook {
  if (watching === 'paused') return { state: 'not-protected', text: 'Recording is paused' }
  if (watching === 'safe-mode') return { state: 'not-protected', text: 'Safe mode: folders are not watched' }
  if (workspaces.length === 0) return { state: 'not-protected', text: 'No folder is recorded yet' }
  const missing = workspaces.filter((workspace) => workspace.folder === 'missing')
  if (missing.length > 0) return { state: 'attention', text: named(missing, 'is not there any more', 'are not there') }
  const partial = workspaces.filter((workspace) => workspace.coverage === 'partial')
  if (partial.length > 0)
    return { state: 'not-protected', text: named(partial, 'is protected in part', 'are protected in part') }
  const drifted = workspaces.filter((workspace) => workspace.openDrift > 0)
  if (drifted.length > 0)
    return { state: 'attention', text: named(drifted, 'has outside changes', 'have outside changes') }
  return {
    state: 'recording',
    text: `Recording ${workspaces.length === 1 ? workspaces[0]?.name : `${workspaces.length} folders`}`
  }
}

function named(workspaces: readonly WorkspaceSummary[], one: string, more: string): string {
  return workspaces.length === 1 ? `${workspaces[0]?.name} ${one}` : `${workspaces.length} folders ${more}`
}
