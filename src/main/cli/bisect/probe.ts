/** [BI-3] One probe of a search: the command at one position, and what its exit code says. */
import { type ChildProcess, spawn } from 'node:child_process'
import { constants } from 'node:os'
import type { Readable } from 'node:stream'
import type { Params, Result } from '../../../contract/api.ts'
import type { ProbeResult, SkippedPosition, WrittenPosition } from '../../../contract/bisect.ts'
import { DriftlineError } from '../../../contract/errors.ts'
import { programStart } from '../../engine/ports/programs.ts'
import { removePosition, removeWritten } from './position-copy.ts'
import { hasFolder, openView, READY, type View, type ViewMethod } from './position-view.ts'

/** As `git bisect run` reads exit codes. */
const SKIPS = 125
const STOPS_ABOVE = 127
/** How often a position is tried while the folder changes under it. */
const MOST_TRIES = 5
/** Between SIGTERM and SIGKILL of a command that is no longer wanted, ms. */
const PATIENCE_MS = 1000
/** Characters of the output that are kept: the error is at the end. */
const KEPT = 4000

export type PositionRequest = Pick<Params<'position.write'>, 'target' | 'between' | 'parts'>

export interface ProbeContext {
  readonly root: string
  /** Where the command starts, from the root. */
  readonly inside: string
  readonly method: ViewMethod
  readonly command: readonly [string, ...string[]]
  readonly env: NodeJS.ProcessEnv
  /** Paths that changed since the search began: later probes have them in their own layer. */
  readonly changing: Set<string>
  /** The position of the newest probe, whose files the next one shares; deleted at the end of the search. */
  readonly newest: { position: WrittenPosition | null }
  write(
    request: PositionRequest & { readonly also: readonly string[]; readonly like?: string }
  ): Promise<Result<'position.write'>>
  changesSince(seq: number): Promise<Result<'position.changes'>>
}

export type ProbeOutcome =
  | { readonly result: ProbeResult; readonly ms: number; readonly output: string; readonly why: null }
  | {
      readonly result: 'skip'
      readonly ms: 0
      readonly output: ''
      readonly why: Exclude<SkippedPosition['why'], 'command'>
      readonly path?: string
    }
  | { readonly result: 'aborted' }

/** Tries again while the folder changes under the probe. Throws Refused for an exit code above 127. */
export async function probe(
  context: ProbeContext,
  request: PositionRequest,
  signal: AbortSignal
): Promise<ProbeOutcome> {
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    if (signal.aborted) return { result: 'aborted' }
    const position = await context.write({ ...request, also: [...context.changing], ...likeNewest(context) })
    try {
      const evicted = position.unavailable.find(({ reason }) => reason === 'pruned' || reason === 'damaged')
      if (evicted) return skipped('not-stored', evicted.path)
      if (!hasFolder(position, context.root, context.inside)) return skipped('folder-missing')
      const run = await runCommand(context, await openView(position, context), signal)
      if (signal.aborted) return { result: 'aborted' }
      const changed = (await context.changesSince(position.head)).paths.filter((path) => !isCovered(position, path))
      for (const path of changed) context.changing.add(path)
      if (changed.length === 0) return { ...run, result: resultOf(run.code, run.output), why: null }
    } finally {
      await replaceNewest(context, position)
    }
  }
  return skipped('folder-changing')
}

/** A copy is changed by its command. */
function likeNewest({ method, newest }: ProbeContext): { readonly like?: string } {
  return method === 'copy' || newest.position === null ? {} : { like: newest.position.folder }
}

/** Deletes the position before it, and what the command wrote. */
async function replaceNewest({ method, newest }: ProbeContext, position: WrittenPosition): Promise<void> {
  const before = newest.position
  newest.position = method === 'copy' ? null : position
  if (method !== 'copy') await removeWritten(position)
  if (before !== null) await removePosition(before)
  if (method === 'copy') await removePosition(position)
}

/** Deletes the position that is kept for the next probe. */
export async function removeNewest({ newest }: Pick<ProbeContext, 'newest'>): Promise<void> {
  const { position } = newest
  newest.position = null
  if (position !== null) await removePosition(position)
}

function skipped(why: Exclude<SkippedPosition['why'], 'command'>, path?: string): ProbeOutcome {
  return { result: 'skip', ms: 0, output: '', why, ...(path === undefined ? {} : { path }) }
}

/** [BI-2] The position has its own version of the path, so that a change on disk does not reach the command. */
function isCovered({ paths, absent }: WrittenPosition, path: string): boolean {
  return paths.includes(path) || absent.some((above) => path === above || path.startsWith(`${above}/`))
}

function resultOf(code: number, output: string): ProbeResult {
  if (code === 0) return 'good'
  if (code === SKIPS) return 'skip'
  if (code <= STOPS_ABOVE) return 'bad'
  throw new DriftlineError(
    'Refused',
    `The command ended with code ${code}, and codes above 127 stop the search. Your folder was not changed. Let the command answer 1 if that is a failure.`,
    { code, output }
  )
}

interface CommandEnd {
  /** 128+n for signal n. */
  readonly code: number
  readonly ms: number
  readonly output: string
}

/** In a process group of its own, which ends with it. */
async function runCommand(context: ProbeContext, view: View, signal: AbortSignal): Promise<CommandEnd> {
  const { file, args, piped } = view.wrap(context.command)
  const startedAt = performance.now()
  const cwd = piped ? '/' : view.cwd
  const env = { ...context.env, PWD: view.cwd }
  const start = programStart(file, args, { cwd, env })
  const child = spawn(start.file, [...start.args], {
    cwd,
    env,
    stdio: piped ? ['ignore', 'pipe', 'pipe', 'pipe'] : ['ignore', 'pipe', 'pipe'],
    detached: process.platform !== 'win32',
    windowsHide: true,
    windowsVerbatimArguments: start.verbatim
  })
  const streams = [child.stdout, ...(piped ? [child.stdio[3]] : [child.stderr])] as Readable[]
  const output = tailOf(streams)
  const mount = piped ? tailOf([child.stderr as Readable]) : () => READY
  const code = await ended(child, signal)
  const ms = performance.now() - startedAt
  // What the command left running would hold the pipes, and the mount.
  kill(child, 'SIGKILL')
  for (const stream of [...streams, child.stderr]) stream?.destroy()
  if (mount() !== READY && !signal.aborted)
    throw new DriftlineError('Refused', `Couldn’t mount the position: ${mount().trim()}. Nothing ran.`, {})
  return { code, ms, output: output() }
}

function ended(child: ChildProcess, signal: AbortSignal): Promise<number> {
  return new Promise((resolve) => {
    let timer: NodeJS.Timeout | undefined
    const stop = (): void => {
      kill(child, 'SIGTERM')
      timer = setTimeout(() => kill(child, 'SIGKILL'), PATIENCE_MS)
    }
    const end = (code: number): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', stop)
      resolve(code)
    }
    child.once('error', () => end(127))
    child.once('exit', (code, killed) => end(killed ? 128 + (constants.signals[killed] ?? 0) : (code ?? 1)))
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop)
  })
}

/** Its group where there are any. */
function kill(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return
  try {
    if (process.platform === 'win32') child.kill(signal)
    else process.kill(-child.pid, signal)
  } catch {
    // It has ended.
  }
}

function tailOf(streams: readonly Readable[]): () => string {
  let text = ''
  for (const stream of streams)
    stream.setEncoding('utf8').on('data', (piece: string) => {
      text = (text + piece).slice(-KEPT)
    })
  return () => text
}
