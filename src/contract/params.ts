/** Schemas of every method's params: what a caller sends is checked here before a handler sees it. */
import { z } from 'zod'
import type { Method, Params } from './api.ts'

const none = z.object({})
const text = z.string().max(65_536)
const id = z.string().min(1).max(200)
const path = z.string().max(8192)
const ws = { workspace: id }
const paths = z.array(path).max(100_000).optional()
const mode = z.enum(['files', 'conversation', 'both'])
const choice = z.enum(['keep', 'replace', 'merge'])
const choices = z.record(z.string(), choice).optional()

const hunks = z.record(path, z.array(z.number().int().min(1)).max(10_000)).optional()

const act = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('restore'),
    target: id,
    paths,
    outside: z.enum(['keep', 'replace']).optional(),
    mode: mode.optional()
  }),
  z.object({
    kind: z.literal('undo-run'),
    run: id,
    paths,
    hunks,
    onConflict: z.enum(['fail', 'keep', 'replace', 'merge']).optional()
  }),
  z.object({ kind: z.literal('undo') }),
  z.object({ kind: z.literal('redo') }),
  z.object({ kind: z.literal('drift'), drift: id, paths, hunks }),
  z.object({ kind: z.literal('recover'), how: z.enum(['finish', 'undo']) })
])

const diff = z.object({
  ...ws,
  target: id,
  scope: z.enum(['run', 'checkpoint', 'turn']).optional(),
  to: id.optional(),
  paths,
  quick: z.boolean().optional()
})

const content = z.string().max(64 * 1024 * 1024)
const toolUse = z.discriminatedUnion('tool', [
  z.object({
    tool: z.literal('read_file'),
    path,
    from: z.number().int().min(1).optional(),
    lines: z.number().int().min(1).optional()
  }),
  z.object({ tool: z.literal('write_file'), path, content }),
  z.object({ tool: z.literal('edit_file'), path, old: content, new: content }),
  z.object({
    tool: z.enum(['copy_file', 'move_file']),
    source: path,
    destination: path,
    overwrite: z.boolean().optional()
  }),
  z.object({ tool: z.enum(['delete_file', 'create_dir']), path }),
  z.object({ tool: z.literal('remove_dir'), path, force: z.boolean().optional() })
])
const sessionId = z.string().regex(/^[A-Za-z0-9._-]{1,128}$/)

const seq = z.number().int().min(0)
const bound = z.number().int().min(0)

