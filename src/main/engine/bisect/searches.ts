/**
 * Searches that the window starts: the command `driftline bisect` as a child of the recorder, one for each folder at a time,
 * so that no probe holds the engine. Their state is in memory; a search ends with the recorder.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import type { BisectProgress, BisectResult, BisectSearch } from '../../../contract/bisect.ts'
import { DriftlineError, type ErrorShape } from '../../../contract/errors.ts'

/** Characters of an unexpected message that are kept. */
const KEPT = 1000
/** How long a search may take to end its command when the recorder ends, ms. */
const PATIENCE_MS = 3000

export interface SearchRequest {
  /** As typed: a shell runs it. */
  readonly command: string
  readonly good?: string
  readonly bad?: string
  readonly hunks: boolean
}

interface Folder {
  readonly workspace: string
  readonly root: string
}

interface SearchesOptions {
  /** Program of the command line. */
  readonly cli: string
  readonly dataDir: string
  now(): number
  onChanged(workspace: string): void
}

export type Searches = ReturnType<typeof createSearches>

export function createSearches(options: SearchesOptions) {
  const states = new Map<string, BisectSearch>()
  const running = new Map<string, { readonly child: ChildProcess; readonly ended: Promise<void> }>()

  const update = (workspace: string, change: Partial<BisectSearch>): void => {
    const state = states.get(workspace)
    if (!state) return
    states.set(workspace, { ...state, ...change })
    options.onChanged(workspace)
  }
  return {
    state: (workspace: string): BisectSearch | null => states.get(workspace) ?? null,
    /** Throws Refused while a search of the folder runs. */
    start: ({ workspace, root }: Folder, request: SearchRequest): BisectSearch => {
      if (running.has(workspace))
        throw new DriftlineError('Refused', 'A search is running in this folder. Wait for it, or cancel it first.')
      const state: BisectSearch = {
        command: request.command,
        good: request.good ?? null,
        bad: request.bad ?? null,
        startedAt: options.now(),
        state: 'running',
        progress: null,
        probes: [],
        result: null,
        problem: null
      }
      states.set(workspace, state)
      const child = startChild(options, root, request)
      const ended = follow(child, {
        onProgress: (progress) => {
          const probes = states.get(workspace)?.probes ?? []
          update(workspace, { progress, probes: progress.probe ? [...probes, progress.probe] : probes })
        },
        onEnd: (end) => {
          running.delete(workspace)
          update(workspace, end)
        }
      })
      running.set(workspace, { child, ended })
      options.onChanged(workspace)
      return state
    },
    /** Ends the probes; the state is `cancelled` once they have. Nothing without a running search. */
    cancel: (workspace: string): void => {
      running.get(workspace)?.child.kill('SIGTERM')
    },
    /** Forgets the answer of a search that ended. */
    dismiss: (workspace: string): void => {
      if (!running.has(workspace) && states.delete(workspace)) options.onChanged(workspace)
    },
    /** Resolves when no search runs any more. */
    close: async (): Promise<void> => {
      const all = [...running.values()]
      for (const { child } of all) child.kill('SIGTERM')
      const timer = setTimeout(() => {
        for (const { child } of all) child.kill('SIGKILL')
      }, PATIENCE_MS)
      await Promise.all(all.map(({ ended }) => ended))
      clearTimeout(timer)
    }
  }
}

function startChild({ cli, dataDir }: SearchesOptions, root: string, request: SearchRequest): ChildProcess {
  const { DRIFTLINE_RUN: _run, ...env } = process.env
  const isElectron = process.versions.electron !== undefined
  const shell = process.platform === 'win32' ? ['cmd', '/d', '/s', '/c'] : ['sh', '-c']
  const args = [
    ...['bisect', '--json', '--progress', 'json', `--data=${dataDir}`, `--folder=${root}`],
    ...(request.good === undefined ? [] : [`--good=${request.good}`]),
    ...(request.bad === undefined ? [] : [`--bad=${request.bad}`]),
    ...(request.hunks ? ['--hunks'] : []),
    ...['--', ...shell, request.command]
  ]
  return spawn(process.execPath, [cli, ...args], {
    cwd: root,
    env: { ...env, ...(isElectron ? { ELECTRON_RUN_AS_NODE: '1' } : {}) },
    stdio: ['ignore', 'pipe', 'pipe'],
    windowsHide: true
  })
}

interface Followed {
  onProgress(progress: BisectProgress): void
  onEnd(end: Pick<BisectSearch, 'state' | 'result' | 'problem'>): void
}

/** Resolves when the child has ended; never rejects. */
function follow(child: ChildProcess, { onProgress, onEnd }: Followed): Promise<void> {
  let printed = ''
  let rest = ''
  let unexpected = ''
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    printed += text
  })
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      const progress = line.startsWith('{') ? parse<BisectProgress>(line) : null
      if (progress) onProgress(progress)
      else unexpected = `${unexpected}${line}\n`.slice(-KEPT)
    }
  })
  return new Promise((resolve) => {
    const end = (state: Pick<BisectSearch, 'state' | 'result' | 'problem'>): void => {
      onEnd(state)
      resolve()
    }
    child.once('error', (error) => end({ state: 'failed', result: null, problem: error.message }))
    child.once('close', () => {
      const answer = parse<BisectResult | { readonly error: ErrorShape }>(printed)
      if (answer === null && unexpected.trim() === '') end({ state: 'cancelled', result: null, problem: null })
      else if (answer === null) end({ state: 'failed', result: null, problem: unexpected.trim() })
      else if ('error' in answer) end({ state: 'failed', result: null, problem: answer.error.message })
      else end({ state: 'done', result: answer, problem: null })
    })
  })
}

function parse<T>(text: string): T | null {
  try {
    return JSON.parse(text) as T
  } catch {
    return null
  }
}
