/**
 * Answers "is this run over?". What is known about a live run (its signals, its open work, its process, the time) goes
 * in; whether it stays live, and how it ended if not, comes out. Nothing else decides it: hook events, transcripts,
 * status files, the end of a command and the death of a process are only inputs. `runState` is pure; endRun
 * (end-run.ts) carries the decision out.
 */
import { isAlive } from '../ports/processes.ts'
import type { Store } from '../store/open-store.ts'
import { liveRuns, type RunRow, type RunSource } from '../store/runs.ts'
import { findSession } from '../store/sessions.ts'
import { openCallsOf } from '../store/tool-calls.ts'
import { awaitsPrompt } from './agent-runs.ts'

/**
 * What was just learned about a run.
 * check        nothing: only time has passed, and the process may have died
 * exit         the command of `driftline run` exited
 * stop         the agent reported that it is done
 * prompt       the agent reported another prompt
 * interrupt    the agent reported that a person interrupted it
 * session-end  the agent reported that its session ended
 * found-interrupt  no hook reported it, but the transcript or the agent's status file shows an interrupt of this turn
 * found-ends   no hook reported them, but the transcript shows the ends of tool calls
 * disconnect   the client of the file tools disconnected
 */
type RunSignal =
  | 'check'
  | 'exit'
  | 'stop'
  | 'prompt'
  | 'interrupt'
  | 'session-end'
  | 'found-interrupt'
  | 'found-ends'
  | 'disconnect'

export interface RunFacts {
  readonly source: RunSource
  readonly signal: RunSignal
  /** Its agent has stopped before; only background work of it continues. */
  readonly waiting: boolean
  /** Number of background tasks: as the agent reported them, else its open calls that may write anywhere. */
  readonly working: number
  readonly openCalls: number
  /** It has a prompt, or a tool call of it has ended. */
  readonly begun: boolean
  /** False only when its process is known to be gone. */
  readonly alive: boolean
  /** When it was last heard from, ms UTC. */
  readonly lastEventAt: number
}

/** How a run ended. */
export type RunOver =
  | { readonly state: 'ended'; readonly completion: 'completed' | 'cancelled' }
  | { readonly state: 'interrupted'; readonly completion: 'interrupted' }

type RunVerdict = { readonly state: 'live' } | RunOver

const LIVE: RunVerdict = { state: 'live' }
const COMPLETED: RunOver = { state: 'ended', completion: 'completed' }
const CANCELLED: RunOver = { state: 'ended', completion: 'cancelled' }
const INTERRUPTED: RunOver = { state: 'interrupted', completion: 'interrupted' }

/**
 * A run that was not heard from for longer counts as dead, ms. Hooks: a process id may be missing or shared. Tools: a
 * client does not report when it is done. A command reports nothing while it works.
 */
const MAX_QUIET_MS: Readonly<Record<RunSource, number>> = {
  command: Number.POSITIVE_INFINITY,
  hooks: 6 * 3600_000,
  tools: 10 * 60_000
}

interface Transition {
  readonly on: readonly RunSignal[]
  readonly of: readonly RunSource[]
  readonly if?: (facts: RunFacts, now: number) => boolean
  readonly to: RunOver
}

const ALL: readonly RunSource[] = ['command', 'hooks', 'tools']
const AGENTS: readonly RunSource[] = ['hooks', 'tools']

/** From live to over: the first one that applies. When none does, the run stays live. */
const TRANSITIONS: readonly Transition[] = [
  // A command run ends with its command only, whatever agents inside it report.
  { on: ['exit'], of: ALL, to: COMPLETED },
  { on: ['stop'], of: AGENTS, if: ({ working }) => working === 0, to: COMPLETED },
  // Background work included.
  { on: ['interrupt', 'session-end'], of: AGENTS, to: CANCELLED },
  // Some agents report no interrupt: a prompt in the middle of work means that there was one.
  { on: ['prompt'], of: AGENTS, if: ({ begun, waiting }) => begun && !waiting, to: CANCELLED },
  { on: ['found-interrupt'], of: AGENTS, if: ({ working }) => working === 0, to: CANCELLED },
  { on: ['found-ends'], of: AGENTS, if: ({ waiting, working }) => waiting && working === 0, to: COMPLETED },
  { on: ['disconnect'], of: ['tools'], to: COMPLETED },
  // [GW-3] Dead runs. One that had stopped, or was between two uses of a tool, lost nothing.
  { on: ['check'], of: ['tools'], if: (facts, now) => isDead(facts, now) && facts.openCalls === 0, to: COMPLETED },
  { on: ['check'], of: ['command', 'hooks'], if: (facts, now) => isDead(facts, now) && facts.waiting, to: COMPLETED },
  { on: ['check'], of: ALL, if: isDead, to: INTERRUPTED }
]

/** `now`: ms UTC. */
export function runState(facts: RunFacts, now: number): RunVerdict {
  const transition = TRANSITIONS.find(
    ({ on, of, if: applies }) =>
      on.includes(facts.signal) && of.includes(facts.source) && (applies === undefined || applies(facts, now))
  )
  return transition?.to ?? LIVE
}

function isDead({ source, alive, lastEventAt }: RunFacts, now: number): boolean {
  return !alive || now - lastEventAt > MAX_QUIET_MS[source]
}

/** What is recorded about a live run. */
export function runFacts(store: Store, run: RunRow, signal: RunSignal): RunFacts {
  const calls = openCallsOf(store, run.id)
  const session = run.session === null ? null : findSession(store, run.session)
  return {
    source: run.source,
    signal,
    waiting: (session?.background ?? 0) > 0,
    working: calls.filter((call) => call.wholeFolder === 1).length,
    openCalls: calls.length,
    begun: !awaitsPrompt(store, run),
    // The process decides only where nothing is reported.
    alive: signal !== 'check' || run.pid <= 0 || isAlive({ pid: run.pid, start: run.pid_start }),
    lastEventAt: run.last_event_at
  }
}

/** [RS-8] Live runs that may write at any moment. A run through the file tools writes only during a call. */
export function busyRuns(store: Store): RunRow[] {
  return liveRuns(store).filter((run) => run.source !== 'tools' || openCallsOf(store, run.id).length > 0)
}
