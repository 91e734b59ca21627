/**
 * What each method of the contract takes: one strict schema per call, made at its first use, because making all of them
 * takes as long as reading a small folder. `Params` in api.ts is inferred from it, so a
 * parameter is written down once. Only the engine runs these schemas; pages, preload and command line import the types
 * alone and stay free of zod. A key that a schema does not name is refused, so that a misspelt option never changes
 * what a call does.
 */
import { z } from 'zod'
import { BISECT_PARAMS } from './bisect-params.ts'
import { BRAKE_PARAMS } from './brake-params.ts'
import { BUNDLE_PARAMS } from './bundle-params.ts'
import { HOST_PARAMS } from './host-params.ts'
import { eventCursor, id, none, once, optionalPaths, path, processId, seq, sessionId, text, ws } from './param-types.ts'
import { REPLAY_PARAMS } from './replay-params.ts'
import { REVIEW_PARAMS } from './review-params.ts'
import { RUN_PARAMS } from './run-params.ts'
import { toolClient, toolUse } from './tool-params.ts'

// ---- what is restored ----

/** What goes back: the files, the conversation, or both. */
const restoreMode = z.enum(['files', 'conversation', 'both'])
export type RestoreMode = z.infer<typeof restoreMode>

/** How a conflict is decided. */
export const resolution = z.enum(['keep', 'replace', 'merge'])
export type Resolution = z.infer<typeof resolution>

/** Per-path resolutions from the preview; they override the request's default for that path. */
const resolutions = z.record(z.string(), resolution).readonly()
export type Resolutions = z.infer<typeof resolutions>

/** Only these hunks, by path: 1-based, as `diff.file` and `diff RUN PATH` number them. */
const hunks = z
  .record(path, z.array(z.number().int().min(1)).max(10_000).readonly())
  .readonly()
  .exactOptional()

/**
 * Lines [from, to) of the version before or after, counted from 0, as `diff.file` shows them. `selectedBlocks` says which
 * changed lines these are.
 */
const lineSelection = z
  .strictObject({ side: z.enum(['before', 'after']), from: z.number().int().min(0), to: z.number().int().min(1) })
  .readonly()
export type LineSelection = z.infer<typeof lineSelection>

/** Only these changed lines, by path. The other changed lines of their hunks stay. */
const lines = z.record(path, z.array(lineSelection).max(1000).readonly()).readonly().exactOptional()

const gitItems = z.array(z.string().min(1).max(1000)).max(10_000).readonly().exactOptional()

/** What a person wants restored or undone. `paths` are root-relative; a folder means all below it; absent = all. */
const restoreRequest = once(() =>
  z.discriminatedUnion('kind', [
    z.strictObject({
      kind: z.literal('restore'),
      target: id,
      paths: optionalPaths,
      outside: z.enum(['keep', 'replace']).exactOptional(),
      /** Absent: both when the target has a conversation and no paths are named, else files. */
      mode: restoreMode.exactOptional(),
      /** Items of git's own state to restore, too, as the plan names them; `lost`: all that git lost. */
      git: gitItems
    }),
    z.strictObject({
      kind: z.literal('undo-run'),
      /** A run or a turn. */
      run: id,
      paths: optionalPaths,
      hunks,
      lines,
      /** Only its edits from one to another; the numbers of hunks are then those of their diff. */
      edits: z.strictObject({ from: seq, to: seq }).exactOptional(),
      onConflict: z.enum(['fail', ...resolution.options]).exactOptional(),
      /** Items that git lost in the run to restore, too, as the plan names them; `lost`: all. */
      git: gitItems
    }),
    z.strictObject({ kind: z.literal('undo') }),
    z.strictObject({ kind: z.literal('redo') }),
    z.strictObject({ kind: z.literal('drift'), drift: id, paths: optionalPaths, hunks, lines }),
    z.strictObject({ kind: z.literal('recover'), how: z.enum(['finish', 'undo']) }),
    /** What the run of an open review of a bundle changed, onto the files here. */
    z.strictObject({ kind: z.literal('apply'), bundle: id, paths: optionalPaths }),
    /** Into the main folder: files of a removed worktree that are nowhere else. `worktree`: its workspace. */
    z.strictObject({ kind: z.literal('worktree'), worktree: id, paths: optionalPaths })
  ])
)
export type RestoreRequest = z.infer<ReturnType<typeof restoreRequest>>

