/** The history of one file: the versions replace the timeline, their content replaces files and diff. */
import type { Ref } from 'react'
import type { RestoreRequest } from '../../../contract/restore.ts'
import type { Workspace } from '../../../contract/workspace.ts'
import { usePreferences } from '../../app/preferences.tsx'
import { useDriftline } from '../../client/context.tsx'
import { HistoryPane } from '../history/history-pane.tsx'
import type { FileHistory } from '../history/use-file-history.ts'
import { VersionList } from '../history/version-list.tsx'
import type { TimelineHandle } from '../timeline/timeline.tsx'
import { TimelineSplitter } from './timeline-column.tsx'
import { type History, restoreVersionRequest } from './use-history.ts'
import type { Panes } from './use-panes.ts'

interface FileHistoryProps {
  readonly file: FileHistory
  readonly history: History
  readonly panes: Panes
  readonly now: number
  /** Opens the preview of a restore or undo. */
  readonly onPreview: (request: RestoreRequest) => void
}

export function VersionsColumn({
  file,
  history,
  panes,
  now,
  onPreview,
  ref
}: FileHistoryProps & { readonly ref: Ref<TimelineHandle> }) {
  const { letterKeys } = usePreferences()
  return (
    <VersionList
      ref={ref}
      history={file}
      now={now}
      letterKeys={letterKeys}
      onEnter={() => {
        panes.closeDrawer()
        panes.goTo('diff')
      }}
      onRestore={(version) => onPreview(restoreVersionRequest(file, version))}
      onClose={history.returnToDiff}
    >
      <TimelineSplitter panes={panes} />
    </VersionList>
  )
}

interface FileHistoryViewProps extends FileHistoryProps {
  readonly workspace: Workspace
  /** Why nothing can be written now, null when it can. */
  readonly offline: string | null
  readonly onShowEntry: (id: string) => void
}

export function FileHistoryView({ file, history, panes, workspace, onPreview, ...rest }: FileHistoryViewProps) {
  const { client, platform } = useDriftline()
  const { openInEditor, reveal } = platform
  return (
    <HistoryPane
      client={client}
      workspace={workspace.id}
      history={file}
      {...rest}
      onRequest={onPreview}
      standalone={!panes.column}
      behindDrawer={panes.drawer}
      onRestore={(version) => onPreview(restoreVersionRequest(file, version))}
      onClose={history.returnToDiff}
      {...(openInEditor ? { onOpenInEditor: (path) => void openInEditor(`${workspace.root}/${path}`) } : {})}
      {...(reveal ? { onReveal: (path) => void reveal(`${workspace.root}/${path}`) } : {})}
    />
  )
}
