/** Sends one event of our own through the very command that stands in an agent's settings, looks whether it arrived, and asks Codex whether it would send one. */
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import type { AgentTest } from '../../../../contract/agents.ts'
import type { AgentId } from '../agent-action.ts'
import { createTestEvent } from '../test-event.ts'
import { untrustedHooksMessage } from './codex-trust.ts'
import { readTextIfExists } from './launcher.ts'
import { queryCodexTrust, withoutOwnVariables } from './query-codex.ts'
import { type Places, REGISTRATIONS } from './registrations.ts'

/** A hook is done after 2 s at the latest. */
const TIMEOUT_MS = 5000

interface Arrivals {
  now(): number
  /** When the event of that test came in; null when it has not. */
  testedAt(agent: string, nonce: string): number | null
}

/** Never rejects for what an agent's settings hold: the answer says what is wrong. */
export async function testConnection(agent: AgentId, places: Places, arrivals: Arrivals): Promise<AgentTest> {
  const registered = REGISTRATIONS[agent].files(places).find((file) => file.countFound(readTextIfExists(file.file)) > 0)
  if (!registered) return failed('Its settings do not hold our entries. Connect it first.')
  const nonce = randomUUID()
  const sentAt = arrivals.now()
  const problem = await runCommand(registered.command, createTestEvent(nonce), places)
  if (problem !== null) return failed(problem)
  const at = arrivals.testedAt(agent, nonce)
  if (at === null) {
    return {
      sent: true,
      receivedMs: null,
      recorded: false,
      problem:
        'The command ran, but nothing came in. Is Driftline still where it was when you connected? Disconnect and connect again.'
    }
  }
  const asked = agent === 'codex' ? await queryCodexTrust(places) : null
  const refused =
    asked === null ? '' : untrustedHooksMessage(asked, registered.countFound(readTextIfExists(registered.file)))
  return { sent: true, receivedMs: Math.max(0, at - sentAt), recorded: true, problem: refused }
}

function failed(problem: string): AgentTest {
  return { sent: false, receivedMs: null, recorded: false, problem }
}

/** Runs the command as an agent does, with nothing of our own surroundings. Resolves with what went wrong, null when nothing did. */
function runCommand(command: string, input: string, places: Places): Promise<string | null> {
  return new Promise((resolve) => {
    const child = spawn('sh', ['-c', command], {
      cwd: places.project ?? places.home,
      env: withoutOwnVariables(process.env),
      stdio: ['pipe', 'ignore', 'ignore']
    })
    const timer = setTimeout(() => {
      child.kill('SIGKILL')
      resolve(`The command did not end within ${TIMEOUT_MS / 1000} seconds.`)
    }, TIMEOUT_MS)
    const settle = (problem: string | null): void => {
      clearTimeout(timer)
      resolve(problem)
    }
    child.once('error', (error) => settle(`The command could not be started: ${error.message}.`))
    child.once('exit', (code) => settle(code === 0 ? null : `The command ended with ${code}.`))
    // It may end without reading: EPIPE says nothing that its exit code does not.
    child.stdin.on('error', () => {})
    child.stdin.end(input)
  })
}
