/**
 * What an agent may ask about the history. It can look at what taking back would do, and never do it: that is a person's
 * act. Secret-looking files are paths and counts; what other sessions said (prompts are run titles) is not handed out.
 */
import { z } from 'zod'
import type { FileChange } from '../../../contract/diff.ts'
import type { RunEntry } from '../../../contract/timeline.ts'
import { workspacePath } from '../paths.ts'
import type { McpSession } from './session.ts'
import { ADDS, LOOKS, type Tool, tool } from './tool.ts'

const LONGEST_PATCH = 150_000

const run = z.object({
  id: z.string(),
  agent: z.string(),
  own: z.boolean().describe('Made by this connection'),
  title: z.string().describe('Empty for the runs of others'),
  state: z.string(),
  started_at: z.string(),
  ended_at: z.string().nullable(),
  files: z.number(),
  added: z.number(),
  deleted: z.number(),
  taken_back: z.boolean()
})
const file = z.object({
  path: z.string(),
  old_path: z.string().optional(),
  change: z.string(),
  kind: z.string(),
  added: z.number(),
  deleted: z.number(),
  attribution: z.string(),
  interleaved: z.boolean().describe('Somebody else changed it in between'),
  secret: z.boolean()
})

export const HISTORY_TOOLS: readonly Tool[] = [
  tool({
    name: 'list_runs',
    title: 'List recorded runs',
    description: 'The recorded runs of agents and commands in this project, newest first.',
    hints: LOOKS,
    input: z.object({
      limit: z.number().int().min(1).max(100).optional().describe('How many; 20 unless told'),
      before: z.string().optional().describe('Only runs older than this one')
    }),
    output: z.object({ runs: z.array(run), more: z.boolean() }),
    answer: async (session, { limit, before }) => {
      const { id } = await session.workspace()
      const { entries, more } = await session.call('timeline.list', {
        workspace: id,
        limit: limit ?? 20,
        kinds: ['run'],
        ...(before === undefined ? {} : { before })
      })
      const runs = entries.filter((entry) => entry.kind === 'run').map((entry) => shown(session, entry))
      const lines = runs.map(
        (one) =>
          `${one.id}  ${one.started_at}  ${one.agent}  ${one.files} files +${one.added} -${one.deleted}${one.taken_back ? '  taken back' : ''}${one.title ? `  ${one.title}` : ''}`
      )
      return { text: lines.length === 0 ? 'No runs are recorded here.' : lines.join('\n'), data: { runs, more } }
    }
  }),
  tool({
    name: 'run_diff',
    title: 'Show what a run changed',
    description: 'What one run changed, as a list of files and a patch. Only its own changes are in it.',
    hints: LOOKS,
    input: z.object({
      run: z.string().describe('Id of the run, or "latest"'),
      paths: z.array(z.string()).optional().describe('Only these files or folders')
    }),
    output: z.object({
      files: z.array(file),
      patch: z.string(),
      cut: z.boolean().describe('The patch is longer than is given; name fewer paths'),
      warning: z.string()
    }),
    answer: async (session, { run, paths }) => {
      const { id, root } = await session.workspace()
      const wanted = paths?.map((one) => workspacePath(root, root, one)).filter((one) => one !== '')
      const asked = { workspace: id, target: run, scope: 'run' as const }
      const all = await session.call('diff.files', { ...asked, ...(wanted?.length ? { paths: wanted } : {}) })
      const open = withoutSecrets(all.files)
      const reading = { ...asked, paths: open, use: 'reading' as const }
      const patch = open.length === 0 ? '' : (await session.call('diff.patch', reading)).patch
      const cut = patch.length > LONGEST_PATCH
      const given = cut ? patch.slice(0, patch.lastIndexOf('\n', LONGEST_PATCH) + 1) : patch
      const files = all.files.map(fileOf)
      const left = files.some((one) => one.secret) ? 'Files that look like they hold credentials are left out.\n' : ''
      return {
        text: `${files.map((one) => `${one.change} ${one.path} +${one.added} -${one.deleted}`).join('\n')}\n${left}\n${given}`,
        data: { files, patch: given, cut, warning: all.warning }
      }
    }
  }),
  tool({
    name: 'file_history',
    title: "Show a file's history",
    description: 'Every recorded version of one file, newest first, with the run that made it. No contents.',
    hints: LOOKS,
    input: z.object({ path: z.string().describe('Path of the file: from the project folder, or absolute inside it') }),
    output: z.object({
      versions: z.array(
        z.object({
          seq: z.number(),
          origin: z.string(),
          run: z.string().nullable(),
          at: z.string(),
          kind: z.string(),
          bytes: z.number(),
          stored: z.boolean()
        })
      )
    }),
    answer: async (session, { path }) => {
      const { id, root } = await session.workspace()
      const { versions } = await session.call('file.history', { workspace: id, path: workspacePath(root, root, path) })
      const shownOnes = versions.map(({ seq, origin, run, at, kind, size, stored }) => ({
        seq,
        origin,
        run,
        at: new Date(at).toISOString(),
        kind,
        bytes: size,
        stored
      }))
      const lines = shownOnes.map(
        (one) => `seq:${one.seq}  ${one.at}  ${one.run ?? one.origin}  ${one.kind} ${one.bytes} bytes`
      )
      return { text: lines.join('\n'), data: { versions: shownOnes } }
    }
  }),
  tool({
    name: 'restore_preview',
    title: 'Preview taking back',
    description:
      'What would happen if a person took a run back, or restored the project to a point. Nothing is written, and this cannot be done from here: tell the person what you found.',
    hints: LOOKS,
    input: z.object({
      target: z.string().describe('A run (run_…, latest), or a point: cp_…, run_…:start, seq:N'),
      what: z
        .enum(['undo_run', 'restore'])
        .optional()
        .describe('undo_run takes back only what a run changed; restore brings everything back to a point'),
      paths: z.array(z.string()).optional().describe('Only these files or folders')
    }),
    output: z.object({
      items: z.array(z.object({ path: z.string(), action: z.string(), note: z.string() })),
      conflicts: z.array(z.object({ path: z.string(), reason: z.string(), mergeable: z.boolean() })),
      unchanged: z.number(),
      warnings: z.number().describe('What a person should read first: the app shows it')
    }),
    answer: async (session, { target, what, paths }) => {
      const { id, root } = await session.workspace()
      const wanted = paths?.map((one) => workspacePath(root, root, one)).filter((one) => one !== '')
      const some = wanted?.length ? { paths: wanted } : {}
      const undo = what === 'undo_run' || (what === undefined && /^(run_|turn_)[^:]*$|^latest$/.test(target))
      const act = undo
        ? ({ kind: 'undo-run', run: target, ...some } as const)
        : ({ kind: 'restore', target, mode: 'files', ...some } as const)
      const plan = await session.call('restore.plan', { workspace: id, act })
      const items = plan.items.map(({ path, action, note }) => ({ path, action, note }))
      const conflicts = plan.conflicts.map(({ path, reason, mergeable }) => ({ path, reason, mergeable }))
      const lines = [
        ...items.map((item) => `${item.action} ${item.path}`),
        ...conflicts.map((conflict) => `conflict ${conflict.path}: ${conflict.reason}`)
      ]
      return {
        text: `${lines.length === 0 ? 'Nothing would change.' : lines.join('\n')}\nThis is a preview; only a person can do it.`,
        data: { items, conflicts, unchanged: plan.unchanged, warnings: plan.warnings.length }
      }
    }
  }),
  tool({
    name: 'checkpoint',
    title: 'Pin this moment',
    description: 'Mark the project as it is now, so that a person can restore it to this moment later.',
    hints: ADDS,
    input: z.object({ label: z.string().max(200).optional().describe('What is done at this point') }),
    output: z.object({ checkpoint: z.string(), seq: z.number() }),
    answer: async (session, { label }) => {
      const { id } = await session.workspace()
      const made = await session.call('checkpoint.create', { workspace: id, label: label ?? '' })
      return { text: `Pinned as ${made.checkpoint}.`, data: { checkpoint: made.checkpoint, seq: made.seq } }
    }
  })
]

