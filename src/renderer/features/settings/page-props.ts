/** Props of every settings page. */
import type { Workspace, WorkspaceSummary } from '../../../contract/workspace.ts'
import type { SettingsPlace } from '../../commands/settings-pages.ts'

export interface PageProps {
  readonly home: string
  readonly dataDir: string
  readonly version: string
  /** The open workspace; null on the first screen. */
  readonly workspace: WorkspaceSummary | null
  readonly workspaces: readonly WorkspaceSummary[]
  /** No longer recorded, but with a stored history. */
  readonly removed: readonly Workspace[]
  readonly onNavigate: (place: SettingsPlace) => void
  readonly onRemoved: (workspace: string) => void
}
