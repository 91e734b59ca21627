/** The steps of a connection test up to the first failure: sent, received, recorded. */
import type { AgentTest } from '../../../contract/agents.ts'
import { Icon } from '../../ui/icon.tsx'

export function TestSteps({ test }: { readonly test: AgentTest | 'running' }) {
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
