/**
 * `driftline export`: a run as a file to share, which is its report and patch as Markdown or JSON, or the patch alone;
 * with `--all` the whole history of a folder as plain files, readable without Driftline.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { basename, dirname, extname, join, resolve, sep } from 'node:path'
import type { Result } from '../../../contract/api.ts'
import type { MessagePage } from '../../../contract/conversation.ts'
import { DriftlineError } from '../../../contract/errors.ts'
import { plural } from '../../../contract/words/numbers.ts'
import { runReport } from '../../../contract/words/run-report.ts'
import type { Workspace } from '../../../contract/workspace.ts'
import { exportFormat, FORMATS } from '../attribution/export-format.ts'
import { command } from '../command.ts'
import { type Context, currentFolder } from '../context.ts'
import { conversationPages } from '../conversation-pages.ts'
import { escapeLine, escapeText } from '../escape.ts'
import { exportFailure } from '../export-failure.ts'
import { isStandardOutput, namedFile, refuseBesideDocument, writeNamed } from '../named-output.ts'
import { maskedLine, patchLines } from '../patch-lines.ts'
import { isInWorkspace } from '../paths.ts'
import { runPage } from '../run-page.ts'
import { exportBundle } from './bundles.ts'

export const exportRun = command({
  name: 'export',
  usage: [
    'RUN [-o FILE] [--html FILE]',
    'RUN --bundle FILE [--html FILE] [--with-secrets] [--dry-run]',
    '[RUN] --format git-ai|agent-trace|atif|trailers [--commit REV] [--with-secrets]',
    '--all [-o FOLDER] [--secrets]'
  ],
  summary:
    'export a run as report and patch (.md, .html, .json or .patch) or as a bundle to review, or the whole history',
  options: {
    output: {
      type: 'string',
      short: 'o',
      value: 'FILE',
      help: 'file to write (default: RUN.md in the current folder), - for standard output; .md and .html mask lines that may contain secrets, .patch and .json are exact'
    },
    html: { type: 'string', value: 'FILE', help: 'write the run as a page for any browser' },
    bundle: {
      type: 'string',
      value: 'FILE',
      help: 'write a bundle: the run with its files, conversation and comments, for `driftline open` and `apply` elsewhere'
    },
    format: {
      type: 'string',
      value: 'FORMAT',
      choices: FORMATS,
      help: 'print attribution that other tools read: a note of Git AI, a record of Agent Trace, the conversation in ATIF, or Assisted-by trailers'
    },
    commit: {
      type: 'string',
      value: 'REV',
      help: 'with --format: the lines that this commit added (git-ai: default HEAD)'
    },
    'with-secrets': {
      type: 'boolean',
      help: 'with --bundle or --format: keep lines and files that may contain secrets'
    },
    'dry-run': { type: 'boolean', help: 'with --bundle: say what it would contain, and write nothing' },
    all: { type: 'boolean', help: 'export the whole history into a new folder' },
    secrets: { type: 'boolean', help: 'with --all: include files that may contain secrets' }
  },
  positionals: [0, 1],
  run: async (context, { values, positionals: [run] }) => {
    const { format, commit, output } = values
    if (format !== undefined) {
      if (output !== undefined && !isStandardOutput(output))
        throw new DriftlineError('Usage', 'With --format, redirect standard output instead of -o FILE.', {})
      return exportFormat(context, run ?? null, { format, commit, secrets: values['with-secrets'] === true })
    }
    if (commit !== undefined) throw new DriftlineError('Usage', '--commit REV is about --format FORMAT.', {})
    if ((values.all === true) === (run !== undefined))
      throw new DriftlineError('Usage', 'Name a run, or use --all for the whole history.', {})
    if (run === undefined) return exportAll(context, output, values.secrets === true)
    const { bundle, html } = values
    if (bundle !== undefined && output !== undefined)
      throw new DriftlineError('Usage', 'Name one file: with --bundle or with -o. Nothing was written.', {})
    if (isStandardOutput(html) && (bundle ?? output) !== undefined)
      throw new DriftlineError(
        'Usage',
        'With another export, --html needs the name of a file. Nothing was written.',
        {}
      )
    const dryRun = values['dry-run'] === true
    if (html !== undefined && !dryRun) await exportPage(context, run, html)
    if (bundle !== undefined)
      return exportBundle(context, run, { file: bundle, secrets: values['with-secrets'] === true, dryRun })
    if (dryRun || values['with-secrets'] === true)
      throw new DriftlineError(
        'Usage',
        '--dry-run and --with-secrets are about --bundle FILE. Nothing was written.',
        {}
      )
    return html !== undefined && output === undefined ? 0 : exportReport(context, run, output)
  }
})

/** A page beside the bundle, or alone; its path is a note, so that the one document of `--json` stays that of the bundle. */
async function exportPage(context: Context, run: string, name: string): Promise<void> {
  const path = namedFile(context, name)
  if (path === null) refuseBesideDocument(context, '--html')
  await writeNamed(context, path, [runPage(await context.ask('export.run', { run }))])
  if (path !== null) context.output.note(escapeLine(path))
}

