/** A replay: its steps, their times while it plays, its files at a step, and its marks. Pure. */
import type { FileChange } from '../../contract/diff.ts'
import type { Seq } from '../../contract/log.ts'
import type { ReplayCall, ReplayEdit, ReplayMoment, ReplayPage } from '../../contract/replay.ts'
import type { TestResult } from '../../contract/tests.ts'

/** What is replayed: a run or turn, or everything between two positions. */
export interface ReplayRange {
  readonly target: string
  readonly to: string | null
}

export interface OpenReplay extends ReplayRange {
  /** The position shown; null: the start. */
  readonly seq: Seq | null
  /** The file whose diff stays; null: that of each edit. */
  readonly path: string | null
}

/** One edit. Step n is the folder after the n-th edit; 0 is the start. */
export interface Step {
  readonly seq: Seq
  readonly path: string
  readonly at: number
  readonly change: 'added' | 'modified' | 'deleted'
  readonly by: 'own' | 'run' | 'outside' | 'restore'
  readonly call: ReplayCall | null
  readonly added: number | null
  readonly deleted: number | null
}

export function stepsOf({ paths, calls, edits }: Pick<ReplayPage, 'paths' | 'calls' | 'edits'>): Step[] {
  return edits.map(([seq, path, at, change, by, call, added, deleted]) => ({
    ...{ seq, path: paths[path] ?? '', at, change, by, call: calls[call] ?? null, added, deleted }
  }))
}

/** The loaded page with the one behind it; the same object if that has nothing new. */
export function mergePages(loaded: ReplayPage, news: ReplayPage): ReplayPage {
  const { paths, calls, prompts, tests, more } = loaded
  const isSame = news.prompts.length === prompts.length && news.tests.length === tests.length && news.more === more
  if (news.edits.length === 0 && isSame) return loaded
  const edits = news.edits.map(([seq, path, at, change, by, call, added, deleted]): ReplayEdit => {
    return [seq, path + paths.length, at, change, by, call < 0 ? call : call + calls.length, added, deleted]
  })
  return {
    ...news,
    paths: [...paths, ...news.paths],
    calls: [...calls, ...news.calls],
    edits: [...loaded.edits, ...edits]
  }
}

/**
 * A page that was requested again from the start, before what was loaded behind it: its edits are the same, but lines may be
 * counted by now. Each table then has rows of both.
 */
export function withTail(page: ReplayPage, loaded: ReplayPage): ReplayPage {
  const last = page.edits.at(-1)?.[0]
  if (!page.more || last === undefined) return page
  const edits = loaded.edits.filter(([seq]) => seq > last)
  return edits.length === 0 ? page : { ...mergePages(page, { ...loaded, edits }), more: loaded.more, left: loaded.left }
}

/** Number of the edits up to a position. */
export function stepAtSeq(steps: readonly Step[], seq: Seq): number {
  return countWhere(steps.length, (i) => (steps[i]?.seq ?? 0) <= seq)
}

/** How many of `length` leading indexes hold; those that hold come first. */
function countWhere(length: number, holds: (index: number) => boolean): number {
  let [low, high] = [0, length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (holds(middle)) low = middle + 1
    else high = middle
  }
  return low
}

// ---- time ----

export const SPEEDS = [1, 2, 4, 8, 16, 32] as const
export type Speed = (typeof SPEEDS)[number]

/** The next faster or slower speed. */
export function changedSpeed(speed: Speed, by: 1 | -1): Speed {
  const at = SPEEDS.indexOf(speed) + by
  return SPEEDS[Math.min(SPEEDS.length - 1, Math.max(0, at))] ?? speed
}

/** A pause of the agent, as it is replayed, ms; and the least time of a step, so that a burst can be followed. */
const LONGEST_PAUSE = 2000
const SHORTEST_STEP = 100

