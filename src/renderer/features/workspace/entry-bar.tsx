/** The bar above files and diff: the selection, its author and time, and its restore and undo buttons. */

import type { WorkspaceStatus } from '../../../contract/status.ts'
import type { EntryDetail, RunEntry } from '../../../contract/timeline.ts'
import { agentIdentity } from '../../../contract/words/agents.ts'
import { plural } from '../../../contract/words/numbers.ts'
import { runNotices } from '../../../contract/words/run-notices.ts'
import { entryAuthor, entrySentence } from '../../../contract/words/timeline.ts'
import { clock, dayInText, durationText } from '../../../contract/words/times.ts'
import { AgentTile } from '../../ui/agent.tsx'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { MenuButton } from '../../ui/menu.tsx'
import { Switch } from '../../ui/switch.tsx'
import { useNow } from '../../ui/use-now.ts'
import { restoreAction, undoAction } from '../timeline/row-actions.ts'
import { commandLineId, rowTitle, sessionIdOf } from '../timeline/row-targets.ts'
import { type SelectableRow, turnOf } from '../timeline/timeline-rows.ts'
import { pairLabel } from './compare-menu.ts'
import { useActions, useOpenWorkspace, useWorkspaceFields, useWorkspaceState } from './state/context.tsx'
import { isFollowing } from './state/derived.ts'
import type { Selected } from './state/selection.ts'

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
      <div className="grow">
        <h1 className="ttl ell">Comparing two entries</h1>
        <div className="sub">
          <span className="ell">{pairLabel(pair)}</span>
        </div>
      </div>
      <Button icon="swap" onClick={actions.swap}>
        Swap
      </Button>
      <Button onClick={actions.clearPair}>Stop comparing</Button>
    </section>
  )
}

function RowBar({ node }: { readonly node: SelectableRow }) {
  const actions = useActions()
  const { status, detail, offline } = useWorkspaceFields('status', 'detail', 'offline')
  const restore = restoreAction(node)
  const undo = undoAction(node, status)
  // Outside changes under review are accepted or undone; the row menu offers the restore.
  const drift = node.kind === 'entry' && node.entry.kind === 'drift' && node.entry.state === 'open' ? node.entry : null
  const run = node.kind === 'entry' ? (node.entry.kind === 'run' ? node.entry : null) : node.run
  return (
    <>
      <section className="entry" aria-label="Selected entry">
        <div className="grow">
          <h1 className="ttl ell" dir="auto" data-tip={rowTitle(node).slice(0, MAX_TIP)}>
            {rowTitle(node)}
          </h1>
          <Sub node={node} detail={detail} />
        </div>
        <FollowSwitch />
        {drift ? null : (
          <Button
            icon="restore"
            disabledReason={restore.disabledReason ?? offline}
            onClick={() => actions.restoreRow(node)}
          >
            {restore.label}
          </Button>
        )}
        <Button icon="undo" disabledReason={undo.disabledReason ?? offline} onClick={() => actions.undoRow(node)}>
          {drift ? `Undo ${plural(drift.count, 'file')}…` : undo.label}
        </Button>
        {drift ? (
          <Button kind="primary" icon="check" disabledReason={offline} onClick={() => actions.accept(drift.id)}>
            Accept {plural(drift.count, 'file')}
          </Button>
        ) : null}
        <MoreActions node={node} offline={offline} />
      </section>
      {run ? <RunNotices run={run} detail={detail} status={status} /> : null}
    </>
  )
}

function FollowSwitch() {
  const actions = useActions()
  const possible = useWorkspaceState((state) => state.live)
  const on = useWorkspaceState(isFollowing)
  if (!possible) return null
  return (
    <label className="opt small" htmlFor="follow">
      <Switch id="follow" on={on} onChange={actions.setFollow} />
      Follow edits
    </label>
  )
}

