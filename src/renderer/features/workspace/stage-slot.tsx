/** The stage of what is selected, with its bar; until something is, how that stands. */
import type { RefObject } from 'react'
import type { Act } from '../../../contract/restore.ts'
import type { Workspace } from '../../../contract/workspace.ts'
import { usePreferences } from '../../app/preferences.tsx'
import { useDriftline } from '../../client/context.tsx'
import type { Pane, ReviewCommands } from '../../commands/state.ts'
import { isRead, writtenNow } from '../conversation/call-words.ts'
import { idOf } from '../timeline/node.ts'
import type { NodeRow } from '../timeline/rows.ts'
import { compareMenu, type Pair } from './compare-menu.ts'
import { EntryBar } from './entry-bar.tsx'
import type { Side } from './layout.ts'
import { type Picked, Stage } from './stage.tsx'
import { WaitingStage } from './stage-states.tsx'
import type { Follow } from './use-follow.ts'
import type { Going } from './use-going.ts'
import type { History } from './use-history.ts'
import type { Panes } from './use-panes.ts'
import type { WorkspaceModel } from './use-workspace.ts'
import type { Writes } from './use-writes.ts'

interface StageSlotProps {
  readonly workspace: Workspace
  readonly model: WorkspaceModel
  readonly panes: Panes
  readonly writes: Writes
  readonly going: Going
  readonly history: History
  readonly follow: Follow
  /** The conversation of what is selected. */
  readonly session: string | null
  readonly tab: Pane
  readonly side: Side
  readonly pair: Pair | null
  readonly picked: Picked | null
  readonly onPick: (picked: Picked) => void
  /** Why nothing can be written now, null when it can. */
  readonly offline: string | null
  readonly onAct: (act: Act) => void
  readonly onRestore: (row: NodeRow) => void
  readonly onUndo: (row: NodeRow) => void
  readonly onPin: () => void
  readonly reviewRef: RefObject<ReviewCommands | null>
}

const NONE: ReadonlySet<string> = new Set()

export function StageSlot(props: StageSlotProps) {
  const { workspace, model, panes, writes, going, follow, session, pair, offline } = props
  const { client } = useDriftline()
  const { letterKeys } = usePreferences()
  const { selected, question, compared, detail } = model
  const { pages, error } = model.timeline
  if (!selected || !question) return <WaitingStage failed={error !== null && !pages} />
  return (
    <Stage
      workspace={workspace.id}
      root={workspace.root}
      selected={selected}
      question={question}
      compare={compareMenu(compared, pair)}
      onOwnComparison={compared.chosen?.id === 'own' ? null : () => compared.choose('own')}
      state={model.diff}
      live={model.live}
      layout={panes.layout}
      tab={props.tab}
      side={props.side}
      onSide={panes.setSide}
      widths={{ files: panes.sizes.files, conversation: panes.sizes.talk }}
      onWidth={(of, width) => panes.resize(of === 'files' ? { files: width } : { talk: width })}
      entries={pages?.entries ?? []}
      writing={model.live ? writtenNow(detail?.calls ?? []) : NONE}
      reads={new Set(detail?.calls?.filter(isRead).map(({ summary }) => summary)).size}
      goal={going.goal}
      onGoalReached={going.goalReached}
      follow={follow.on}
      now={model.now}
      offline={offline}
      onTurn={going.showTurn}
      picked={props.picked}
      onPick={props.onPick}
      letterKeys={letterKeys}
      onFocusDiff={() => panes.goTo('diff')}
      onAct={props.onAct}
      onAccept={writes.accept}
      onHistory={props.history.open}
      onShowEntry={going.showEntry}
      reviewRef={props.reviewRef}
      entryBar={
        <EntryBar
          selected={selected}
          status={model.status}
          detail={detail}
          now={model.now}
          offline={offline}
          onRestore={() => props.onRestore(selected.node)}
          onUndo={() => props.onUndo(selected.node)}
          pair={pair}
          onAccept={writes.accept}
          onPin={props.onPin}
          onCopyPatch={() => {
            client
              .call('diff.patch', question)
              .then(({ patch }) => navigator.clipboard.writeText(patch))
              .catch(writes.failed)
          }}
          follow={follow}
          onCopyResume={session === null ? null : () => writes.copyResume(session)}
          onCopyId={() => void navigator.clipboard?.writeText(idOf(selected.node))}
        />
      }
    />
  )
}
