/** A search from its first probe to its answer: which positions are tried when, several at a time, and the smallest change. */
import type {
  BisectProgress,
  BisectResult,
  Candidates,
  ChangePart,
  Probe,
  ProbeResult,
  SkippedPosition
} from '../../../contract/bisect.ts'
import type { Seq } from '../../../contract/log.ts'
import { minimize } from './minimize.ts'
import { type PositionRequest, type ProbeContext, type ProbeOutcome, probe } from './probe.ts'
import { createSearch, type Search, type SearchEnd } from './search.ts'

/** Probes of `--hunks` after which the smallest set so far is the answer. */
const MOST_OF_HUNKS = 200

interface BisectOptions {
  readonly context: ProbeContext
  readonly candidates: Candidates
  /** How many probes at a time. */
  readonly jobs: number
  readonly hunks: boolean
  readonly signal: AbortSignal
  partsBetween(from: Seq, to: Seq): Promise<readonly ChangePart[]>
  onProgress(progress: BisectProgress): void
}

export type BisectAnswer = Omit<BisectResult, 'culprit'> & {
  /** The edits of the cause; null without an answer. */
  readonly edits: readonly Seq[] | null
  readonly hunks: readonly ChangePart[] | null
  readonly isMinimal: boolean
}

/** Throws Refused when the command stops the search, and what the engine throws. Null when the signal aborts it. */
export async function runBisect(options: BisectOptions): Promise<BisectAnswer | null> {
  const { candidates, signal } = options
  const edits = candidates.groups.flat()
  const seqAt = (i: number): Seq => (i === 0 ? candidates.good : (edits[i - 1] as Seq))
  const search = createSearch({
    count: edits.length,
    boundaries: boundariesOf(candidates),
    isGoodKnown: candidates.named.good,
    isBadKnown: candidates.named.bad
  })
  const run = createProbes(options, search, seqAt)
  await searchAll(search, run, options, seqAt)
  if (signal.aborted) return null
  const end = search.end() as SearchEnd
  const { good, bad } = search.bounds()
  const change = end.state === 'found' || end.state === 'unclear' ? end.change : null
  const found = change === null ? null : [seqAt(change)]
  const hunks =
    change !== null && end.state === 'found' && options.hunks ? await smallest(options, run, seqAt, change) : null
  if (signal.aborted) return null
  return {
    state: end.state,
    edits: found,
    hunks: hunks?.parts ?? null,
    isMinimal: hunks?.isMinimal ?? true,
    ...run.records(),
    confidence: 'confidence' in end ? end.confidence : 1,
    good: seqAt(change === null ? good : change - 1),
    bad: seqAt(change ?? bad),
    method: options.context.method === 'copy' ? 'copy' : 'overlay'
  }
}

/** Positions between the groups. */
function boundariesOf({ groups }: Candidates): number[] {
  let at = 0
  return groups.map(({ length }) => (at += length)).slice(0, -1)
}

type Run = ReturnType<typeof createProbes>

function createProbes(options: BisectOptions, search: Search, seqAt: (i: number) => Seq) {
  const { context, candidates, jobs, onProgress } = options
  const between = { good: candidates.good, bad: candidates.bad }
  const probes: Probe[] = []
  const skipped: SkippedPosition[] = []
  /** What the command printed where it failed, by position. */
  const failures = new Map<Seq, string>()
  let spent = 0
  let counted = 0

  const report = (phase: BisectProgress['phase'], probe: Probe | null, left: number): void => {
    const bounds = search.bounds()
    const done = probes.length
    onProgress({
      phase,
      done,
      total: done + left,
      leftMs: counted === 0 ? null : (spent / counted) * Math.ceil(left / jobs),
      good: seqAt(bounds.good),
      bad: seqAt(bounds.bad),
      probe
    })
  }
  const record = (
    phase: BisectProgress['phase'],
    seq: Seq,
    outcome: Exclude<ProbeOutcome, { readonly result: 'aborted' }>
  ): Probe => {
    if (outcome.result === 'skip')
      skipped.push({
        seq,
        why: outcome.why ?? 'command',
        ...('path' in outcome && outcome.path ? { path: outcome.path } : {})
      })
    if (outcome.result === 'bad') failures.set(seq, outcome.output)
    const isRepeat = phase === 'confirm' && probes.some((known) => known.seq === seq)
    const entry: Probe = {
      seq,
      result: outcome.result,
      ms: Math.round(outcome.ms),
      ...(isRepeat ? { repeat: true } : {})
    }
    // A position that could not be prepared was not probed.
    if (outcome.why !== null) return entry
    probes.push(entry)
    spent += outcome.ms
    counted++
    return entry
  }
  return {
    start: (request: Omit<PositionRequest, 'between'>, signal: AbortSignal) =>
      probe(context, { ...request, between }, signal),
    record,
    report,
    records: (): Pick<BisectResult, 'probes' | 'skipped' | 'output'> => ({
      probes,
      skipped,
      output: [...failures.values()].at(-1) ?? ''
    })
  }
}

interface Running {
  readonly i: number
  readonly stop: AbortController
  readonly ended: Promise<void>
}

/** Probes what the search asks for, until it has an answer. Probes whose results are of no more use are stopped. */
async function searchAll(
  search: Search,
  run: Run,
  { jobs, signal }: Pick<BisectOptions, 'jobs' | 'signal'>,
  seqAt: (i: number) => Seq
): Promise<void> {
  const running = new Set<Running>()
  let failure: unknown = null
  const start = (i: number): void => {
    const stop = new AbortController()
    const probed = run.start({ target: `seq:${seqAt(i)}` }, AbortSignal.any([signal, stop.signal]))
    const ended = probed
      .then((outcome) => {
        if (outcome.result === 'aborted' || signal.aborted) return
        const phase = search.phase()
        search.report(i, outcome.result)
        run.report(phase, run.record(phase, seqAt(i), outcome), search.left())
      })
      .catch((error: unknown) => {
        failure ??= error
      })
      .finally(() => running.delete(entry))
    const entry = { i, stop, ended }
    running.add(entry)
  }
  run.report(search.phase(), null, search.left())
  while (failure === null && !signal.aborted) {
    for (const { i, stop } of running) if (search.end() || !search.isUseful(i)) stop.abort()
    for (const i of search.next(
      [...running].map((each) => each.i),
      jobs
    ))
      start(i)
    if (running.size === 0) break
    await Promise.race([...running].map(({ ended }) => ended))
  }
  for (const { stop } of running) stop.abort()
  await Promise.all([...running].map(({ ended }) => ended))
  if (failure !== null) throw failure
}

/** The smallest set of hunks of the found change with which the command fails. */
async function smallest(
  { partsBetween, signal }: BisectOptions,
  run: Run,
  seqAt: (i: number) => Seq,
  change: number
): Promise<{ readonly parts: readonly ChangePart[]; readonly isMinimal: boolean }> {
  const [from, seq] = [seqAt(change - 1), seqAt(change)]
  const parts = await partsBetween(from, seq)
  let left = MOST_OF_HUNKS
  const test = async (apply: readonly ChangePart[]): Promise<ProbeResult> => {
    left--
    const outcome = await run.start({ target: `seq:${seq}`, parts: { from, apply } }, signal)
    if (outcome.result === 'aborted') return 'skip'
    const probe = run.record('hunks', seq, outcome)
    run.report('hunks', probe, Math.ceil(Math.log2(parts.length + 1)))
    return outcome.result
  }
  return minimize(parts, test, () => left > 0 && !signal.aborted)
}
