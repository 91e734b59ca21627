/** One agent: tile, status line and buttons. */

import type { AgentTest } from '../../../contract/agents.ts'
import { type AgentDescription, describeAgent } from '../../../contract/words/agent-status.ts'
import { agentIdentity } from '../../../contract/words/agents.ts'
import { AgentTile } from '../../ui/agent.tsx'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { TestSteps } from './test-steps.tsx'
import type { AgentScope, AgentView } from './use-agents.ts'

/** Panels that open below a row. */
export type PanelKind = 'connect' | 'entries' | 'disconnect' | 'how' | 'trust'

interface AgentRowProps {
  readonly view: AgentView
  readonly home: string
  readonly panel: PanelKind | null
  readonly scope: { readonly value: AgentScope; readonly set: (scope: AgentScope) => void } | null
  readonly test: AgentTest | 'running' | null
  readonly busy: boolean
  readonly onPanel: (panel: PanelKind) => void
  readonly onTest: () => void
  readonly onRefresh: () => void
  /** null if the host cannot open files. */
  readonly onOpenFile: ((file: string) => void) | null
}

export const SCOPES = [
  { value: 'project', label: 'This project' },
  { value: 'user', label: 'All projects' }
] as const

export function AgentRow(props: AgentRowProps) {
  const { view, home, panel, scope, test } = props
  const words = describeAgent(view, home, Date.now())
  const { name } = agentIdentity(view.id)
  const failed = test && test !== 'running' && test.problem ? test.problem : null
  return (
    <div className={panel ? 'agent opened' : 'agent'}>
      <AgentTile agent={view.id} className="md" />
      <div className="grow">
        <h2 className="n">
          {name}
          {view.connectedIn && view.state.version ? <span className="version">{view.state.version}</span> : null}
        </h2>
        <Words words={words} />
        {failed ? (
          <p className="small c-danger" role="alert">
            {failed}
          </p>
        ) : null}
      </div>
      {scope ? <Segmented label="Scope" options={SCOPES} value={scope.value} onChange={scope.set} /> : null}
      {panel === 'connect' ? null : test ? <TestSteps test={test} /> : null}
      {panel === 'connect' ? null : <Buttons {...props} words={words} name={name} />}
    </div>
  )
}

function Words({ words }: { readonly words: AgentDescription }) {
  const lead = words.tone ? <span className={`c-${words.tone}`}>{words.lead}</span> : words.lead
  const [first, ...rest] = words.details
  return (
    <p className="d">
      {lead}
      {first ? words.lead.endsWith('.') ? ` ${first}` : <Dotted text={first} /> : null}
      {rest.map((text) => (
        <Dotted key={text} text={text} />
      ))}
    </p>
  )
}

function Dotted({ text }: { readonly text: string }) {
  return (
    <>
      <span className="dot-sep" />
      {text}
    </>
  )
}

type ButtonsProps = AgentRowProps & { readonly words: AgentDescription; readonly name: string }

function Buttons({ view, words, name, panel, test, busy, onPanel, onTest, onRefresh, onOpenFile }: ButtonsProps) {
  const running = test === 'running'
  const opener = (kind: PanelKind) => (panel === kind ? { 'data-opener': true, 'aria-expanded': true } : {})
  const testButton = (
    <Button
      size="sm"
      aria-label={`Test ${name}`}
      disabledReason={running ? 'a test is running' : null}
      onClick={onTest}
    >
      {test && !running ? 'Test again' : 'Test'}
    </Button>
  )
  const disconnect = (
    <Button
      size="sm"
      kind="ghost"
      aria-label={`Disconnect ${name}…`}
      {...opener('disconnect')}
      onClick={() => onPanel('disconnect')}
    >
      Disconnect…
    </Button>
  )
  switch (words.kind) {
    case 'connected':
    case 'silent':
    case 'untrusted':
      return (
        <>
          {test ? null : (
            <Button
              size="sm"
              aria-label={`Show entries of ${name}`}
              {...opener('entries')}
              onClick={() => onPanel('entries')}
            >
              Show entries
            </Button>
          )}
          {words.kind === 'untrusted' ? (
            <Button size="sm" {...opener('trust')} onClick={() => onPanel('trust')}>
              How to trust
            </Button>
          ) : null}
          {testButton}
          {disconnect}
        </>
      )
    case 'partly':
      return (
        <>
          <Button size="sm" aria-label={`Add missing entries to ${name}…`} onClick={() => onPanel('connect')}>
            Add missing…
          </Button>
          {disconnect}
        </>
      )
    case 'found':
      return (
        <Button
          size="sm"
          aria-label={`Connect ${name}…`}
          disabledReason={busy ? 'connecting…' : null}
          onClick={() => onPanel('connect')}
        >
          {busy ? 'Connecting…' : 'Connect…'}
        </Button>
      )
    case 'managed':
      return (
        <span className="badge">
          <Icon name="lock" />
          read-only
        </span>
      )
    case 'unreadable': {
      const file = view.state.unreadable?.file ?? view.state.file
      return (
        <>
          {onOpenFile ? (
            <Button size="sm" aria-label={`Open file of ${name}`} onClick={() => onOpenFile(file)}>
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
    case 'absent':
      return (
        <Button
          size="sm"
          kind="ghost"
          aria-label={`How to connect ${name}`}
          {...opener('how')}
          onClick={() => onPanel('how')}
        >
          How to connect
        </Button>
      )
  }
}
