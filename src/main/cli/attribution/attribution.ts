/**
 * Who wrote the lines of files, for other tools: read from the edits in force, once for every format. Each file is taken as
 * it is now, or as a commit has it; then only lines that the commit added count.
 */
import { createHash } from 'node:crypto'
import type { Session } from '../../../contract/conversation.ts'
import { DriftlineError } from '../../../contract/errors.ts'
import type { BlameLine, BlamePage } from '../../../contract/log.ts'
import type { RunEntry } from '../../../contract/timeline.ts'
import type { Context } from '../context.ts'
import { addedLinesOf, type Commit, contentAt } from './commits.ts'

/** Lines that one run wrote. */
export interface AttributedLines {
  readonly run: string
  /** From 1, ascending. */
  readonly lines: readonly number[]
  readonly text: readonly string[]
}

export interface AttributedFile {
  /** From the root of the recorded folder. */
  readonly path: string
  /** One for each run, in the order of their first lines. */
  readonly writers: readonly AttributedLines[]
}

/** A run that wrote some of the lines. */
export interface Writer {
  readonly run: RunEntry
  /** Null for a run without a conversation. */
  readonly session: Session | null
  /** Names its conversation, or itself where it has none. */
  readonly conversation: string
}

export interface Attribution {
  readonly commit: Commit | null
  readonly files: readonly AttributedFile[]
  readonly writers: ReadonlyMap<string, Writer>
  /** Paths of the commit of which no recorded version has its content, and files that are no text. */
  readonly skipped: readonly string[]
}

/** `run`: only its lines; null for all runs. `commit`: as it has the files; null for as they are now. */
export async function readAttribution(
  context: Context,
  run: string | null,
  commit: Commit | null
): Promise<Attribution> {
  const only = run === null ? null : await runOf(context, run)
  const paths = commit ? commit.paths : await pathsOf(context, only)
  const files: AttributedFile[] = []
  const skipped: string[] = []
  for (const path of paths) {
    const lines = await linesOf(context, path, commit)
    if (!lines) skipped.push(path)
    else {
      const added = commit ? await addedLinesOf(commit, path) : null
      const kept = lines.filter((line) => line.run !== null && (only === null || line.run === only.id))
      const writers = byRun(added ? kept.filter(({ n }) => added.has(n)) : kept)
      if (writers.length > 0) files.push({ path, writers })
    }
  }
  const ids = new Set(files.flatMap(({ writers }) => writers.map((writer) => writer.run)))
  return { commit, files, writers: await writersOf(context, ids), skipped }
}

export async function runOf({ ask }: Pick<Context, 'ask'>, run: string): Promise<RunEntry> {
  const { entry } = await ask('entry.show', { target: run })
  if (entry.kind === 'run') return entry
  throw new DriftlineError('UnknownTarget', `"${run}" is not a run.`, { target: run })
}

async function pathsOf({ ask }: Context, run: RunEntry | null): Promise<readonly string[]> {
  if (run === null) return (await ask('file.paths', {})).paths.map(({ path }) => path)
  const { files } = await ask('diff.files', { target: run.id, scope: 'run' })
  return files.filter(({ change, undoneBy }) => change !== 'deleted' && undoneBy === undefined).map(({ path }) => path)
}

/** Null for a file without lines, and one that never had this content here. */
async function linesOf({ ask }: Context, path: string, commit: Commit | null): Promise<readonly BlameLine[] | null> {
  const content = commit ? await contentAt(commit, path) : null
  if (commit && !content) return null
  const hash = content && createHash('sha256').update(content).digest('hex')
  try {
    const lines: BlameLine[] = []
    for (let from: number | null = 1; from !== null; ) {
      const page: BlamePage = await ask('file.blame', { path, from, ...(hash ? { hash } : {}) })
      lines.push(...page.lines)
      from = page.next
    }
    return lines
  } catch (error) {
    if (error instanceof DriftlineError && ['NotStored', 'UnknownTarget'].includes(error.code)) return null
    throw error
  }
}

function byRun(lines: readonly BlameLine[]): AttributedLines[] {
  const found = new Map<string, { run: string; lines: number[]; text: string[] }>()
  for (const { run, n, text } of lines) {
    if (run === null) continue
    const writer = found.get(run) ?? { run, lines: [], text: [] }
    writer.lines.push(n)
    writer.text.push(text)
    found.set(run, writer)
  }
  return [...found.values()]
}

async function writersOf({ ask }: Context, runs: ReadonlySet<string>): Promise<Map<string, Writer>> {
  const { sessions } = await ask('sessions.list', {})
  const writers = new Map<string, Writer>()
  for (const id of runs) {
    const run = await runOf({ ask }, id)
    const session = sessions.find((candidate) => candidate.id === run.session) ?? null
    writers.set(id, { run, session, conversation: session?.id ?? run.session ?? run.id })
  }
  return writers
}

/** Ranges of ascending numbers, both ends included. */
export function rangesOf(lines: readonly number[]): (readonly [from: number, to: number])[] {
  const ranges: [number, number][] = []
  for (const line of lines) {
    const last = ranges.at(-1)
    if (last && line === last[1] + 1) last[1] = line
    else ranges.push([line, line])
  }
  return ranges
}
