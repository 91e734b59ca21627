/**
 * [BR-4] Freezes processes, and resumes them whatever happens to the recorder. Not the recorder but a guard sends the
 * signals: a shell in a session of its own that resumes what it froze when its pipe closes. So a recorder that is killed
 * leaves no process frozen.
 *
 * The guard is started before it is needed: starting one takes longer than a deletion of a thousand files.
 */
import { type ChildProcessByStdio, spawn } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import { log } from '../ports/log.ts'
import { ignoresTermination, readProcess } from '../ports/process-table.ts'
import { isAlive, type ProcessId } from '../ports/processes.ts'
import type { Proven } from './run-processes.ts'

/**
 * Takes lines: `+ PID START` freezes, `- PID START` resumes, `.` is answered when all lines before it are done. `is`: the
 * process with that number is still the same. Only built-in commands, so that nothing has to be started while the
 * computer is busy.
 */
const GUARD = `set -f
trap '' HUP INT QUIT TERM TSTP PIPE
all=
is() { IFS= read -r stat <"/proc/$1/stat" || return 1; set -- "$2" \${stat##*)}; [ "$1" = "\${21}" ]; }
resume() { is "$1" "$2" && kill -CONT "$1"; }
drop() { rest=; for id in $all; do [ "$id" = "$1:$2" ] || rest="$rest $id"; done; all=$rest; }
while IFS=' ' read -r verb pid start; do
  case $verb in
    +) is "$pid" "$start" && kill -STOP "$pid" && all="$all $pid:$start" ;;
    -) resume "$pid" "$start"; drop "$pid" "$start" ;;
    .) echo . ;;
  esac
done
for id in $all; do resume "\${id%:*}" "\${id#*:}"; done`

type Process = ChildProcessByStdio<Writable, Readable, null>

/**
 * How long after a run began the guard starts, ms: its start holds this thread up while the run's first command starts, and a
 * short run has ended by then. A freeze before that starts it at once.
 */
const GUARD_DELAY_MS = 50
/** Rounds after which a process is given up that starts others faster than they are frozen, or is slow to start its program. */
const ROUNDS = 10
/** How long processes may take to end after the first signal, ms. */
const END_MS = 3000
/** States of ProcessRow. */
const ENDED_OR_STOPPED: ReadonlySet<string> = new Set(['T', 't', 'Z', 'X'])

export interface Frozen {
  /** Resolves when all have stopped, with what they started meanwhile. */
  readonly settled: Promise<void>
  /** Those that are frozen at this moment. */
  pids(): number[]
  resume(): void
  /**
   * Ends all: they get the signal, then continue with it. Those that have not ended after a while are killed. Those that ignore
   * the signal are killed at once: they would continue with what they were stopped for.
   */
  end(): void
}

export function createFreezer() {
  let guard: Process | null = null
  let starting: NodeJS.Timeout | undefined
  const held = new Set<ProcessId>()

  const cancelStart = (): void => {
    clearTimeout(starting)
    starting = undefined
  }
  const start = (): Process | null => {
    cancelStart()
    guard ??= startGuard(() => {
      guard = null
      // It was killed, and nobody else would resume them.
      const left = [...held]
      held.clear()
      signal(left, 'SIGCONT')
    })
    return guard
  }
  const write = (verb: '+' | '-', processes: readonly ProcessId[]): void => {
    if (processes.length === 0) return
    start()?.stdin.write(processes.map(({ pid, start }) => `${verb} ${pid} ${start}\n`).join(''))
  }
  const add = (processes: readonly ProcessId[]): void => {
    for (const id of processes) held.add(id)
    write('+', processes)
  }
  /** Resolves when the guard has done what it was given. */
  const done = (): Promise<void> => {
    const running = guard
    if (!running) return Promise.resolve()
    const { promise, resolve } = Promise.withResolvers<void>()
    running.stdout.once('data', () => resolve())
    running.once('exit', () => resolve())
    running.stdin.write('.\n')
    return promise
  }

  return {
    /** While runs are live, the guard starts soon if it does not run: then freezing takes a moment. */
    keepReady: (areRunsLive: boolean): void => {
      if (!areRunsLive) cancelStart()
      else if (guard === null) starting ??= setTimeout(start, GUARD_DELAY_MS).unref()
    },
    /** Freezes `first` at once, then what `find` finds. Neither holds processes that are stopped already. */
    freeze(first: readonly ProcessId[], find: () => Proven): Frozen {
      const own = [...first]
      let isOver = false
      add(own)
      const freezeOthers = async (): Promise<void> => {
        for (let round = 0; round < ROUNDS; round++) {
          await done()
          // One that got the signal may not have stopped yet.
          if (isOver) return
          const { processes, isStarting } = find()
          const others = processes.filter(({ pid, start }) => !own.some((id) => id.pid === pid && id.start === start))
          if (others.length === 0 && !isStarting && !own.some(isRunning)) return
          own.push(...others)
          add(others)
        }
      }
      const settled = freezeOthers().catch((error: unknown) => log.error('not every process could be frozen', error))
      const resume = (): void => {
        if (isOver) return
        isOver = true
        const still = own.filter((id) => held.delete(id))
        write('-', still)
      }
      return {
        settled,
        pids: () => (isOver ? [] : own.filter((id) => held.has(id) && isStopped(id)).map(({ pid }) => pid)),
        resume,
        end: () => {
          const deaf = own.filter((id) => stateOf(id) !== null && ignoresTermination(id.pid))
          signal(deaf, 'SIGKILL')
          signal(own, 'SIGTERM')
          resume()
          setTimeout(() => signal(own, 'SIGKILL'), END_MS).unref()
        }
      }
    },
    /** Ends the guard, which resumes everything. */
    close: (): void => {
      cancelStart()
      held.clear()
      guard?.stdin.end()
      guard = null
    }
  }
}

function isStopped(id: ProcessId): boolean {
  return stateOf(id) === 'T'
}

/** Also of one that got the signal and waits for a core, on which it will stop. */
function isRunning(id: ProcessId): boolean {
  const state = stateOf(id)
  return state !== null && !ENDED_OR_STOPPED.has(state)
}

/** As in ProcessRow; null when it has ended. */
function stateOf({ pid, start }: ProcessId): string | null {
  const row = readProcess(pid)
  return row?.start === start ? row.state : null
}

function signal(processes: readonly ProcessId[], name: NodeJS.Signals): void {
  for (const id of processes) {
    try {
      if (isAlive(id)) process.kill(id.pid, name)
    } catch (error) {
      // It has just ended, or belongs to another user.
      if (!(error instanceof Error && 'code' in error)) throw error
    }
  }
}

/** Null where none can be started: then nothing is frozen. */
function startGuard(onEnd: () => void): Process | null {
  if (process.platform !== 'linux') return null
  try {
    // Without our variables: it must not look like a process of a run.
    const guard = spawn('/bin/sh', ['-c', GUARD, 'driftline-guard'], {
      detached: true,
      stdio: ['pipe', 'pipe', 'ignore'],
      env: {}
    })
    guard.once('error', (error) => {
      log.error('no process can be frozen', error)
      onEnd()
    })
    guard.once('exit', onEnd)
    // EPIPE: it was killed, and `exit` follows.
    guard.stdin.on('error', () => {})
    guard.unref()
    for (const pipe of [guard.stdin, guard.stdout]) (pipe as Writable & { unref?(): void }).unref?.()
    return guard
  } catch (error) {
    // EAGAIN, EPERM: a sandbox may refuse processes.
    log.error('no process can be frozen', error)
    return null
  }
}
