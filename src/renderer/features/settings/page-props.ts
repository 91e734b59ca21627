/** Props of every settings page. */
import type { Workspace, WorkspaceSummary } from '../../../contract/workspace.ts'
import type { SettingsPlace } from '../../commands/settings-pages.ts'

export interface PageProps {
  /** The open workspace; null on the first screen. */
  readonly workspace: WorkspaceSummary | null
  readonly workspaces: readonly WorkspaceSummary[]
  /** No longer recorded, but with a stored history. */
  readonly removed: readonly Workspace[]
  /** The agent whose connect panel opens at first. */
  readonly agent: string | null
  readonly onNavigate: (place: SettingsPlace) => void
  /** Closes the settings and shows a folder. */
  readonly onOpen: (workspace: string) => void
  readonly onRemoved: (workspace: string) => void
}
