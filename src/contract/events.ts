/**
 * Named events: what happened in a workspace, for programs that follow it (`driftline events`). They are derived from
 * the log and stored nowhere. One strict schema per event; types come from here. Only tests run the schemas: all others
 * import the types alone.
 */
import { z } from 'zod'
import type { eventCursor } from './param-types.ts'

const seq = z.number().int().min(0)
/** An id of the engine. */
const id = z.string().min(1).max(200)

/** On every event. `seq`: the position at which it happened; of a change, its own number. `at`: ms UTC. */
const envelope = { workspace: id, seq, at: z.number() }

/** A path and what happened to it. `kind`: what it is now, or was when it was deleted. */
const change = {
  path: z.string(),
  change: z.enum(['added', 'deleted', 'modified', 'mode', 'type']),
  kind: z.enum(['file', 'symlink', 'dir', 'special', 'unknown']),
  /** The file looks like it holds credentials. */
  secret: z.boolean()
}

/**
 * Who made a change. `call`, `tool`: null outside the tool calls of a run. `sharedWith`: other runs that may have made
 * it.
 */
const author = {
  run: id,
  turn: id,
  call: id.nullable(),
  tool: z.string().nullable(),
  attribution: z.enum(['declared', 'inferred', 'shared']),
  sharedWith: z.array(id).readonly()
}

const restoreMode = z.enum(['files', 'conversation', 'both'])
const restoreKind = z.enum(['restore', 'undo-run', 'undo', 'redo', 'drift', 'recover', 'apply', 'worktree'])

export const NAMED_EVENTS = {
  /** A run ended. `from`, `to`: its checkpoints, the sides of its diff; `to` is "" if it changed nothing. */
  'run.diff-summary': z.strictObject({
    event: z.literal('run.diff-summary'),
    ...envelope,
    run: id,
    agent: z.string(),
    title: z.string(),
    state: z.enum(['ended', 'interrupted']),
    exitCode: z.number().int().nullable(),
    from: z.string(),
    to: z.string(),
    files: seq,
    added: seq,
    deleted: seq
  }),
  /** A tool changed a path that it named. Lines are null where they cannot be counted. */
  'tool.diff': z.strictObject({
    event: z.literal('tool.diff'),
    ...envelope,
    ...author,
    ...change,
    added: seq.nullable(),
    deleted: seq.nullable()
  }),
  /** A path changed while a command ran, or in the time of a `driftline run`. */
  'shell.side-effect': z.strictObject({
    event: z.literal('shell.side-effect'),
    ...envelope,
    ...author,
    ...change
  }),
  'checkpoint.created': z.strictObject({
    event: z.literal('checkpoint.created'),
    ...envelope,
    checkpoint: id,
    reason: z.enum([
      'run_start',
      'pre_write',
      'end_of_turn',
      'compact',
      'plan_mode',
      'manual',
      'pre_restore_guard',
      'pre_run_drift',
      'run_stopped'
    ]),
    label: z.string(),
    run: id.nullable(),
    turn: id.nullable()
  }),
  /**
   * A warning about the first checkpoint of a run. `drifted`: outside changes became part of it. `incomplete`: versions
   * from before the run may be missing; known when the run ends.
   */
  'checkpoint.warning': z.strictObject({
    event: z.literal('checkpoint.warning'),
    ...envelope,
    checkpoint: id,
    run: id,
    code: z.enum(['drifted', 'incomplete'])
  }),
  /**
   * The folder, its conversation or both are at an earlier position again: read files, messages, todos and plan anew.
   * `checkpoint`: null if the target is none. `toSeq`: null if no files were restored.
   */
  'checkpoint.restored': z.strictObject({
    event: z.literal('checkpoint.restored'),
    ...envelope,
    restore: id,
    checkpoint: id.nullable(),
    target: z.string(),
    toSeq: seq.nullable(),
    mode: restoreMode,
    session: z.string().nullable()
  }),
  /** A path changed outside any run. `drift`: the set of outside changes that it was found in. */
  'drift.found': z.strictObject({ event: z.literal('drift.found'), ...envelope, drift: id, ...change }),
  /** A run was stopped because it deleted too much in a short time. `checkpoint`: where. `deleted`: files by then. */
  'brake.stopped': z.strictObject({
    event: z.literal('brake.stopped'),
    ...envelope,
    checkpoint: id,
    run: id,
    agent: z.string(),
    title: z.string(),
    deleted: seq
  }),
  /** Any restore, undo or recovery wrote its result. */
  'restore.finished': z.strictObject({
    event: z.literal('restore.finished'),
    ...envelope,
    restore: id,
    act: restoreKind,
    state: z.enum(['done', 'partial', 'failed', 'nothing-to-do']),
    target: z.string(),
    guard: id,
    mode: restoreMode,
    files: seq
  })
} as const

export type NamedEventName = keyof typeof NAMED_EVENTS
export type NamedEventOf<N extends NamedEventName> = z.infer<(typeof NAMED_EVENTS)[N]>
export type NamedEvent = { [N in NamedEventName]: NamedEventOf<N> }[NamedEventName]

/**
 * Where a follower is: the newest change and checkpoint that it has, and the runs and restores whose end it does not
 * have. Opaque to callers.
 */
export type EventCursor = z.infer<typeof eventCursor>
