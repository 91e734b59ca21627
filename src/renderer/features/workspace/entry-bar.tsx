/** The bar above files and diff: the selection, its author and time, and its restore and undo buttons. */
import type { EntryDetail, RunEntry } from '../../../contract/timeline.ts'
import { agentIdentity } from '../../../contract/words/agents.ts'
import { plural } from '../../../contract/words/numbers.ts'
import { callsText, filesText } from '../../../contract/words/run-summary.ts'
import { newestOfKinds } from '../../../contract/words/tests.ts'
import { entryAuthor, entrySentence } from '../../../contract/words/timeline.ts'
import { clock, dayInText, durationText } from '../../../contract/words/times.ts'
import { runItems } from '../../commands/run-items.ts'
import { restoreAction, undoAction } from '../../model/row-actions.ts'
import { commandLineId, entryOf, isLiveRun, rowTitle, runIdOf, sessionIdOf } from '../../model/row-targets.ts'
import { type SelectableRow, turnOf } from '../../model/timeline-rows.ts'
import { isFollowing, restoreUnavailable } from '../../state/derived.ts'
import { useActions, useOpenWorkspace, useWorkspaceFields, useWorkspaceState } from '../../state/open-workspace.tsx'
import type { Selected } from '../../state/selection.ts'
import type { WorkspaceDialog } from '../../state/store.ts'
import { AgentTile } from '../../ui/agent.tsx'
import { Button } from '../../ui/button.tsx'
import { Counts } from '../../ui/counts.tsx'
import { Dotted } from '../../ui/dotted.tsx'
import { Icon } from '../../ui/icon.tsx'
import { showKeys } from '../../ui/keys.ts'
import { MenuButton, type MenuEntry } from '../../ui/menu.tsx'
import { Switch } from '../../ui/switch.tsx'
import { TestFacts } from '../../ui/test-mark.tsx'
import { useNow } from '../../ui/use-now.ts'
import { pairLabel } from '../files/compare-menu.ts'
import { useOpenCount } from '../review/use-open-count.ts'
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
        <Sub node={node} detail={detail} />
        <FollowSwitch />
        {drift || isReview ? null : (
          <Button
            icon="restore"
            className="entry-act"
            {...tip(restore.label)}
            disabledReason={restore.disabledReason ?? unavailable}
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
        <MoreActions node={node} offline={offline} isReview={isReview} />
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

interface MoreActionsProps {
  readonly node: SelectableRow
  readonly offline: string | null
  readonly isReview: boolean
}

function MoreActions({ node, offline: given, isReview }: MoreActionsProps) {
  const { store, actions } = useOpenWorkspace()
  const { live, layout } = useWorkspaceFields('live', 'layout')
  const follows = useWorkspaceState(isFollowing)
  const session = isReview ? null : sessionIdOf(node)
  // What only reads works in a review, too.
  const offline = isReview ? null : given
  const pin = () => store.setState({ dialog: 'pin' })
  const copyId = () => actions.copy(commandLineId(node))
  const items: MenuEntry[] = [
    ...(isReview
      ? []
      : [
          { id: 'pin', label: 'Pin a checkpoint…', icon: 'pin' as const, keys: 'P', disabled: offline, run: pin },
          {
            id: 'bisect',
            label: 'Find the edit that broke it…',
            icon: 'search' as const,
            keys: 'B',
            disabled: offline,
            run: () => store.setState({ dialog: 'bisect' })
          }
        ]),
    { id: 'patch', label: 'Copy as patch', icon: 'copy', disabled: offline, run: actions.copyPatch }
  ]
  const runId = runIdOf(node)
  if (runId !== null) {
    items.unshift({
      id: 'replay',
      label: 'Replay',
      icon: 'play',
      keys: 'Alt+R',
      disabled: offline,
      run: actions.openReplay
    })
    const run = () => actions.copyReport(runId)
    items.push({ id: 'report', label: 'Copy as Markdown', icon: 'copy', disabled: offline, run })
    if (!isReview) {
      const open = (dialog: WorkspaceDialog) => store.setState({ dialog })
      const { describe, save } = runItems({ isLive: isLiveRun(node), offline, open })
      items.unshift(describe)
      items.push(save)
    }
  }
  if (session !== null) {
    const run = () => actions.copyResume(session)
    items.push({ id: 'resume', label: 'Copy resume command', icon: 'terminal', disabled: offline, run })
  }
  if (live && layout === 'tabs') {
    const label = follows ? 'Stop following edits' : 'Follow edits'
    items.unshift({ id: 'follow', label, icon: 'eye', run: () => actions.setFollow(!follows) })
  }
  items.push({ id: 'id', label: 'Copy ID', icon: 'link', run: copyId })
  return (
    <MenuButton label="More actions" align="right" items={items}>
      <Icon name="more" />
    </MenuButton>
  )
}

/** The author, the time and the state of the selected row. */
function Sub({ node, detail }: { readonly node: SelectableRow; readonly detail: EntryDetail | null }) {
  const now = useNow('minute')
  const entry = entryOf(node)
  if (entry.kind !== 'run') {
    return (
      <div className="entry-facts">
        <Dotted facts={[entryAuthor(entry), `${dayInText(entry.at, now)} ${clock(entry.at)}`]} />
        <span className="sr">{entrySentence(entry, now)}</span>
      </div>
    )
  }
  const live = entry.state === 'live'
  const turn = turnOf(node)
  const own = detail?.entry.id === entry.id ? detail : null
  const calls = own?.calls?.filter((call) => turn === null || call.turn === turn.id) ?? []
  const endedBy = turn?.endedAt ?? Number.POSITIVE_INFINITY
  const tests = entry.tests?.filter(({ at }) => turn === null || (at >= turn.at && at <= endedBy)) ?? []
  const number = turn ? (own?.turns.findIndex(({ id }) => id === turn.id) ?? -1) + 1 : 0
  const when = turn ? (
    `${number > 0 ? `turn ${number}` : 'turn'} at ${clock(turn.at)}`
  ) : live ? (
    <Live run={entry} />
  ) : (
    times(entry, now)
  )
  const turns = live ? `turn ${entry.turns}` : entry.turns > 1 ? plural(entry.turns, 'turn') : ''
  return (
    <div className="entry-facts">
      <AgentTile size="xs" className="entry-tile" agent={entry.agent} live={live} />
      {[
        agentIdentity(entry.agent).name,
        when,
        turn ? '' : turns,
        <span key="calls" className="entry-calls">
          {callsText(calls)}
        </span>,
        tests.length > 0 ? <TestFacts key="tests" tests={tests} /> : null,
        <ChangedFiles key="files" />,
        stateOf(entry)
      ]
        .filter(Boolean)
        .map((fact, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the facts of one line have no other identity.
          <span key={index} className="entry-fact">
            {fact}
          </span>
        ))}
    </div>
  )
}

/** The files of the row's own changes and their lines, once these are counted. */
function ChangedFiles() {
  const files = useWorkspaceState(({ compared, diff }) => (compared?.id === 'own' ? diff?.files : undefined))
  if (!files || files.length === 0) return null
  const sum = (side: 'added' | 'deleted') => files.reduce((total, file) => total + file[side], 0)
  return (
    <span className="entry-files">
      {filesText(files)}{' '}
      {files.every(({ counted }) => counted) ? <Counts added={sum('added')} deleted={sum('deleted')} /> : null}
    </span>
  )
}

function Live({ run }: { readonly run: RunEntry }) {
  return <span className="c-live">live for {durationText(useNow('second') - run.at)}</span>
}

function times(run: RunEntry, now: number): string {
  const day = dayInText(run.at, now)
  const end = run.endedAt === null || clock(run.endedAt) === clock(run.at) ? '' : ` – ${clock(run.endedAt)}`
  return `${day} ${clock(run.at)}${end}`
}

function stateOf(run: RunEntry): string {
  const parts: string[] = []
  if (run.state === 'interrupted') parts.push('interrupted')
  if (run.undone) parts.push('undone')
  if (run.exitCode !== null && run.exitCode !== 0) parts.push(`exit code ${run.exitCode}`)
  return parts.join(', ')
}
