/** One agent: tile, status line and buttons. */
import { Fragment } from 'react'
import type { AgentTest } from '../../../contract/agents.ts'
import { agentTestText } from '../../../contract/words/agent-problems.ts'
import { type AgentDescription, describeAgent } from '../../../contract/words/agent-status.ts'
import { agentIdentity } from '../../../contract/words/agents.ts'
import { useCommand, useHome } from '../../client/use-query.ts'
import { useEditor } from '../../state/use-editor.ts'
import { AgentTile } from '../../ui/agent.tsx'
import { Button } from '../../ui/button.tsx'
import { CodeText } from '../../ui/code-text.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import type { AgentScope, AgentView } from './use-agents.ts'

/** Panels that open below a row. */
export type PanelKind = 'connect' | 'entries' | 'disconnect' | 'how' | 'trust'

interface AgentRowProps {
  readonly view: AgentView
  readonly panel: PanelKind | null
  readonly scope: { readonly value: AgentScope; readonly set: (scope: AgentScope) => void } | null
  readonly test: AgentTest | 'running' | null
  readonly busy: boolean
  readonly onPanel: (panel: PanelKind) => void
  readonly onTest: () => void
  readonly onRefresh: () => void
}

export const SCOPES = [
  { value: 'project', label: 'This project' },
  { value: 'user', label: 'All projects' }
] as const

export function AgentRow(props: AgentRowProps) {
  const { view, panel, scope, test } = props
  const words = describeAgent(view, useHome(), Date.now())
  const command = useCommand()
  const { name } = agentIdentity(view.id)
  const failed = test && test !== 'running' && agentTestText(view.id, test.problem)
  return (
    <div className="agent" data-open={panel ? true : undefined}>
      <AgentTile agent={view.id} size="md" />
      <div className="grow agent-text">
        <h2 className="agent-name">
          {name}
          {view.connectedIn && view.state.version ? <span className="version">{view.state.version}</span> : null}
        </h2>
        <Words words={words} />
        {failed ? (
          <p className="small c-danger" role="alert">
            <CodeText text={failed} command={command} />
          </p>
        ) : null}
      </div>
      {scope ? <Segmented label="Scope" options={SCOPES} value={scope.value} onChange={scope.set} /> : null}
      {panel === 'connect' ? null : test ? <TestSteps test={test} /> : null}
      {panel === 'connect' ? null : <Buttons {...props} words={words} name={name} />}
    </div>
  )
}

function Words({ words: { tone, lead, details } }: { readonly words: AgentDescription }) {
  return (
    <p className="agent-about">
      {tone ? <span className={`c-${tone}`}>{lead}</span> : lead}
      {details.map((text, index) => (
        <Fragment key={text}>
          {index === 0 && lead.endsWith('.') ? ' ' : <span className="dot-sep" />}
          {text}
        </Fragment>
      ))}
    </p>
  )
}

type ButtonsProps = AgentRowProps & { readonly words: AgentDescription; readonly name: string }

function Buttons({ view, words, name, panel, test, busy, onPanel, onTest, onRefresh }: ButtonsProps) {
  /** A button that opens a panel; `label`: its name where the text does not contain the agent's. */
  const opener = (
    kind: PanelKind,
    text: string,
    label: string,
    more: { kind?: 'ghost'; disabledReason?: string } = {}
  ) => (
    <Button
      size="sm"
      aria-label={label}
      {...more}
      {...(panel === kind ? { 'data-opener': true, 'aria-expanded': true } : {})}
      onClick={() => onPanel(kind)}
    >
      {text}
    </Button>
  )
  const disconnect = opener('disconnect', 'Disconnect…', `Disconnect ${name}…`, { kind: 'ghost' })
  switch (words.kind) {
    case 'connected':
    case 'silent':
    case 'untrusted':
      return (
        <>
          {test ? null : opener('entries', 'Show entries', `Show entries of ${name}`)}
          {words.kind === 'untrusted' ? opener('trust', 'How to trust', 'How to trust') : null}
          <Button
            size="sm"
            aria-label={`Test ${name}`}
            disabledReason={test === 'running' ? 'a test is running' : null}
            onClick={onTest}
          >
            {test && test !== 'running' ? 'Test again' : 'Test'}
          </Button>
          {disconnect}
        </>
      )
    case 'partly':
      return (
        <>
          {opener('connect', 'Add missing…', `Add missing entries to ${name}…`)}
          {disconnect}
        </>
      )
    case 'found':
      return busy
        ? opener('connect', 'Connecting…', `Connect ${name}…`, { disabledReason: 'connecting…' })
        : opener('connect', 'Connect…', `Connect ${name}…`)
    case 'managed':
      return (
        <span className="badge">
          <Icon name="lock" />
          read-only
        </span>
      )
    case 'unreadable':
      return (
        <UnreadableButtons name={name} file={view.state.unreadable?.file ?? view.state.file} onRefresh={onRefresh} />
      )
    case 'absent':
      return opener('how', 'How to connect', `How to connect ${name}`, { kind: 'ghost' })
  }
}

interface UnreadableButtonsProps {
  readonly name: string
  readonly file: string
  readonly onRefresh: () => void
}

/** The agent's settings file cannot be read: a person has to correct it. */
function UnreadableButtons({ name, file, onRefresh }: UnreadableButtonsProps) {
  const openInEditor = useEditor()
  return (
    <>
      {openInEditor ? (
        <Button size="sm" aria-label={`Open file of ${name}`} onClick={() => openInEditor(file)}>
          Open file
        </Button>
      ) : (
        <CopyButton label="Copy path" text={file} />
      )}
      <Button size="sm" aria-label={`Retry: ${name}`} onClick={onRefresh}>
        Retry
      </Button>
    </>
  )
}

/** The steps of a connection test up to the first failure: sent, received, recorded. */
function TestSteps({ test }: { readonly test: AgentTest | 'running' }) {
  if (test === 'running') {
    return (
      <span className="small muted" role="status">
        Sending a test event…
      </span>
    )
  }
  const received = test.receivedMs === null ? 'not received' : `received in ${test.receivedMs} ms`
  const steps = [
    { done: test.sent, text: test.sent ? 'sent' : 'not sent' },
    { done: test.receivedMs !== null, text: received },
    { done: test.recorded, text: test.recorded ? 'recorded' : 'not recorded' }
  ]
  const failed = steps.findIndex(({ done }) => !done)
  return (
    <ol className="steps" aria-label="Test result">
      {steps.slice(0, failed === -1 ? steps.length : failed + 1).map(({ done, text }) => (
        <li key={text} className={done ? '' : 'failed'}>
          <Icon name={done ? 'check' : 'x'} size="s" label={done ? 'done:' : 'failed:'} />
          {text}
        </li>
      ))}
    </ol>
  )
}
