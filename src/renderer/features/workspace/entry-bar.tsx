/** The bar above files and diff: the selection, its author and time, and its restore and undo buttons. */

import type { WorkspaceStatus } from '../../../contract/status.ts'
import type { EntryDetail, RunEntry } from '../../../contract/timeline.ts'
import { agentIdentity } from '../../../contract/words/agents.ts'
import { plural } from '../../../contract/words/numbers.ts'
import { entryAuthor, entrySentence } from '../../../contract/words/timeline.ts'
import { clock, dayInText, durationText } from '../../../contract/words/times.ts'
import { AgentTile } from '../../ui/agent.tsx'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { MenuButton } from '../../ui/menu.tsx'
import { restoreAction, undoAction } from '../timeline/row-actions.ts'
import { rowTitle } from '../timeline/row-targets.ts'
import { turnOf } from '../timeline/timeline-rows.ts'
import { type ComparedPair, pairLabel } from './compare-menu.ts'
import { RunNotices } from './run-notices.tsx'
import type { Follow } from './use-follow.ts'
import type { Selected } from './use-selection.ts'

interface EntryBarProps {
  readonly selected: Selected
  readonly status: WorkspaceStatus | null
  /** Details of the open run. */
  readonly detail: EntryDetail | null
  readonly now: number
  /** Why nothing can be written now, null if it can. */
  readonly offline: string | null
  readonly onRestore: () => void
  readonly onUndo: () => void
  /** Set while two rows are compared. */
  readonly pair: ComparedPair | null
  /** Accepts the outside changes. */
  readonly onAccept: (drift: string) => void
  readonly onPin: () => void
  readonly follow: Follow
  readonly onCopyPatch: () => void
  /** Copies the command that resumes the session; null without a session. */
  readonly onCopyResume: (() => void) | null
  readonly onCopyId: () => void
}

/** Longest tooltip, characters; the conversation has the whole prompt. */
const MAX_TIP = 400

export function EntryBar(props: EntryBarProps) {
  const { selected, status, now, offline, pair } = props
  const { node } = selected
  if (pair) {
    return (
      <section className="entry" aria-label="Selected entry">
        <div className="grow">
          <h1 className="ttl ell">Comparing two entries</h1>
          <div className="sub">
            <span className="ell">{pairLabel(pair.rows)}</span>
          </div>
        </div>
        <Button icon="swap" onClick={pair.swap}>
          Swap
        </Button>
        <Button onClick={pair.clear}>Stop comparing</Button>
      </section>
    )
  }
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
          <Sub selected={selected} detail={props.detail} now={now} />
        </div>
        {props.follow.possible ? (
          <label className="opt small">
            <input
              type="checkbox"
              role="switch"
              className="switch"
              checked={props.follow.on}
              aria-checked={props.follow.on}
              onChange={(event) => props.follow.set(event.target.checked)}
            />
            Follow edits
          </label>
        ) : null}
        {drift ? null : (
          <Button icon="restore" disabledReason={restore.disabledReason ?? offline} onClick={props.onRestore}>
            {restore.label}
          </Button>
        )}
        <Button icon="undo" disabledReason={undo.disabledReason ?? offline} onClick={props.onUndo}>
          {drift ? `Undo ${plural(drift.count, 'file')}…` : undo.label}
        </Button>
        {drift ? (
          <Button kind="primary" icon="check" disabledReason={offline} onClick={() => props.onAccept(drift.id)}>
            Accept {plural(drift.count, 'file')}
          </Button>
        ) : null}
        <MenuButton
          label="More actions"
          align="right"
          items={[
            { id: 'pin', label: 'Pin a checkpoint…', icon: 'pin', keys: 'P', disabled: offline, run: props.onPin },
            { id: 'patch', label: 'Copy as patch', icon: 'copy', disabled: offline, run: props.onCopyPatch },
            ...(props.onCopyResume
              ? [
                  {
                    id: 'resume',
                    label: 'Copy resume command',
                    icon: 'terminal' as const,
                    disabled: offline,
                    run: props.onCopyResume
                  }
                ]
              : []),
            { id: 'id', label: 'Copy ID', icon: 'link', run: props.onCopyId }
          ]}
        >
          <Icon name="more" />
        </MenuButton>
      </section>
      {run ? <RunNotices run={run} detail={props.detail} status={status} now={now} /> : null}
    </>
  )
}

interface SubProps {
  readonly selected: Selected
  readonly detail: EntryDetail | null
  readonly now: number
}

function Sub({ selected: { node }, detail, now }: SubProps) {
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
        <Live run={run} now={now} />
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

function Live({ run, now }: { readonly run: RunEntry; readonly now: number }) {
  return <span className="c-live">live for {durationText(now - run.at)}</span>
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
