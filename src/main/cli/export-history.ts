/** The whole history of a folder as plain files, readable without Driftline: `driftline export --all`. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, resolve, sep } from 'node:path'
import type { MessagePage } from '../../contract/conversation.ts'
import { DriftlineError } from '../../contract/errors.ts'
import { plural } from '../../contract/words/numbers.ts'
import type { Workspace } from '../../contract/workspace.ts'
import { type Context, currentFolder } from './context.ts'
import { conversationPages } from './conversation-pages.ts'
import { escapeLine } from './escape.ts'
import { exportFailure } from './export-failure.ts'
import { exportText, withReport } from './export-forms.ts'
import { isStandardOutput } from './named-output.ts'
import { isInWorkspace } from './paths.ts'

const PAGE = 500

/** Writes to a new folder and never into an existing one. Fails with Refused, DiskFull. */
export async function exportHistory(context: Context, name: string | undefined, secrets: boolean): Promise<number> {
  const { output } = context
  if (isStandardOutput(name))
    throw new DriftlineError('Usage', 'The whole history is a folder: name one with -o. Nothing was written.', {})
  const workspace = await context.workspace()
  const folder = resolve(currentFolder(context.invocation), name ?? `${basename(workspace.name)}-history`)
  if (context.host === null && isInWorkspace(workspace.root, folder))
    throw new DriftlineError(
      'Usage',
      `${folder} is inside the recorded folder, so the export would be recorded, too. Nothing was written. Name another folder with -o.`,
      { folder }
    )
  const write: Write = (path, content) => {
    const file = join(folder, path)
    // Names come from the recorder, and one on another machine may be hostile.
    if (!file.startsWith(`${folder}${sep}`)) throw outsideExport(path, folder)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, content, { flag: 'wx' })
  }
  try {
    mkdirSync(folder)
    const counts = {
      runs: await exportRuns(context, write),
      conversations: await exportConversations(context, write),
      versions: await exportVersions(context, secrets, write)
    }
    write('README.md', readme(workspace, counts, secrets))
    output.progress('')
    return output.print({ path: folder, ...counts }, [
      `${plural(counts.runs, 'run')}, ${plural(counts.conversations, 'conversation')} and ${plural(counts.versions, 'file version')} exported to`,
      escapeLine(folder)
    ])
  } catch (error) {
    throw exportFailure(error, 'folder', folder)
  }
}

function outsideExport(path: string, folder: string): DriftlineError {
  return new DriftlineError(
    'PathOutsideWorkspace',
    `The history names the file "${path}", which would be outside of ${folder}. It was not written, and the export is incomplete.`,
    { path, folder }
  )
}

type Write = (path: string, content: string | Buffer) => void

async function exportRuns({ ask, output }: Context, write: Write): Promise<number> {
  const entries = []
  for (let before: string | undefined; ; ) {
    const page = await ask('timeline.list', { limit: PAGE, before })
    entries.push(...page.entries)
    before = page.entries.at(-1)?.id
    if (!page.more || before === undefined) break
  }
  write('timeline.json', `${JSON.stringify(entries, null, 2)}\n`)
  const runs = entries.filter((entry) => entry.kind === 'run').reverse()
  for (const [n, { id }] of runs.entries()) {
    output.progress(`Run ${n + 1} of ${runs.length}`)
    const exported = withReport(await ask('export.run', { run: id }))
    const name = `runs/${String(n + 1).padStart(4, '0')}-${id}`
    write(`${name}.md`, exportText(`${name}.md`, exported))
    if (exported.patch !== '') write(`${name}.patch`, exported.patch)
  }
  return runs.length
}

async function exportConversations({ ask }: Context, write: Write): Promise<number> {
  const { sessions } = await ask('sessions.list', {})
  for (const { id, agent, title } of sessions) {
    const pages: MessagePage[] = []
    for await (const page of conversationPages({ ask }, id)) pages.push(page)
    const { todos = [], plan = '' } = pages.at(-1) ?? {}
    const unknown = pages.flatMap((page) => page.unknown)
    const messages = pages.flatMap((page) => page.messages)
    const todoLines = todos.map((todo) => `- ${todo.status}: ${todo.text}`).join('\n')
    const parts = [
      `# ${title || 'Conversation'} (${agent})`,
      ...(plan === '' ? [] : [`## Plan\n\n${plan}`]),
      ...(todoLines === '' ? [] : [`## Todos\n\n${todoLines}`]),
      ...messages.map(({ role, at, superseded, text }) => {
        const heading = `${role === 'user' ? 'You' : agent}, ${new Date(at).toISOString()}`
        return `## ${heading}${superseded ? ' (undone)' : ''}\n\n${text}`
      })
    ]
    write(`conversations/${id}.md`, `${parts.join('\n\n')}\n`)
    if (unknown.length > 0) write(`conversations/${id}.unknown.jsonl`, `${unknown.join('\n')}\n`)
  }
  return sessions.length
}

/** All stored contents as `versions/PATH@SEQ`. SEQ 0 is the initial snapshot. */
async function exportVersions({ ask, output }: Context, secrets: boolean, write: Write): Promise<number> {
  const { paths } = await ask('file.paths', {})
  let written = 0
  for (const [n, { path, secret }] of paths.entries()) {
    if (secret && !secrets) continue
    output.progress(`File ${n + 1} of ${paths.length}`)
    const { versions } = await ask('file.history', { path })
    for (const version of versions) {
      if (version.kind !== 'file' || !version.stored) continue
      const { base64 } = await ask('file.cat', { target: `seq:${version.seq}`, path })
      write(`versions/${path}@${version.seq}`, Buffer.from(base64, 'base64'))
      written += 1
    }
  }
  return written
}

type Counts = Readonly<Record<'runs' | 'conversations' | 'versions', number>>

function readme({ name, root }: Workspace, counts: Counts, secrets: boolean): string {
  return `# Recorded history of ${name}

Recorded folder: ${root}

- \`timeline.json\`: all entries of the timeline, newest first.
- \`runs/\`: ${counts.runs} runs in order, each as a report with its patch. \`git apply\` applies a patch, \`git apply -R\` reverts it.
- \`conversations/\`: ${counts.conversations} conversations.
- \`versions/PATH@N\`: ${counts.versions} stored versions of files. N is the position in the history, 0 the initial snapshot.
${secrets ? '' : '\nFiles that may contain secrets are not included; `--secrets` includes them.\n'}`
}
