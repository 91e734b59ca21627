/**
 * Tests a connection: runs the command from the agent's settings with a test event, checks that the event arrives,
 * and asks Codex whether it trusts our hooks.
 */
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import type { AgentTest, AgentTestProblem } from '../../../../contract/agents.ts'
import type { AgentId } from '../agent-action.ts'
import { createTestEvent } from '../hook-event.ts'
import { queryCodexTrust, withoutOwnVariables } from './codex-trust.ts'
import { type Places, REGISTRATIONS } from './registrations.ts'
import { readTextIfExists } from './settings-file.ts'

/** A hook ends within 2 s; after this time the command is killed. */
const TIMEOUT_MS = 5000

interface Arrivals {
  now(): number
  /** Takes what is in the spool: without a recorder the event waits there. */
  takeSpool(): Promise<void>
  /** When the test event with this nonce arrived, ms UTC; null when it has not. */
  testedAt(agent: string, nonce: string): number | null
}

/** Problems with the agent's settings are returned, not thrown. */
export async function testConnection(agent: AgentId, places: Places, arrivals: Arrivals): Promise<AgentTest> {
  const registered = REGISTRATIONS[agent].files(places).find((file) => file.countFound(readTextIfExists(file.file)) > 0)
  if (!registered) return failed({ code: 'missing' })
  const nonce = randomUUID()
  const sentAt = arrivals.now()
  const problem = await runCommand(registered.command, createTestEvent(nonce), places)
  if (problem !== null) return failed(problem)
  await arrivals.takeSpool()
  const at = arrivals.testedAt(agent, nonce)
  if (at === null) return { ...failed({ code: 'no-event' }), sent: true }
  const trust = agent === 'codex' ? await queryCodexTrust(places) : null
  const hooks = registered.countFound(readTextIfExists(registered.file))
  const refused =
    trust && trust.trusted < hooks ? ({ code: 'untrusted', trusted: trust.trusted, hooks } as const) : null
  return { sent: true, receivedMs: Math.max(0, at - sentAt), recorded: true, problem: refused }
}

function failed(problem: AgentTestProblem): AgentTest {
  return { sent: false, receivedMs: null, recorded: false, problem }
}

/** Runs the command as an agent does, without our own variables. Resolves with what went wrong; null for success. */
function runCommand(command: string, input: string, places: Places): Promise<AgentTestProblem | null> {
  return new Promise((resolve) => {
    const child = spawn(command, {
      shell: true,
      cwd: places.project ?? places.home,
      env: withoutOwnVariables(process.env),
      stdio: ['pipe', 'ignore', 'ignore']
    })
    const timer = setTimeout(() => {
      child.kill('SIGKILL')
      resolve({ code: 'timeout', seconds: TIMEOUT_MS / 1000 })
    }, TIMEOUT_MS)
    const settle = (problem: AgentTestProblem | null): void => {
      clearTimeout(timer)
      resolve(problem)
    }
    child.once('error', (error) => settle({ code: 'failed', message: error.message }))
    child.once('exit', (code) => settle(code === 0 ? null : { code: 'exited', exitCode: code }))
    // EPIPE when it exits without reading: its exit code says enough.
    child.stdin.on('error', () => {})
    child.stdin.end(input)
  })
}