function MoreActions({ node, offline }: { readonly node: SelectableRow; readonly offline: string | null }) {
  const { store, actions } = useOpenWorkspace()
  const session = sessionIdOf(node)
  const resume = {
    id: 'resume',
    label: 'Copy resume command',
    icon: 'terminal' as const,
    disabled: offline,
    run: () => session !== null && actions.copyResume(session)
  }
  return (
    <MenuButton
      label="More actions"
      align="right"
      items={[
        {
          id: 'pin',
          label: 'Pin a checkpoint…',
          icon: 'pin',
          keys: 'P',
          disabled: offline,
          run: () => store.setState({ dialog: 'pin' })
        },
        { id: 'patch', label: 'Copy as patch', icon: 'copy', disabled: offline, run: actions.copyPatch },
        ...(session === null ? [] : [resume]),
        {
          id: 'id',
          label: 'Copy ID',
          icon: 'link',
          run: () => void navigator.clipboard?.writeText(commandLineId(node))
        }
      ]}
    >
      <Icon name="more" />
    </MenuButton>
  )
}

/** The author, the time and the state of the selected row. */
function Sub({ node, detail }: { readonly node: SelectableRow; readonly detail: EntryDetail | null }) {
  const now = useNow(false)
  if (node.kind === 'entry' && node.entry.kind !== 'run') {
    const { entry } = node
    return (
      <div className="sub">
        <span className="ell">{entryAuthor(entry)}</span>
        <span className="dot-sep" />
        {dayInText(entry.at, now)} {clock(entry.at)}
        <span className="sr">{entrySentence(entry, now)}</span>
      </div>
    )
  }
  const run = node.kind === 'entry' ? (node.entry as RunEntry) : node.run
  const turn = turnOf(node)
  const own = detail?.entry.id === run.id ? detail : null
  const calls = own?.calls?.filter((call) => turn === null || call.turn === turn.id).length ?? 0
  const number = turn ? (own?.turns.findIndex(({ id }) => id === turn.id) ?? -1) + 1 : 0
  return (
    <div className="sub">
      <AgentTile agent={run.agent} live={run.state === 'live'} />
      {agentIdentity(run.agent).name}
      <span className="dot-sep" />
      {turn ? (
        `${number > 0 ? `turn ${number}` : 'turn'} at ${clock(turn.at)}`
      ) : run.state === 'live' ? (
        <Live run={run} />
      ) : (
        times(run, now)
      )}
      {!turn && (run.turns > 1 || run.state === 'live') ? (
        <>
          <span className="dot-sep" />
          {run.state === 'live' ? `turn ${run.turns}` : plural(run.turns, 'turn')}
        </>
      ) : null}
      {calls > 0 ? (
        <>
          <span className="dot-sep" />
          {plural(calls, 'tool call')}
        </>
      ) : null}
      {stateOf(run) ? (
        <>
          <span className="dot-sep" />
          {stateOf(run)}
        </>
      ) : null}
    </div>
  )
}

function Live({ run }: { readonly run: RunEntry }) {
  return <span className="c-live">live for {durationText(useNow(true) - run.at)}</span>
}

function times(run: RunEntry, now: number): string {
  const day = dayInText(run.at, now)
  const end = run.endedAt === null || clock(run.endedAt) === clock(run.at) ? '' : ` – ${clock(run.endedAt)}`
  return `${day} ${clock(run.at)}${end}`
}

function stateOf(run: RunEntry): string {
  const parts: string[] = []
  if (run.state === 'interrupted') parts.push('interrupted')
  if (run.takenBack) parts.push('undone')
  if (run.exitCode !== null && run.exitCode !== 0) parts.push(`exit code ${run.exitCode}`)
  return parts.join(', ')
}

/** Notices below the entry bar: limits of the run's recording that matter before restoring it. */

interface RunNoticesProps {
  readonly run: RunEntry
  readonly detail: EntryDetail | null
  readonly status: WorkspaceStatus | null
}

function RunNotices({ run, detail, status }: RunNoticesProps) {
  // An agent that has been silent for a while is a notice.
  const now = useNow(run.state === 'live')
  return runNotices(run, detail, status, now).map(({ icon, tone, text, command }) => (
    <div className={tone === 'warn' ? 'notice warn' : 'notice'} key={text}>
      <Icon name={icon} />
      <span className="grow">{text}</span>
      {command ? <CopyButton label="Copy resume command" text={command} /> : null}
    </div>
  ))
}
