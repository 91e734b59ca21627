/**
 * The lines of a bundle of one run, read from the history: what the run and others did to its files from its start to its
 * end, so that its own changes are distinguished from theirs; its conversation; its comments. Nothing else from the history.
 */
import type { AtifStep, AtifTrajectory } from '../../../contract/atif.ts'
import type { Seq } from '../../../contract/log.ts'
import { formatRequestedPatch, resolveChanges, withoutImpliedFolders } from '../diff/requested-changes.ts'
import { looksSecret } from '../files/secret-path.ts'
import { describeComments } from '../review/comments.ts'
import { findingsOf } from '../review/findings.ts'
import { outputsOf } from '../store/call-outputs.ts'
import { listCommentRows } from '../store/comments.ts'
import { authorsBetween, editsOfRun } from '../store/edit-calls.ts'
import type { EditRow } from '../store/edits.ts'
import { lastAnswerTo, messagesOf, promptSeq } from '../store/messages.ts'
import type { Store } from '../store/open-store.ts'
import { textsOfRun } from '../store/run-texts.ts'
import { attributedTo, type RunRow } from '../store/runs.ts'
import { findSession } from '../store/sessions.ts'
import { callsOf, type ToolCallRow } from '../store/tool-calls.ts'
import { sessionOfTurn, turnsOf } from '../store/turns.ts'
import { type AtifCall, type AtifMessage, stepsOf } from './atif.ts'
import { type BundleCounts, contentLines, type LeftOut, pieces, versionLine } from './content-lines.ts'
import { BUNDLE_LIMITS, BUNDLE_VERSION, isBundlePath } from './line-schema.ts'
import type { Mask } from './mask.ts'

export interface BundleRequest {
  readonly run: RunRow
  /** Name of the recorded folder. */
  readonly folder: string
  /** Version of Driftline. */
  readonly by: string
  /** ms UTC */
  readonly now: number
  readonly mask: Mask
  /** The trajectory and its steps alone. */
  readonly conversationOnly: boolean
}

/** Yields the objects of the lines, without line feeds. `counts` grows meanwhile. */
export async function* bundleLines(
  store: Store,
  request: BundleRequest,
  counts: BundleCounts
): AsyncGenerator<object, void> {
  let lines = 0
  for await (const line of allLines(store, request, counts)) {
    lines++
    yield line
  }
  yield { end: { lines, maskedLines: request.mask.masked, hiddenFiles: counts.hidden.size } }
}

async function* allLines(store: Store, request: BundleRequest, counts: BundleCounts): AsyncGenerator<object, void> {
  yield headerOf(store, request)
  if (request.conversationOnly) {
    yield* conversationLines(store, request, counts)
    return
  }
  const edits = editsAround(store, request.run)
  const placeOf = positions(edits)
  yield* turnLines(store, request, placeOf)
  yield* callLines(store, request, placeOf)
  const left = yield* contentLines(store, request.mask, edits, counts)
  yield* editLines(store, request, edits, left)
  counts.edits = edits.length
  const stepOf = yield* conversationLines(store, request, counts)
  yield* commentLines(store, request, stepOf, counts)
  yield* await findingAndPatchLines(store, request, counts)
}

/** A longer text would not fit in a line. */
const MOST_TEXT = BUNDLE_LIMITS.line / 8
const MOST_NAME = 10_000

function cut(text: string, most = MOST_TEXT): string {
  return text.length <= most ? text : `${text.slice(0, most)}…`
}

function headerOf(store: Store, { run, folder, by, now, mask }: BundleRequest): object {
  const { label, userNote } = textsOfRun(store, run.id)
  return {
    driftline: 'bundle',
    version: BUNDLE_VERSION,
    exportedAt: now,
    by,
    folder,
    run: {
      id: run.id,
      title: cut(mask.text(run.title), MOST_NAME),
      ...(label === '' ? {} : { label: cut(mask.text(label), MOST_NAME) }),
      ...(userNote === '' ? {} : { note: cut(mask.text(userNote), MOST_NAME) }),
      agent: run.agent,
      state: run.state,
      startedAt: run.started_at,
      endedAt: run.ended_at ?? run.started_at,
      exitCode: run.exit_code,
      completion: run.completion,
      attributed: attributedTo(run),
      drifted: run.drifted === 1,
      incomplete: run.incomplete === 1
    }
  }
}