/**
 * `result`: on disk now -> after. `own`: what goes back, as it was recorded. `others`: what everybody else wrote since.
 */
const previewSide = z.enum(['result', 'own', 'others'])
export type PreviewSide = z.infer<typeof previewSide>

const restore = once(() =>
  z.strictObject({ ...ws, request: restoreRequest(), resolutions: resolutions.exactOptional() })
)

// ---- entries, diffs and agents ----

const entryKind = z.enum(['run', 'checkpoint', 'restore', 'drift'])

const diff = once(() =>
  z.strictObject({
    ...ws,
    /** A target; with `to` also "now" for the disk: the reverse direction. */
    target: id,
    scope: z.enum(['run', 'checkpoint', 'turn']).exactOptional(),
    /** A target, or "now" for the disk. */
    to: id.exactOptional(),
    paths: optionalPaths,
    /** Answer with what is counted within about 150 ms; the rest has `counted: false`. */
    quick: z.boolean().exactOptional()
  })
)

const agentSettings = () =>
  z.strictObject({
    agent: id,
    /** Only show the change. */
    dryRun: z.boolean(),
    /** A folder: its project settings instead of the person's. */
    project: path.exactOptional(),
    /** Where the agent keeps its own files, when that is not the usual place. */
    home: path.exactOptional(),
    /** The MCP server instead of the hooks. */
    mcp: z.boolean().exactOptional()
  })