/** When each step is reached at speed 1, ms from the start: as recorded, without its pauses. */
export function timesOf(steps: readonly Step[]): Float64Array {
  const times = new Float64Array(steps.length)
  for (let i = 1; i < steps.length; i++) {
    const pause = (steps[i]?.at ?? 0) - (steps[i - 1]?.at ?? 0)
    times[i] = (times[i - 1] ?? 0) + Math.min(LONGEST_PAUSE, Math.max(SHORTEST_STEP, pause))
  }
  return times
}

/** The step that is shown `ms` after the start: the first one at once. */
export function stepAtTime(times: Float64Array, ms: number): number {
  return countWhere(times.length, (i) => (times[i] ?? 0) <= ms)
}

export function timeOfStep(times: Float64Array, step: number): number {
  return step <= 0 ? -1 : (times[step - 1] ?? 0)
}

/** The most time that one frame plays, ms: a page in the background gets no frames, and time does not pass there. */
const LONGEST_FRAME = 250

interface Frame {
  readonly step: number
  /** Another step than the frame before. */
  readonly isMoved: boolean
  /** The end, or backwards the start, is reached. */
  readonly isOver: boolean
}

/** Plays from a step on; `startedAt`, ms. Call it with the time of each frame, which may be before `startedAt` in the first. */
export function createPlayhead(times: Float64Array, from: number, direction: 1 | -1, startedAt: number) {
  let ms = timeOfStep(times, from)
  let last = startedAt
  let at = from
  return (now: number, speed: Speed, times: Float64Array): Frame => {
    ms += Math.min(Math.max(now - last, 0), LONGEST_FRAME) * speed * direction
    last = Math.max(now, last)
    const step = Math.max(0, stepAtTime(times, ms))
    const isMoved = step !== at
    at = step
    return { step, isMoved, isOver: direction > 0 ? step >= times.length : ms < 0 }
  }
}

// ---- files and conversation ----

export interface ReplayFile {
  readonly path: string
  readonly change: Extract<FileChange['change'], 'added' | 'modified' | 'deleted'>
  /** Position of its newest edit. */
  readonly seq: Seq
}

/** The numbers of the steps that edit each path, in their order; paths in theirs. */
export type StepsOfPaths = ReadonlyMap<string, readonly number[]>

