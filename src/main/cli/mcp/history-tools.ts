/**
 * The history tools of the MCP server. An agent may preview a restore but never apply one: that is a person's decision.
 *
 * Files that may contain secrets appear as paths and counts only, and titles of other sessions' runs are withheld,
 * because a run's title is its prompt.
 */
import { z } from 'zod'
import type { FileChange } from '../../../contract/diff.ts'
import type { RunEntry } from '../../../contract/timeline.ts'
import { conflictReason, noteText } from '../../../contract/words/plan.ts'
import { diffWarningText } from '../../../contract/words/run-warnings.ts'
import { workspacePath } from '../paths.ts'
import type { McpSession } from './session.ts'
import { ADDITIVE, READ_ONLY, type Tool, tool } from './tool.ts'

const MAX_PATCH_CHARACTERS = 150_000

const runSchema = z.object({
  id: z.string(),
  agent: z.string(),
  own: z.boolean().describe('Made by this connection'),
  title: z.string().describe('Empty for runs of other sessions'),
  state: z.string(),
  started_at: z.string(),
  ended_at: z.string().nullable(),
  files: z.number(),
  added: z.number(),
  deleted: z.number(),
  taken_back: z.boolean()
})
const fileSchema = z.object({
  path: z.string(),
  old_path: z.string().optional(),
  change: z.string(),
  kind: z.string(),
  added: z.number(),
  deleted: z.number(),
  attribution: z.string(),
  interleaved: z.boolean().describe('Others edited the file during the run'),
  secret: z.boolean()
})