/** Report and patch, in the form that the extension of `output` names: RUN.md without it, and Markdown or JSON for `-`. */
async function exportReport(context: Context, run: string, output: string | undefined): Promise<number> {
  const exported = withReport(await context.ask('export.run', { run }))
  const path = namedFile(context, output ?? `${run.replaceAll(/[^A-Za-z0-9._-]/g, '-')}.md`)
  const isDocument = path === null && context.output.json
  const form = path ?? (isDocument ? 'run.json' : 'run.md')
  if (isDocument) context.output.document(exportDocument(exported))
  // Without -o the name was not chosen by the user, so an existing file must not be replaced.
  else await writeNamed(context, path, [exportText(form, exported)], { replace: output !== undefined })
  const note = secretsNote(form, exported.patch)
  if (note !== '') context.output.note(note)
  return path === null ? 0 : context.output.print({ path, title: exported.title }, [escapeLine(path)])
}

interface ExportedRun extends Result<'export.run'> {
  /** Markdown. */
  readonly report: string
}

const withReport = ({ title, patch, run }: Result<'export.run'>): ExportedRun => ({
  title,
  patch,
  run,
  report: runReport(run)
})

const exportDocument = ({ title, patch, report }: ExportedRun) => ({ title, patch, report })

type ExportForm = 'json' | 'page' | 'patch' | 'markdown'

/** What a file holds, chosen by its extension. */
function exportForm(path: string): ExportForm {
  switch (extname(path).toLowerCase()) {
    case '.json':
      return 'json'
    case '.html':
    case '.htm':
      return 'page'
    case '.patch':
    case '.diff':
      return 'patch'
    default:
      return 'markdown'
  }
}

/** [SH-1] What is masked in a file that people read, or left in one that programs read; empty if that is nothing. */
export function secretsNote(path: string, patch: string): string {
  const lines = patchLines(patch).filter(({ isSecret }) => isSecret).length
  if (lines === 0) return ''
  const form = exportForm(path)
  return form === 'page' || form === 'markdown'
    ? `${plural(lines, 'line')} that may contain a secret ${lines === 1 ? 'is' : 'are'} masked. A .patch or .json file keeps them.`
    : `The file contains ${plural(lines, 'line')} that may contain a secret. A .md or .html file masks them.`
}

/** The text of the file: JSON, the patch alone, a page, or a Markdown report. */
export function exportText(path: string, exported: ExportedRun): string {
  switch (exportForm(path)) {
    case 'json':
      return `${JSON.stringify(exportDocument(exported), null, 2)}\n`
    case 'page':
      return runPage(exported)
    case 'patch':
      return exported.patch
    case 'markdown':
      return markdown(exported)
  }
}

/** [UI-14] [SH-1] For reading: only the patch and JSON are exact. */
function markdown(exported: ExportedRun): string {
  const report = escapeText(exported.report)
  if (exported.patch === '') return report
  const shown = patchLines(exported.patch).map((line) => (line.isSecret ? maskedLine(line) : line.text))
  const patch = escapeText(shown.join('\n'))
  // A fence longer than any run of backticks in the patch cannot be closed by it.
  let longest = 2
  for (const [ticks] of patch.matchAll(/`+/g)) longest = Math.max(longest, ticks.length)
  const fence = '`'.repeat(longest + 1)
  return `${report.trimEnd()}\n\n${fence}diff\n${patch}${patch.endsWith('\n') ? '' : '\n'}${fence}\n`
}

// ---- the whole history ----

const PAGE = 500

/** Writes to a new folder and never into an existing one. Fails with Refused, DiskFull. */
async function exportAll(context: Context, name: string | undefined, secrets: boolean): Promise<number> {
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
