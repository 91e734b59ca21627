/** What every page of the settings gets. */
import type { Workspace, WorkspaceSummary } from '../../../contract/workspace.ts'
import type { SettingsPlace } from '../../commands/settings-pages.ts'

export interface PageProps {
  readonly home: string
  readonly dataDir: string
  readonly version: string
  /** The folder that is open below; null on the first screen. */
  readonly workspace: WorkspaceSummary | null
  readonly workspaces: readonly WorkspaceSummary[]
  /** Not recorded any more, with a history that was kept. */
  readonly removed: readonly Workspace[]
  readonly onPlace: (place: SettingsPlace) => void
  readonly onRemoved: (workspace: string) => void
}