/** Makes the schema of each method's parameters. */
export const PARAMS = {
  'app.info': () => none,
  'app.resume': () => z.strictObject({ stream: id, after: z.number().int().min(0) }),
  'app.command': () => none,
  'editor.find': () => none,
  /** `file`: an absolute path; `line`: from 1 on. */
  'editor.open': () => z.strictObject({ file: path, line: z.number().int().min(1).exactOptional() }),
  'host.state': () => none,
  'history.copy': () => none,
  'recorder.stop': () => z.strictObject({ why: z.enum(['stopped', 'replaced', 'taken-over']) }),
  'host.watch': () => z.strictObject({ on: z.boolean() }),
  'settings.get': () => none,
  'settings.set': () => z.strictObject({ key: id, value: text }),

  ...HOST_PARAMS,
  ...BRAKE_PARAMS,

  'workspaces.list': () => none,
  'workspaces.add': () => z.strictObject({ folder: path, wait: z.boolean(), confirmed: z.boolean().exactOptional() }),
  'workspaces.stopCopy': () => z.strictObject(ws),
  /** `deleteHistory` also deletes what was recorded; also of a workspace that was removed before. */
  'workspaces.remove': () => z.strictObject({ ...ws, deleteHistory: z.boolean() }),
  'workspaces.locate': () => z.strictObject({ ...ws, folder: path }),
  'workspaces.confirmList': () => none,
  'workspaces.find': () => z.strictObject({ folder: path }),
  'workspaces.suggest': () => z.strictObject({ name: path, children: z.array(path).max(10_000).readonly() }),
  /** Accepts `~`; "" gives the git repositories near the home folder that are not recorded. */
  'workspaces.complete': () => z.strictObject({ prefix: path }),

  /** `check`: compare the disk with the log first (DR-5). */
  'workspace.status': () => z.strictObject({ ...ws, check: z.boolean() }),
  'coverage.list': () => z.strictObject(ws),

  /** `before`: only entries older than that entry id, for the next page. */
  'timeline.list': () =>
    z.strictObject({
      ...ws,
      limit: z.number().int().min(1).max(10_000),
      before: id.exactOptional(),
      kinds: z.array(entryKind).readonly().exactOptional(),
      text: text.exactOptional(),
      /** Only runs of this agent. */
      agent: text.exactOptional(),
      /** Only entries of this time or later, ms UTC. */
      since: z.number().int().min(0).exactOptional(),
      /** Only outside changes that nobody accepted or undid. */
      undecided: z.boolean().exactOptional(),
      /** Only runs and outside changes that changed this path or, if it is a folder, anything in it. */
      path: path.exactOptional(),
      /** Only runs with files that others changed later: undoing such a run needs decisions. */
      conflicts: z.boolean().exactOptional(),
      /** The oldest entries instead of the newest; still newest first. */
      oldest: z.boolean().exactOptional(),
      /** Count the lines of live runs with more than 1,000 paths, too; without it they are counted when the run ends. */
      countLive: z.boolean().exactOptional()
    }),
  'entry.show': () => z.strictObject({ ...ws, target: id, countLive: z.boolean().exactOptional() }),

  ...RUN_PARAMS,

  'diff.files': diff,
  /**
   * `use`: what `git apply` takes (the default), or what is read: text of every encoding as UTF-8, and files that may
   * contain secrets only with `secrets`.
   */
  'diff.patch': () =>
    diff().extend({ use: z.enum(['git', 'reading']).exactOptional(), secrets: z.boolean().exactOptional() }),
  'diff.file': () =>
    diff()
      .omit({ quick: true, paths: true })
      .extend({
        path,
        oldPath: path.exactOptional(),
        /**
         * Of a run, a turn or an outside change: only what it changed, or what others changed between its first and its
         * last edit. Absent: all edits between the two positions.
         */
        edits: z.enum(['own', 'others']).exactOptional(),
        /** Large text too. */
        full: z.boolean().exactOptional()
      }),

  ...REPLAY_PARAMS,
  'restore.plan': restore,
  'restore.preview': () => restore().extend({ path, side: previewSide.exactOptional() }),
  /** `plan`: refuse when the plan would now be another one. */
  'restore.apply': () => restore().extend({ plan: id.exactOptional(), whileLive: z.boolean().exactOptional() }),
  'restore.queue': () => restore().extend({ plan: id.exactOptional() }),
  'restore.unqueue': () => z.strictObject({ ...ws, queued: id }),

  /** `target`: there instead of now, and without a conversation. */
  'checkpoint.create': () => z.strictObject({ ...ws, label: z.string().max(500), target: id.exactOptional() }),
  'checkpoint.list': () =>
    z.strictObject({
      ...ws,
      run: id.exactOptional(),
      session: id.exactOptional(),
      all: z.boolean().exactOptional()
    }),

  'drift.list': () => z.strictObject({ ...ws, check: z.boolean() }),
  /** `paths`: only these (a folder means all below it); the rest stays open. */
  'drift.accept': () => z.strictObject({ ...ws, drift: id, paths: optionalPaths }),

  'file.cat': () => z.strictObject({ ...ws, target: id, path }),
  'file.paths': () => z.strictObject(ws),
  'file.history': () => z.strictObject({ ...ws, path }),
  /** `hash`: of the newest version with this content, SHA-256 as hex, instead of the present. */
  'file.blame': () =>
    z.strictObject({
      ...ws,
      path,
      from: z.int().positive().optional(),
      hash: z
        .string()
        .regex(/^[0-9a-f]{64}$/)
        .optional()
    }),

  'search.run': () =>
    z.strictObject({
      ...ws,
      text: z.string().max(1000, 'a search takes at most 1,000 characters'),
      limit: z.number().int().min(1).max(1000)
    }),
  'export.run': () => z.strictObject({ ...ws, run: id }),

  ...BUNDLE_PARAMS,

  /** A hook event as the agent sent it; the same `id` again changes nothing. */
  'agent.event': () =>
    z.strictObject({
      id,
      agent: z.string().min(1).max(100),
      event: z.string().min(1).max(200),
      /** When the hook was called, ms UTC. */
      at: z.number().int().min(0),
      payload: z.unknown(),
      /** The agent's project folder, when it names it apart from the payload. */
      project: path.exactOptional(),
      /** The run of `driftline run` the agent was started in. */
      run: id.exactOptional(),
      /** Where this agent keeps its own files, when that is not the usual place. */
      home: path.exactOptional(),
      process: processId
    }),
  'agents.list': () => z.strictObject({ project: path.exactOptional() }),
  'agents.connect': agentSettings,
  'agents.disconnect': agentSettings,
  'agents.test': () => z.strictObject({ agent: id, project: path.exactOptional(), home: path.exactOptional() }),

  /** `call`: the agent's own id of the use; `run`: the run of `driftline run` around it. */
  'tools.use': () =>
    z.strictObject({
      ...ws,
      client: toolClient(),
      use: toolUse(),
      call: z.string().max(200).exactOptional(),
      run: id.exactOptional()
    }),
  'tools.leave': () => z.strictObject({ ...ws, session: sessionId }),

  'sessions.list': () => z.strictObject(ws),
  /** `since`: the `mark` of an earlier answer; its lists then hold only what is new. */
  'sessions.show': () => z.strictObject({ ...ws, session: id, since: z.string().max(1000).exactOptional() }),
  /** `fork` first prepares a session of the agent's own, cut at `at` (else at the present point). */
  'sessions.resume': () => z.strictObject({ ...ws, session: id, at: id.exactOptional(), fork: z.boolean() }),
  /**
   * A page: the messages before or after the message `at`, or those around it. Without `at` the first ones, with
   * `side: 'before'` the newest.
   */
  'sessions.messages': () =>
    z.strictObject({
      ...ws,
      session: id,
      at: z.number().int().min(0).exactOptional(),
      side: z.enum(['before', 'after', 'around']).exactOptional(),
      limit: z.number().int().min(1).max(500).exactOptional()
    }),
  'sessions.find': () => z.strictObject({ ...ws, session: id, text: z.string().max(1000) }),
  'sessions.delete': () => z.strictObject({ ...ws, session: id }),

  ...REVIEW_PARAMS,

  /**
   * Named events from position `since` on, or after an earlier answer's `next`; with neither none, only `next`. `limit`: an
   * answer holds about as many.
   */
  'events.list': () =>
    z.strictObject({
      ...ws,
      since: z.number().int().min(0).exactOptional(),
      after: eventCursor.exactOptional(),
      limit: z.number().int().min(1).max(1000)
    }),

  ...BISECT_PARAMS,

  'doctor.run': () => z.strictObject({ workspace: id.exactOptional(), deep: z.boolean().exactOptional() }),
  'worktrees.list': () => z.strictObject(ws),
  'git.lost': () => z.strictObject(ws),
  'git.changes': () => z.strictObject({ ...ws, run: id }),
  /** `names` of lost items, or `all`; `as`: the branch that the one item gets. */
  'git.restore': () =>
    z.strictObject({
      ...ws,
      names: z.array(z.string().min(1).max(1000)).max(1000).readonly(),
      all: z.boolean(),
      as: z.string().min(1).max(200).exactOptional(),
      dryRun: z.boolean()
    }),
  'git.undo': () => z.strictObject(ws),
  'storage.get': () => z.strictObject(ws),
  /** `budget` (bytes) and `days` only with `dryRun`: a preview of bounds that are not set yet. `never`: see api.ts. */
  'gc.run': () =>
    z.strictObject({
      ...ws,
      dryRun: z.boolean(),
      budget: z.number().int().min(0).exactOptional(),
      days: z.number().int().min(0).exactOptional(),
      never: z.boolean().exactOptional()
    })
} as const satisfies Readonly<Record<string, () => z.ZodType>>

export type ParamsByMethod = { readonly [M in keyof typeof PARAMS]: z.infer<ReturnType<(typeof PARAMS)[M]>> }

export function isMethod(name: string): name is keyof typeof PARAMS {
  return Object.hasOwn(PARAMS, name)
}
