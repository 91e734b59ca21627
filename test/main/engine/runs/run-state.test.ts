/** "Is this run over?", as data: every transition, and what does not end a run. */
import { expect, test } from 'vitest'
import { type RunFacts, runState } from '../../../../src/main/engine/runs/run-state.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const NOW = 100 * HOUR

/** A run in the middle of its work, heard from just now. */
const BUSY: RunFacts = {
  source: 'hooks',
  signal: 'check',
  waiting: false,
  working: 0,
  openCalls: 0,
  begun: true,
  alive: true,
  lastEventAt: NOW
}

type Result = 'live' | 'completed' | 'cancelled' | 'interrupted'

const CASES: readonly (readonly [title: string, facts: Partial<RunFacts>, result: Result])[] = [
  // The end of a command.
  ['`driftline run` ends with its command', { source: 'command', signal: 'exit' }, 'completed'],
  ['… even while a tool call inside it is open', { source: 'command', signal: 'exit', openCalls: 1 }, 'completed'],
  ['a hooked run that is ended by hand ends', { signal: 'exit' }, 'completed'],

  // What an agent reports.
  ['a run ends when its agent stops', { signal: 'stop' }, 'completed'],
  ['a stop with background work keeps it live', { signal: 'stop', working: 1, openCalls: 1 }, 'live'],
  ['an open call that names its paths is no background work', { signal: 'stop', openCalls: 1 }, 'completed'],
  ['an interrupt cancels it', { signal: 'interrupt' }, 'cancelled'],
  ['… background work included', { signal: 'interrupt', waiting: true, working: 2 }, 'cancelled'],
  ['the end of its session cancels it', { signal: 'session-end' }, 'cancelled'],
  ['a prompt in the middle of work means an interrupt', { signal: 'prompt' }, 'cancelled'],
  ['a prompt during background work continues the run', { signal: 'prompt', waiting: true, working: 1 }, 'live'],
  ['the first prompt of a run opened without one continues it', { signal: 'prompt', begun: false }, 'live'],

  // `driftline run` around an agent.
  ['a stop inside `driftline run` does not end it', { source: 'command', signal: 'stop' }, 'live'],
  ['nor an interrupt', { source: 'command', signal: 'interrupt' }, 'live'],
  ['nor the end of a session', { source: 'command', signal: 'session-end' }, 'live'],
  ['nor another prompt', { source: 'command', signal: 'prompt' }, 'live'],
  ['nor an interrupt in a transcript', { source: 'command', signal: 'found-interrupt' }, 'live'],
  ['nor a client of the file tools that leaves', { source: 'command', signal: 'disconnect' }, 'live'],

  // What no hook reports.
  ['an interrupt in the transcript cancels it', { signal: 'found-interrupt' }, 'cancelled'],
  ['… unless background work continues', { signal: 'found-interrupt', working: 1, openCalls: 1 }, 'live'],
  ['the end of the last background work ends it', { signal: 'found-ends', waiting: true }, 'completed'],
  ['… but not while more of it is open', { signal: 'found-ends', waiting: true, working: 1 }, 'live'],
  ['the end of a call in the middle of a turn does not', { signal: 'found-ends' }, 'live'],

  // The file tools.
  ['a run of the file tools ends when its client leaves', { source: 'tools', signal: 'disconnect' }, 'completed'],
  ['a client of hooks that leaves ends nothing', { source: 'hooks', signal: 'disconnect' }, 'live'],
  ['ten quiet minutes are allowed', { source: 'tools', lastEventAt: NOW - 10 * MINUTE }, 'live'],
  ['after that it is over', { source: 'tools', lastEventAt: NOW - 10 * MINUTE - 1 }, 'completed'],
  ['between two uses the death of its client loses nothing', { source: 'tools', alive: false }, 'completed'],
  ['during a use it does', { source: 'tools', alive: false, openCalls: 1 }, 'interrupted'],

  // The death of a process.
  ['time alone ends no run that is heard from', {}, 'live'],
  ['nor one whose agent works in the background', { waiting: true, working: 1, openCalls: 1 }, 'live'],
  ['a run whose agent died is interrupted', { alive: false }, 'interrupted'],
  ['one whose agent had stopped before is complete', { alive: false, waiting: true, working: 1 }, 'completed'],
  ['six quiet hours are allowed', { lastEventAt: NOW - 6 * HOUR }, 'live'],
  ['after that its agent counts as dead', { lastEventAt: NOW - 6 * HOUR - 1 }, 'interrupted'],
  ['a command may be quiet for as long as it runs', { source: 'command', lastEventAt: 0 }, 'live'],
  ['a command whose process died is interrupted', { source: 'command', alive: false }, 'interrupted'],
  ['… and complete when the agent inside had stopped', { source: 'command', alive: false, waiting: true }, 'completed']
]

test.each(CASES)('[GW-3] [GW-4] %s', (_, facts, result) => {
  const verdict = runState({ ...BUSY, ...facts }, NOW)
  expect(verdict.state === 'ended' ? verdict.completion : verdict.state).toBe(result)
})