/** All edits of the run's paths from its start to its end, in log order. */
function editsAround(store: Store, run: RunRow): EditRow[] {
  const { records } = store
  const own = editsOfRun(store, run.id)
  const last = Math.max(run.end_seq ?? 0, own.at(-1) ?? 0)
  const first = Math.min(run.start_seq + 1, own[0] ?? Number.POSITIVE_INFINITY)
  const paths = new Set(own.map((seq) => records.edit(seq).path))
  return [...paths]
    .filter((path) => isBundlePath(records.pathOf(path)))
    .flatMap((path) => records.editsOf(path).filter(({ seq }) => seq >= first && seq <= last))
    .sort((a, b) => a.seq - b.seq)
}

/** How many of the edits are at or before a position. */
function positions(edits: readonly EditRow[]): (seq: Seq) => number {
  const seqs = edits.map(({ seq }) => seq)
  return (seq) => {
    let [low, high] = [0, seqs.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((seqs[middle] as number) <= seq) low = middle + 1
      else high = middle
    }
    return low
  }
}

function* turnLines(store: Store, { run, mask }: BundleRequest, placeOf: (seq: Seq) => number): Generator<object> {
  for (const turn of turnsOf(store, run.id))
    yield {
      turn: {
        id: turn.id,
        prompt: cut(mask.text(turn.prompt)),
        startedAt: turn.started_at,
        endedAt: turn.ended_at,
        start: placeOf(turn.start_seq),
        end: placeOf(turn.end_seq ?? Number.MAX_SAFE_INTEGER)
      }
    }
}

function* callLines(store: Store, { run, mask }: BundleRequest, placeOf: (seq: Seq) => number): Generator<object> {
  const calls = callsOf(store, run.id)
  const outputs = outputsOf(store, calls)
  for (const call of calls) {
    const output = outputs.get(call.id)
    const start = placeOf(call.start_seq)
    yield {
      call: {
        id: call.id,
        turn: call.turn,
        name: call.name.slice(0, 1000),
        summary: cut(mask.text(call.summary)),
        paths: pathsOf(call),
        subagent: call.subagent,
        wholeFolder: call.wholeFolder === 1,
        complete: call.complete === 1,
        state: call.state === 'done' || call.state === 'failed' ? call.state : 'abandoned',
        startedAt: call.opened_at,
        endedAt: Math.max(call.opened_at, call.closed_at ?? call.opened_at),
        start,
        end: Math.max(start, placeOf(call.end_seq ?? Number.MAX_SAFE_INTEGER)),
        ...(output ? { output: { text: mask.text(output.text), cut: output.cut } } : {})
      }
    }
  }
}

/** Only those inside the folder: others name places on the sender's computer. */
function pathsOf({ paths }: ToolCallRow): string[] {
  return (JSON.parse(paths) as string[]).filter(isBundlePath).slice(0, 10_000)
}

/** Edits of others have neither turn nor call: whose they are is not part of this run. */
function* editLines(store: Store, { run }: BundleRequest, edits: readonly EditRow[], left: LeftOut): Generator<object> {
  const { records } = store
  const [first, last] = [edits[0]?.seq ?? 1, edits.at(-1)?.seq ?? 0]
  const authors = new Map(
    authorsBetween(store, first - 1, last).flatMap((author) => (author.run === run.id ? [[author.edit, author]] : []))
  )
  const numbers = new Map(edits.map(({ seq }, n) => [seq, n + 1]))
  for (const edit of edits) {
    const path = records.pathOf(edit.path)
    const author = authors.get(edit.seq)
    const movedFrom = edit.movedFrom === null ? undefined : numbers.get(edit.movedFrom)
    const line = (id: number): object => versionLine(records.version(id), path, left)
    yield {
      edit: {
        path,
        before: line(edit.before),
        after: line(edit.after),
        ...(author ? { turn: author.turn, ...(author.call === null ? {} : { call: author.call }) } : {}),
        attribution: author ? edit.attribution : 'none',
        at: edit.at,
        ...(movedFrom === undefined ? {} : { movedFrom })
      }
    }
  }
}

/** Returns the steps of messages, by the seq of the message. */
function* conversationLines(
  store: Store,
  { run, mask, by }: BundleRequest,
  counts: BundleCounts
): Generator<object, ReadonlyMap<number, number>> {
  const turns = turnsOf(store, run.id)
  const session = findSession(store, run.session ?? (turns[0] && sessionOfTurn(store, turns[0].id)) ?? '')
  const model = session?.model ?? ''
  const trajectory: AtifTrajectory = {
    schema_version: 'ATIF-v1.6',
    session_id: session?.id ?? run.id,
    agent: { name: run.agent, version: by, ...(model === '' ? {} : { model_name: model }) },
    extra: { run: run.id, title: mask.text(run.title) }
  }
  yield { trajectory }
  const ofRun = new Set(turns.map(({ id }) => id))
  const messages = session ? messagesOfTurns(store, session.id, ofRun) : promptsOf(turns)
  const steps = new Map<number, number>()
  for (const step of stepsOf(messages, callsOfRun(store, run), model)) {
    const { message } = step.extra
    if (message !== undefined) {
      steps.set(message, step.step_id)
      counts.messages++
    }
    yield { step: maskedStep(step, mask) }
  }
  return steps
}