export const HISTORY_TOOLS: readonly Tool[] = [
  tool({
    name: 'list_runs',
    title: 'List recorded runs',
    description: 'The recorded runs of agents and commands in this project, newest first.',
    hints: READ_ONLY,
    input: z.strictObject({
      limit: z.number().int().min(1).max(100).optional().describe('Number of runs (default 20)'),
      before: z.string().optional().describe('Only runs older than this run')
    }),
    output: z.object({ runs: z.array(runSchema), more: z.boolean() }),
    answer: async (session, { limit, before }) => {
      const { id } = await session.workspace()
      const { entries, more } = await session.call('timeline.list', {
        workspace: id,
        limit: limit ?? 20,
        kinds: ['run'],
        before,
        countLive: true
      })
      const runs = entries.filter((entry) => entry.kind === 'run').map((entry) => describeRun(session, entry))
      const lines = runs.map(
        ({ id, started_at, agent, files, added, deleted, taken_back, title }) =>
          `${id}  ${started_at}  ${agent}  ${files} files +${added} -${deleted}${taken_back ? '  undone' : ''}${title ? `  ${title}` : ''}`
      )
      return { text: lines.length === 0 ? 'No recorded runs.' : lines.join('\n'), data: { runs, more } }
    }
  }),
  tool({
    name: 'run_diff',
    title: 'Show what a run changed',
    description: 'The changes of one run, as a list of files and a patch. Changes by others are not included.',
    hints: READ_ONLY,
    input: z.strictObject({
      run: z.string().describe('ID of the run, or "latest"'),
      paths: z.array(z.string()).optional().describe('Only these files or folders')
    }),
    output: z.object({
      files: z.array(fileSchema),
      patch: z.string(),
      cut: z.boolean().describe('The patch was too long and is cut; request fewer paths'),
      warning: z.string()
    }),
    answer: async (session, { run, paths }) => {
      const { id, root } = await session.workspace()
      const { patch, ...all } = await session.call('diff.patch', {
        workspace: id,
        target: run,
        scope: 'run',
        paths: requestedPaths(paths, root),
        use: 'reading'
      })
      const cut = patch.length > MAX_PATCH_CHARACTERS
      const visible = cut ? patch.slice(0, patch.lastIndexOf('\n', MAX_PATCH_CHARACTERS) + 1) : patch
      const files = all.files.map(fileOf)
      const note = files.some(({ secret }) => secret) ? 'Files that may contain credentials are omitted.\n' : ''
      return {
        text: `${files.map(({ change, path, added, deleted }) => `${change} ${path} +${added} -${deleted}`).join('\n')}\n${note}\n${visible}`,
        data: { files, patch: visible, cut, warning: diffWarningText(all.warnings) }
      }
    }
  }),
  tool({
    name: 'file_history',
    title: "Show a file's history",
    description: 'All recorded versions of one file, newest first, with the run that made each. Without contents.',
    hints: READ_ONLY,
    input: z.strictObject({
      path: z.string().describe('Path of the file: relative to the project folder, or absolute within it')
    }),
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
      const rows = versions.map(({ seq, origin, run, at, kind, size, stored }) => {
        const time = new Date(at).toISOString()
        return { seq, origin, run, at: time, kind, bytes: size, stored }
      })
      const lines = rows.map(
        ({ seq, at, run, origin, kind, bytes }) => `seq:${seq}  ${at}  ${run ?? origin}  ${kind} ${bytes} bytes`
      )
      return { text: lines.join('\n'), data: { versions: rows } }
    }
  }),
  tool({
    name: 'restore_preview',
    title: 'Preview an undo or restore',
    description:
      'Preview undoing a run or restoring the project to a point. Nothing is written, and the restore itself is not available as a tool: report the result to the user.',
    hints: READ_ONLY,
    input: z.strictObject({
      target: z.string().describe('A run (run_…, latest) or a point (cp_…, run_…:start, seq:N)'),
      what: z
        .enum(['undo_run', 'restore'])
        .optional()
        .describe('undo_run undoes only the changes of a run; restore restores everything to a point'),
      paths: z.array(z.string()).optional().describe('Only these files or folders')
    }),
    output: z.object({
      items: z.array(z.object({ path: z.string(), action: z.string(), note: z.string() })),
      conflicts: z.array(z.object({ path: z.string(), reason: z.string(), mergeable: z.boolean() })),
      unchanged: z.number(),
      warnings: z.number().describe('Number of warnings; the app shows them to the user')
    }),
    answer: async (session, { target, what, paths }) => {
      const { id, root } = await session.workspace()
      const filter = { paths: requestedPaths(paths, root) }
      const undo = what === 'undo_run' || (what === undefined && /^(run_|turn_)[^:]*$|^latest$/.test(target))
      const request = undo
        ? ({ kind: 'undo-run', run: target, ...filter } as const)
        : ({ kind: 'restore', target, mode: 'files', ...filter } as const)
      const plan = await session.call('restore.plan', { workspace: id, request })
      const items = plan.items.map(({ path, action, note }) => ({ path, action, note: noteText(note) }))
      const conflicts = plan.conflicts.map((conflict) => {
        const { path, mergeable } = conflict
        return { path, reason: conflictReason(conflict), mergeable }
      })
      const lines = [
        ...items.map(({ action, path, note }) => `${action} ${path}${note && `: ${note}`}`),
        ...conflicts.map((conflict) => `conflict ${conflict.path}: ${conflict.reason}`)
      ]
      return {
        text: `${lines.length === 0 ? 'Nothing would change.' : lines.join('\n')}\nThis is a preview. Only the user can apply it.`,
        data: { items, conflicts, unchanged: plan.unchanged, warnings: plan.warnings.length }
      }
    }
  }),
  tool({
    name: 'review_notes',
    title: "Read the user's review",
    description:
      "The user's comments on your changes, and which of them were undone or restored, if the user sent a review that you have not read yet. Call it before you continue earlier work.",
    hints: ADDITIVE,
    input: z.strictObject({}),
    output: z.object({ message: z.string().describe('Markdown; empty without a new review') }),
    answer: async (session) => {
      const { id } = await session.workspace()
      const { review } = await session.call('review.take', { workspace: id, agent: session.agent })
      const message = review?.message ?? ''
      return { text: message === '' ? 'No new review.' : message, data: { message } }
    }
  }),
  tool({
    name: 'checkpoint',
    title: 'Create a checkpoint',
    description: 'Pin the current versions of all files, so that the user can restore them later.',
    hints: ADDITIVE,
    input: z.strictObject({
      label: z.string().max(200).optional().describe('Name of the checkpoint, such as the finished step')
    }),
    output: z.object({ checkpoint: z.string(), seq: z.number() }),
    answer: async (session, { label }) => {
      const { id } = await session.workspace()
      const created = await session.call('checkpoint.create', { workspace: id, label: label ?? '' })
      return { text: `Pinned as ${created.checkpoint}.`, data: created }
    }
  })
]

function describeRun(session: McpSession, entry: RunEntry): z.infer<typeof runSchema> {
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
    taken_back: entry.undone
  }
}

function fileOf(file: FileChange): z.infer<typeof fileSchema> {
  const { path, oldPath, change, kind, added, deleted, attribution, interleaved, secret } = file
  const renamed = oldPath === undefined ? {} : { old_path: oldPath }
  return { path, ...renamed, change, kind, added, deleted, attribution, interleaved, secret }
}

/** Root-relative PATH arguments; undefined for the whole folder, which the root itself means, too. */
function requestedPaths(paths: readonly string[] | undefined, root: string): string[] | undefined {
  const below = (paths ?? []).map((path) => workspacePath(root, root, path)).filter((path) => path !== '')
  return below.length === 0 ? undefined : below
}