/** Schema per method. `parseParams` is the way in. */
const SCHEMAS: { readonly [M in Method]: z.ZodType } = {
  'app.info': none,
  'host.state': none,
  'host.watch': z.object({ on: z.boolean() }),
  'settings.get': none,
  'settings.set': z.object({ key: id, value: text }),
  'workspaces.list': none,
  'workspaces.add': z.object({ folder: path, wait: z.boolean(), confirmed: z.boolean().optional() }),
  'workspaces.stopCopy': z.object(ws),
  'workspaces.remove': z.object({ ...ws, deleteHistory: z.boolean() }),
  'workspaces.locate': z.object({ ...ws, folder: path }),
  'workspaces.find': z.object({ folder: path }),
  'workspaces.suggest': z.object({ name: path, children: z.array(path).max(10_000) }),
  'workspaces.complete': z.object({ prefix: path }),
  'workspace.status': z.object({ ...ws, check: z.boolean() }),
  'coverage.list': z.object(ws),
  'timeline.list': z.object({
    ...ws,
    limit: z.number().int().min(1).max(10_000),
    before: id.optional(),
    kinds: z.array(z.enum(['run', 'checkpoint', 'restore', 'drift'])).optional(),
    text: text.optional()
  }),
  'entry.show': z.object({ ...ws, target: id }),
  'run.begin': z.object({
    ...ws,
    title: text,
    agent: z.string().min(1).max(100),
    session: z
      .string()
      .regex(/^[A-Za-z0-9._-]{1,128}$/)
      .optional(),
    pid: z.number().int().min(0),
    pidStart: z.string().max(100)
  }),
  'run.end': z.object({ ...ws, run: id, exitCode: z.number().int().nullable() }),
  'diff.files': diff,
  'diff.patch': diff.extend({ use: z.enum(['git', 'reading']).optional() }),
  'diff.file': z.object({
    ...ws,
    path,
    oldPath: path.optional(),
    fromSeq: seq,
    toSeq: seq.nullable(),
    run: id.optional(),
    others: z.boolean().optional(),
    full: z.boolean().optional()
  }),
  'restore.plan': z.object({ ...ws, act, choices }),
  'restore.preview': z.object({ ...ws, act, choices, path, side: z.enum(['result', 'own', 'others']).optional() }),
  'restore.apply': z.object({ ...ws, act, choices, plan: id.optional(), whileLive: z.boolean().optional() }),
  'checkpoint.create': z.object({ ...ws, label: z.string().max(500) }),
  'checkpoint.list': z.object({ ...ws, run: id.optional(), session: id.optional(), all: z.boolean().optional() }),
  'drift.list': z.object({ ...ws, check: z.boolean() }),
  'drift.accept': z.object({ ...ws, drift: id, paths }),
  'file.cat': z.object({ ...ws, target: id, path }),
  'file.paths': z.object(ws),
  'file.history': z.object({ ...ws, path }),
  'file.blame': z.object({ ...ws, path }),
  'search.run': z.object({
    ...ws,
    text: z.string().max(1000, 'a search takes at most 1,000 characters'),
    limit: z.number().int().min(1).max(1000)
  }),
  'export.run': z.object({ ...ws, run: id }),
  'agent.event': z.object({
    id,
    agent: z.string().min(1).max(100),
    event: z.string().min(1).max(200),
    at: z.number().int().min(0),
    payload: z.unknown(),
    project: path.optional(),
    run: id.optional(),
    home: path.optional(),
    process: z.object({ pid: z.number().int().min(0), start: z.string().max(100) })
  }),
  'agents.list': z.object({ project: path.optional() }),
  'agents.connect': z.object({
    agent: id,
    dryRun: z.boolean(),
    project: path.optional(),
    home: path.optional(),
    mcp: z.boolean().optional()
  }),
  'agents.disconnect': z.object({
    agent: id,
    dryRun: z.boolean(),
    project: path.optional(),
    home: path.optional(),
    mcp: z.boolean().optional()
  }),
  'agents.test': z.object({ agent: id, project: path.optional(), home: path.optional() }),
  'tools.use': z.object({
    ...ws,
    client: z.object({
      session: sessionId,
      name: z.string().min(1).max(100),
      process: z.object({ pid: z.number().int().min(0), start: z.string().max(100) })
    }),
    use: toolUse,
    call: z.string().max(200).optional(),
    run: id.optional()
  }),
  'tools.leave': z.object({ ...ws, session: sessionId }),
  'sessions.list': z.object(ws),
  'sessions.show': z.object({ ...ws, session: id, since: z.string().max(1000).optional() }),
  'sessions.resume': z.object({ ...ws, session: id, at: id.optional(), fork: z.boolean() }),
  'sessions.messages': z.object({ ...ws, session: id }),
  'sessions.delete': z.object({ ...ws, session: id }),
  'doctor.run': z.object({ workspace: id.optional(), deep: z.boolean().optional() }),
  'storage.get': z.object(ws),
  'gc.run': z.object({
    ...ws,
    dryRun: z.boolean(),
    budget: bound.optional(),
    days: bound.optional(),
    never: z.boolean().optional()
  })
}

export function isMethod(name: string): name is Method {
  return Object.hasOwn(SCHEMAS, name)
}

/** Params of a call, checked. Throws a ZodError naming the first wrong field. */
export function parseParams<M extends Method>(method: M, params: unknown): Params<M> {
  return SCHEMAS[method].parse(params) as Params<M>
}