function maskedStep(step: AtifStep, { text }: Mask): AtifStep {
  const { message, tool_calls: calls, observation } = step
  return {
    ...step,
    message: cut(text(message)),
    ...(calls && {
      tool_calls: calls.map((call) => ({
        ...call,
        arguments: { ...call.arguments, summary: text(call.arguments.summary) }
      }))
    }),
    ...(observation && {
      observation: { results: observation.results.map((result) => ({ ...result, content: text(result.content) })) }
    })
  }
}

function* messagesOfTurns(store: Store, session: string, turns: ReadonlySet<string>): Generator<AtifMessage> {
  const prompts = [...turns].flatMap((turn) => promptSeq(store, session, turn) ?? [])
  const [first, last] = [prompts[0], prompts.at(-1)]
  if (first === undefined || last === undefined) return
  for (const message of messagesOf(store, session, first, lastAnswerTo(store, session, last)))
    if (message.turn !== null && turns.has(message.turn)) yield message
}

/** Of a run without a conversation, as of `driftline run`, the prompts are known alone. */
function promptsOf(turns: ReturnType<typeof turnsOf>): AtifMessage[] {
  return turns.map(({ id, prompt, started_at: at }, n) => ({ seq: n + 1, role: 'user', text: prompt, at, turn: id }))
}

function callsOfRun(store: Store, run: RunRow): AtifCall[] {
  const calls = callsOf(store, run.id)
  const outputs = outputsOf(store, calls)
  return calls.map((call) => ({
    id: call.id,
    turn: call.turn,
    name: call.name,
    summary: call.summary,
    paths: pathsOf(call),
    startedAt: call.opened_at,
    output: outputs.get(call.id) ?? null
  }))
}

/** With their places at the end of the run. */
function* commentLines(
  store: Store,
  { run, mask }: BundleRequest,
  stepOf: ReadonlyMap<number, number>,
  counts: BundleCounts
): Generator<object> {
  for (const comment of describeComments(store, listCommentRows(store, { run: run.id }), run.end_seq)) {
    const { id, at, text, path, line, endLine, message, call, replyTo, state } = comment
    const step = message === null ? undefined : stepOf.get(message.seq)
    counts.comments++
    yield {
      comment: {
        id,
        at,
        text: mask.text(text),
        resolved: state === 'resolved',
        ...(replyTo === null ? {} : { replyTo }),
        ...(path === null || !isBundlePath(path) ? {} : { path }),
        ...(line === null || endLine === null ? {} : { line, endLine }),
        ...(step === undefined ? {} : { step }),
        ...(call === null ? {} : { call: call.id })
      }
    }
  }
}

/** For other readers: both follow from the edits. A patch that would be long, or could hold a secret, is left out. */
async function findingAndPatchLines(
  store: Store,
  { run, mask }: BundleRequest,
  counts: BundleCounts
): Promise<object[]> {
  const { changes } = resolveChanges(store, { target: run.id, scope: 'run' })
  // [UI-6] A rename is one file, and folders of files are none.
  counts.files = withoutImpliedFolders(changes).length
  const { findings } = await findingsOf(store, changes)
  const lines: object[] = findings.map((finding) => ({
    // The hash of a content would allow guesses at what is masked in it.
    finding: { ...finding, text: mask.text(finding.text), version: mask.isOn ? null : finding.version }
  }))
  const shown = changes.filter(({ path }) => !counts.hidden.has(path) && !(mask.isOn && looksSecret(path)))
  const size = shown.reduce((sum, { before, after }) => sum + before.size + after.size, 0)
  if (size > MOST_PATCHED_BYTES) return lines
  const { patch } = formatRequestedPatch(store, shown, 'git')
  const isWhole = mask.bytes(patch)?.equals(patch) ?? false
  return isWhole ? [...lines, ...pieces(patch, 'patch')] : lines
}

const MOST_PATCHED_BYTES = 32 * 1024 * 1024