export function stepsOfPaths(steps: readonly Step[]): StepsOfPaths {
  const found = new Map<string, number[]>()
  for (const [i, { path }] of steps.entries()) {
    const own = found.get(path)
    if (own) own.push(i + 1)
    else found.set(path, [i + 1])
  }
  return new Map([...found].sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** The files that differ from the start at a step, by path. A file that came and went again is not one of them. */
export function filesAt(steps: readonly Step[], paths: StepsOfPaths, step: number): ReplayFile[] {
  const files: ReplayFile[] = []
  for (const [path, own] of paths) {
    const last = steps[newestOf(own, step) - 1]
    if (!last) continue
    const isNew = steps[(own[0] as number) - 1]?.change === 'added'
    if (isNew && last.change === 'deleted') continue
    files.push({ path, seq: last.seq, change: isNew ? 'added' : last.change === 'deleted' ? 'deleted' : 'modified' })
  }
  return files
}

/** The newest of some step numbers up to a step; 0 before the first. */
function newestOf(own: readonly number[], step: number): number {
  return own[countWhere(own.length, (i) => (own[i] as number) <= step) - 1] ?? 0
}

/** Position of the newest edit of a path up to a step; null before the first. */
export function lastEditOf(steps: readonly Step[], paths: StepsOfPaths, path: string, step: number): Seq | null {
  return steps[newestOf(paths.get(path) ?? [], step) - 1]?.seq ?? null
}

/** Seq of the newest message at a time; the first one before all of them; null without any. */
export function messageAt(messages: ReplayPage['messages'], at: number): number | null {
  const found = countWhere(messages.length, (i) => (messages[i]?.[1] ?? 0) <= at)
  return messages[Math.max(0, found - 1)]?.[0] ?? null
}

/** The lines, from 1, that an edit changed in the later text; of a deletion the line in its place. */
export function changedLines(edited: ReplayMoment['edited']): readonly number[] {
  return edited.flatMap(({ from, to }) =>
    Array.from({ length: Math.max(1, to - from) }, (_, i) => Math.max(1, from + i + (to > from ? 1 : 0)))
  )
}

// ---- marks ----

export type Mark = { readonly step: number } & (
  | { readonly kind: 'prompt'; readonly text: string }
  | { readonly kind: 'test'; readonly test: TestResult }
  | { readonly kind: 'drift'; readonly path: string }
  | { readonly kind: 'tool'; readonly call: ReplayCall }
)

/** The most important first: where there is no room for all, that one is shown. */
const IMPORTANCE: readonly Mark['kind'][] = ['prompt', 'test', 'drift', 'tool']

/** Prompts, tests, outside changes and tool calls, in the order of their steps. */
export function marksOf(
  steps: readonly Step[],
  { prompts, tests }: Pick<ReplayPage, 'prompts' | 'tests'>
): readonly Mark[] {
  const isFirst = (i: number, same: (a: Step, b: Step) => boolean): boolean => {
    const [before, edit] = [steps[i - 1], steps[i]]
    return !before || !edit || !same(before, edit)
  }
  const marks: Mark[] = [
    ...prompts.map(({ seq, text }): Mark => ({ kind: 'prompt', step: stepAtSeq(steps, seq), text })),
    ...tests.map((test): Mark => ({ kind: 'test', step: stepAtSeq(steps, test.seq), test })),
    ...steps.flatMap((edit, i): Mark[] => {
      if (edit.by === 'outside')
        return isFirst(i, (a) => a.by === 'outside') ? [{ kind: 'drift', step: i + 1, path: edit.path }] : []
      const { call } = edit
      return call && isFirst(i, (a, b) => a.call?.id === b.call?.id) ? [{ kind: 'tool', step: i + 1, call }] : []
    })
  ]
  const rank = ({ kind }: Mark): number => IMPORTANCE.indexOf(kind)
  return marks.sort((a, b) => a.step - b.step || rank(a) - rank(b))
}

/** The marks to draw where at most `slots` fit beside each other: of each slot the most important one. */
export function visibleMarks(marks: readonly Mark[], steps: number, slots: number): readonly Mark[] {
  const best = new Map<number, Mark>()
  for (const mark of marks) {
    const slot = steps === 0 ? 0 : Math.round((mark.step / steps) * slots)
    const shown = best.get(slot)
    if (!shown || IMPORTANCE.indexOf(mark.kind) < IMPORTANCE.indexOf(shown.kind)) best.set(slot, mark)
  }
  return [...best.values()]
}

/** The step of the next mark, or of the one before, without tool calls. */
export function markFrom(marks: readonly Mark[], step: number, by: 1 | -1): number | null {
  const stops = marks.filter(({ kind }) => kind !== 'tool')
  const found = by > 0 ? stops.find((mark) => mark.step > step) : stops.findLast((mark) => mark.step < step)
  return found?.step ?? null
}

// ---- the address ----

/** `run_a@120`, `cp_a..now@120`; "" for none. */
export function replayToText(replay: OpenReplay | null): string {
  if (!replay) return ''
  const { target, to, seq } = replay
  return `${target}${to === null ? '' : `..${to}`}${seq === null ? '' : `@${seq}`}`
}

/** Null for a text that names none. */
export function replayOfText(text: string, path: string): OpenReplay | null {
  const [, target, to = null, seq] = /^([\w:-]+)(?:\.\.([\w:-]+))?(?:@(\d{1,15}))?$/.exec(text) ?? []
  return target === undefined ? null : { target, to, seq: seq === undefined ? null : Number(seq), path: path || null }
}
