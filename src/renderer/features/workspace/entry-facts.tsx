/** The line of facts below the title of the selected row. */
import type { EntryDetail, RunEntry } from '../../../contract/timeline.ts'
import { agentIdentity } from '../../../contract/words/agents.ts'
import { plural } from '../../../contract/words/numbers.ts'
import { callsText, filesText } from '../../../contract/words/run-summary.ts'
import { entryAuthor, entrySentence } from '../../../contract/words/timeline.ts'
import { clock, dayInText, durationText } from '../../../contract/words/times.ts'
import { entryOf } from '../../model/row-targets.ts'
import { type SelectableRow, turnOf } from '../../model/timeline-rows.ts'
import { useWorkspaceState } from '../../state/open-workspace.tsx'
import { AgentTile } from '../../ui/agent.tsx'
import { Counts } from '../../ui/counts.tsx'
import { Dotted } from '../../ui/dotted.tsx'
import { TestFacts } from '../../ui/test-mark.tsx'
import { useNow } from '../../ui/use-now.ts'

/** The author, the time and the state of the selected row. */
export function EntryFacts({ node, detail }: { readonly node: SelectableRow; readonly detail: EntryDetail | null }) {
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