function shown(session: McpSession, entry: RunEntry): z.infer<typeof run> {
  const own = session.isOwn(entry)
  return {
    id: entry.id,
    agent: entry.agent,
    own,
    title: own ? entry.title : '',
    state: entry.state,
    started_at: new Date(entry.at).toISOString(),
    ended_at: entry.endedAt === null ? null : new Date(entry.endedAt).toISOString(),
    files: entry.files,
    added: entry.added,
    deleted: entry.deleted,
    taken_back: entry.takenBack
  }
}

function fileOf(one: FileChange): z.infer<typeof file> {
  const { path, oldPath, change, kind, added, deleted, attribution, interleaved, secret } = one
  return {
    path,
    ...(oldPath === undefined ? {} : { old_path: oldPath }),
    change,
    kind,
    added,
    deleted,
    attribution,
    interleaved,
    secret
  }
}

/** Paths whose patch may be shown. A folder stands for all below it, so one above a secret is not named. */
function withoutSecrets(files: readonly FileChange[]): string[] {
  const secrets = files
    .filter((change) => change.secret)
    .flatMap((change) => [change.path, change.oldPath ?? change.path])
  return files
    .filter((change) => !change.secret && change.kind !== 'dir')
    .map((change) => change.path)
    .filter((path) => !secrets.some((secret) => secret === path || secret.startsWith(`${path}/`)))
}
