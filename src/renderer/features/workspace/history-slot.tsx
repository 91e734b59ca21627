/** The history of a file in place of timeline and stage. */
import type { Ref } from 'react'
import type { Act } from '../../../contract/restore.ts'
import type { Workspace } from '../../../contract/workspace.ts'
import { usePreferences } from '../../app/preferences.tsx'
import { useDriftline } from '../../client/context.tsx'
import { HistoryStage } from '../history/history-stage.tsx'
import type { FileHistory } from '../history/use-file-history.ts'
import { VersionList } from '../history/version-list.tsx'
import type { TimelineHandle } from '../timeline/timeline.tsx'
import { TimelineEdge } from './timeline-slot.tsx'
import { type History, restoreOf } from './use-history.ts'
import type { Panes } from './use-panes.ts'

interface SlotProps {
  readonly file: FileHistory
  readonly history: History
  readonly panes: Panes
  readonly now: number
  readonly onAct: (act: Act) => void
}

export function VersionsSlot({
  file,
  history,
  panes,
  now,
  onAct,
  ref
}: SlotProps & { readonly ref: Ref<TimelineHandle> }) {
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
      onRestore={(version) => onAct(restoreOf(file, version))}
      onClose={history.leave}
    >
      <TimelineEdge panes={panes} />
    </VersionList>
  )
}

interface HistorySlotProps extends SlotProps {
  readonly workspace: Workspace
  /** Why nothing can be written now, null when it can. */
  readonly offline: string | null
  readonly onShowEntry: (id: string) => void
}

export function HistorySlot({ file, history, panes, workspace, ...rest }: HistorySlotProps) {
  const { client, platform } = useDriftline()
  const { openInEditor, reveal } = platform
  return (
    <HistoryStage
      client={client}
      workspace={workspace.id}
      history={file}
      {...rest}
      alone={!panes.column}
      covered={panes.drawer}
      onRestore={(version) => rest.onAct(restoreOf(file, version))}
      onClose={history.leave}
      {...(openInEditor ? { onOpenInEditor: (path) => void openInEditor(`${workspace.root}/${path}`) } : {})}
      {...(reveal ? { onReveal: (path) => void reveal(`${workspace.root}/${path}`) } : {})}
    />
  )
}
