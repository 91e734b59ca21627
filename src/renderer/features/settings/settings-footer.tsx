/** The status bar of the settings; its numbers link to the page about them. */
import type { Workspace } from '../../../contract/workspace.ts'
import { useQuery } from '../../client/use-query.ts'
import type { SettingsPlace } from '../../commands/settings-pages.ts'
import { StatusBar } from '../status/status-bar.tsx'

interface SettingsFooterProps {
  readonly workspace: Workspace | null
  readonly version: string
  readonly onNavigate: (place: SettingsPlace) => void
}

export function SettingsFooter({ workspace, version, onNavigate }: SettingsFooterProps) {
  const status = useQuery('workspace.status', workspace ? { workspace: workspace.id, check: false } : null)
  if (workspace && status.data) {
    return (
      <StatusBar
        status={status.data}
        copy={status.data.copy}
        onCoverage={() => onNavigate({ page: 'capture' })}
        onCheck={() => onNavigate({ page: 'storage' })}
      />
    )
  }
  return (
    <footer className="status">
      <span>Driftline {version}</span>
      <span className="grow" />
      <span>Everything stays on this computer</span>
    </footer>
  )
}
