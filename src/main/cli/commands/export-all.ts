/** `driftline export --all`: the whole history of a folder as plain files, readable without Driftline. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { DriftlineError } from '../../../contract/errors.ts'
import { plural } from '../../../contract/words/numbers.ts'
import type { Context } from '../context.ts'
import { currentFolder } from '../context.ts'
import { escapeLine } from '../escape.ts'
import { exportText } from './export-text.ts'

const PAGE = 500

interface Options {
  readonly output: string | undefined
  readonly secrets: boolean
}

/** Writes to a new folder and never into an existing one. Fails with Refused, DiskFull. */
export async function exportAll(context: Context, options: Options): Promise<number> {
  const { output } = context
  const workspace = await context.workspace()
  const folder = resolve(currentFolder(context.invocation), options.output ?? `${workspace.name}-history`)
  if (folder === workspace.root || folder.startsWith(`${workspace.root}/`))
    throw new DriftlineError(
      'Usage',
      `${folder} is inside the recorded folder, so the export would be recorded, too. Nothing was written. Name another folder with -o.`,
      { folder }
    )
  const write = (path: string, content: string | Buffer): void => {
    const file = join(folder, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, content, { flag: 'wx' })
  }
  try {
    mkdirSync(folder)
    const counts = {
      runs: await exportRuns(context, workspace.id, write),
      conversations: await exportConversations(context, workspace.id, write),
      versions: await exportVersions(context, workspace.id, options.secrets, write)
    }
    write('README.md', readme(workspace.name, workspace.root, counts, options.secrets))
    output.progress('')
    output.document({ path: folder, ...counts })
    output.lines([
      `${plural(counts.runs, 'run')}, ${plural(counts.conversations, 'conversation')} and ${plural(counts.versions, 'file version')} exported to`,
      escapeLine(folder)
    ])
    return 0
  } catch (error) {
    throw exportFailure(error, folder)
  }
}

type Write = (path: string, content: string | Buffer) => void

async function exportRuns(context: Context, workspace: string, write: Write): Promise<number> {
  const entries = []
  for (let before: string | undefined; ; ) {
    const page = await context.call('timeline.list', { workspace, limit: PAGE, ...(before ? { before } : {}) })
    entries.push(...page.entries)
    before = page.entries.at(-1)?.id
    if (!page.more || before === undefined) break
  }
  write('timeline.json', `${JSON.stringify(entries, null, 2)}\n`)
  const runs = entries.filter((entry) => entry.kind === 'run').reverse()
  for (const [n, { id }] of runs.entries()) {
    context.output.progress(`Run ${n + 1} of ${runs.length}`)
    const exported = await context.call('export.run', { workspace, run: id })
    const name = `runs/${String(n + 1).padStart(4, '0')}-${id}`
    write(`${name}.md`, exportText(`${name}.md`, exported))
    if (exported.patch !== '') write(`${name}.patch`, exported.patch)
  }
  return runs.length
}

async function exportConversations(context: Context, workspace: string, write: Write): Promise<number> {
  const { sessions } = await context.call('sessions.list', { workspace })
  for (const { id, agent, title } of sessions) {
    const { messages, todos, plan, unknown } = await context.call('sessions.messages', { workspace, session: id })
    const parts = [
      `# ${title || 'Conversation'} (${agent})`,
      ...(plan === '' ? [] : [`## Plan\n\n${plan}`]),
      ...(todos.length === 0
        ? []
        : [`## Todos\n\n${todos.map((todo) => `- ${todo.status}: ${todo.text}`).join('\n')}`]),
      ...messages.map(
        (message) =>
          `## ${message.role === 'user' ? 'You' : agent}, ${new Date(message.at).toISOString()}${message.superseded ? ' (undone)' : ''}\n\n${message.text}`
      )
    ]
    write(`conversations/${id}.md`, `${parts.join('\n\n')}\n`)
    if (unknown.length > 0) write(`conversations/${id}.unknown.jsonl`, `${unknown.join('\n')}\n`)
  }
  return sessions.length
}

/** All stored contents as `versions/PATH@SEQ`. SEQ 0 is the initial snapshot. */
async function exportVersions(context: Context, workspace: string, secrets: boolean, write: Write): Promise<number> {
  const { paths } = await context.call('file.paths', { workspace })
  let written = 0
  for (const [n, { path, secret }] of paths.entries()) {
    if (secret && !secrets) continue
    context.output.progress(`File ${n + 1} of ${paths.length}`)
    const { versions } = await context.call('file.history', { workspace, path })
    for (const version of versions) {
      if (version.kind !== 'file' || !version.stored) continue
      const { base64 } = await context.call('file.cat', { workspace, target: `seq:${version.seq}`, path })
      write(`versions/${path}@${version.seq}`, Buffer.from(base64, 'base64'))
      written += 1
    }
  }
  return written
}

function readme(
  name: string,
  root: string,
  counts: { readonly runs: number; readonly conversations: number; readonly versions: number },
  secrets: boolean
): string {
  return `# Recorded history of ${name}

Recorded folder: ${root}

- \`timeline.json\`: all entries of the timeline, newest first.
- \`runs/\`: ${counts.runs} runs in order, each as a report with its patch. \`git apply\` applies a patch, \`git apply -R\` reverts it.
- \`conversations/\`: ${counts.conversations} conversations.
- \`versions/PATH@N\`: ${counts.versions} stored versions of files. N is the position in the history, 0 the initial snapshot.
${secrets ? '' : '\nFiles that may contain secrets are not included; `--secrets` includes them.\n'}`
}

function exportFailure(error: unknown, folder: string): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (code === 'EEXIST')
    return new DriftlineError('Refused', `${folder} already exists and was not changed. Name another folder with -o.`, {
      folder
    })
  if (code === 'ENOSPC')
    return new DriftlineError('DiskFull', `The disk is full, so ${folder} is incomplete. The history is safe.`, {
      folder
    })
  return error
}
