/** The bar above files and diff: the selection, its author and time, and its restore and undo buttons. */
import { plural } from '../../../contract/words/numbers.ts'
import { newestOfKinds } from '../../../contract/words/tests.ts'
import { restoreAction, undoAction } from '../../model/row-actions.ts'
import { entryOf, rowTitle, sessionIdOf } from '../../model/row-targets.ts'
import type { SelectableRow } from '../../model/timeline-rows.ts'
import { isFollowing, restoreUnavailable } from '../../state/derived.ts'
import { useActions, useOpenWorkspace, useWorkspaceFields, useWorkspaceState } from '../../state/open-workspace.tsx'
import type { Selected } from '../../state/selection.ts'
import { Button } from '../../ui/button.tsx'
import { showKeys } from '../../ui/keys.ts'
import { Switch } from '../../ui/switch.tsx'
import { pairLabel } from '../files/compare-menu.ts'
import { useOpenCount } from '../review/use-open-count.ts'
import { EntryFacts } from './entry-facts.tsx'
import { EntryMenu } from './entry-menu.tsx'
import { RunBars } from './run-bars.tsx'
import { RunText } from './run-text.tsx'

/** Longest tooltip, characters; the conversation has the whole prompt. */
const MAX_TIP = 400

export function EntryBar({ selected }: { readonly selected: Selected }) {
  const pair = useWorkspaceState((state) => state.pair)
  return pair ? <PairBar pair={pair} /> : <RowBar node={selected.node} />
}

function PairBar({ pair }: { readonly pair: readonly [SelectableRow, SelectableRow] }) {
  const actions = useActions()
  return (
    <section className="entry" aria-label="Selected entry">
      <h1 className="entry-title ell">Comparing two entries</h1>
      <div className="entry-facts">{pairLabel(pair)}</div>
      <Button
        icon="play"
        className="entry-act"
        data-tip="Replay"
        data-tip-keys={showKeys('Alt+R')}
        onClick={actions.openReplay}
      >
        Replay
      </Button>
      <Button icon="swap" className="entry-act" data-tip="Swap" onClick={actions.swap}>
        Swap
      </Button>
      <Button icon="x" className="entry-act" data-tip="Stop comparing" onClick={actions.clearPair}>
        Stop comparing
      </Button>
    </section>
  )
}

function RowBar({ node }: { readonly node: SelectableRow }) {
  const { workspace, actions } = useOpenWorkspace()
  const isReview = workspace.bundle !== undefined
  const {
    status,
    gitChangedBy,
    shownDetail: detail,
    offline,
    layout
  } = useWorkspaceFields('status', 'gitChangedBy', 'shownDetail', 'offline', 'layout')
  const unavailable = useWorkspaceState(restoreUnavailable)
  // In a narrow window the buttons show their icons only.
  const tip = (label: string) => (layout === 'wide' ? {} : { 'data-tip': label })
  const restore = restoreAction(node)
  const undo = undoAction(node, { status, gitChangedBy })
  // Outside changes nobody decided on are accepted or undone; the row menu offers the restore.
  const entry = entryOf(node)
  const drift = entry.kind === 'drift' && (entry.state === 'open' || entry.state === 'unreviewed') ? entry : null
  return (
    <>
      <section className="entry" aria-label="Selected entry">
        <h1 className="entry-title ell" dir="auto" data-tip={rowTitle(node).slice(0, MAX_TIP)}>
          {rowTitle(node)}
        </h1>
        <EntryFacts node={node} detail={detail} />
        <FollowSwitch />
        {drift || isReview ? null : (
          <Button
            icon="restore"
            className="entry-act"
            {...tip(restore.label)}
            disabledReason={restore.disabledReason ?? unavailable}
            onPointerDown={() => actions.prepareRestore(node)}
            onClick={() => actions.restoreRow(node)}
          >
            {restore.label}
          </Button>
        )}
        {isReview ? null : (
          <Button
            icon="undo"
            className="entry-act"
            {...tip(undo.label)}
            disabledReason={undo.disabledReason ?? unavailable}
            onPointerDown={() => actions.prepareUndo(node)}
            onClick={() => actions.undoRow(node)}
          >
            {drift ? `Undo ${plural(drift.count, 'file')}…` : undo.label}
          </Button>
        )}
        {drift ? (
          <Button kind="primary" icon="check" disabledReason={offline} onClick={() => actions.accept(drift.id)}>
            Accept {plural(drift.count, 'file')}
          </Button>
        ) : null}
        <FailedTestsButton node={node} offline={offline} />
        {isReview ? null : <ReviewButton session={sessionIdOf(node)} />}
        <EntryMenu node={node} offline={offline} isReview={isReview} />
      </section>
      {entry.kind === 'run' ? <RunText run={entry} /> : null}
      {entry.kind === 'run' ? <RunBars run={entry} detail={detail} status={status} /> : null}
    </>
  )
}

/** On an entry whose tests failed last. */
function FailedTestsButton({ node, offline }: { readonly node: SelectableRow; readonly offline: string | null }) {
  const { store } = useOpenWorkspace()
  if (newestOfKinds(entryOf(node).tests)[0]?.result !== 'failed') return null
  return (
    <Button
      icon="search"
      className="entry-act"
      disabledReason={offline}
      data-tip="Find the edit that broke it"
      data-tip-keys="B"
      onClick={() => store.setState({ dialog: 'bisect' })}
    >
      Find the edit…
    </Button>
  )
}

/** Opens the review of a session; counts what its agent has not got yet. */
function ReviewButton({ session }: { readonly session: string | null }) {
  const { store } = useOpenWorkspace()
  const { count, text } = useOpenCount(session)
  if (session === null) return null
  return (
    <Button
      icon="chat"
      className="entry-act"
      aria-label={count > 0 ? `Review, ${text}` : 'Review'}
      aria-keyshortcuts="Shift+C"
      data-tip={count > 0 ? text : 'Comments and decisions for the agent'}
      data-tip-keys="Shift+C"
      onClick={() => store.setState({ review: session })}
    >
      {count > 0 ? `Review (${count})` : 'Review'}
    </Button>
  )
}

/** Where it has no room for its words, it is an item of the menu. */
function FollowSwitch() {
  const actions = useActions()
  const { live, layout } = useWorkspaceFields('live', 'layout')
  const on = useWorkspaceState(isFollowing)
  if (!live || layout === 'tabs') return null
  return (
    <label className="opt small entry-follow" htmlFor="follow">
      <Switch id="follow" on={on} onChange={actions.setFollow} />
      Follow edits
    </label>
  )
}
