/**
 * `driftline export`: a run as a file to share, which is its report and patch as Markdown or JSON, or the patch alone;
 * as a page, a bundle or attribution for other tools; or with `--all` the whole history.
 */
import { DriftlineError } from '../../../contract/errors.ts'
import { listAll } from '../../../contract/words/text.ts'
import { exportFormat, FORMATS } from '../attribution/export-format.ts'
import { command } from '../command.ts'
import type { Context } from '../context.ts'
import { escapeLine } from '../escape.ts'
import { exportDocument, exportText, secretsNote, withReport } from '../export-forms.ts'
import { exportHistory } from '../export-history.ts'
import { isStandardOutput, namedFile, refuseBesideDocument, writeNamed } from '../named-output.ts'
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
  run: async (context, { values, positionals: [run = null] }) => {
    const form = formOf(values, run)
    const { format, commit, output, bundle, html } = values
    const secrets = values['with-secrets'] === true
    const dryRun = values['dry-run'] === true
    if (format !== undefined) return exportFormat(context, run, { format, commit, secrets })
    if (form === '--all' || run === null) return exportHistory(context, output, values.secrets === true)
    if (html !== undefined && !dryRun) await exportPage(context, run, html)
    if (bundle !== undefined) return exportBundle(context, run, { file: bundle, secrets, dryRun })
    return html !== undefined && output === undefined ? 0 : exportReport(context, run, output)
  }
})

/** What is exported, and the options that go with it. */
const FORMS = {
  '--format': ['format', 'output', 'commit', 'with-secrets'],
  '--all': ['all', 'output', 'secrets'],
  '--bundle': ['bundle', 'html', 'with-secrets', 'dry-run'],
  'the report': ['output', 'html']
} as const satisfies Readonly<Record<string, readonly string[]>>
type Form = keyof typeof FORMS

interface FormValues extends Readonly<Record<string, unknown>> {
  readonly output?: string
  readonly html?: string
  readonly bundle?: string
}

/** The form that the options ask for. Throws `Usage` for options that do not go together, before anything is written. */
function formOf(values: FormValues, run: string | null): Form {
  const { format, all, bundle, html, output } = values
  const form: Form =
    format !== undefined ? '--format' : all === true ? '--all' : bundle !== undefined ? '--bundle' : 'the report'
  const refuse = (problem: string): never => {
    throw new DriftlineError('Usage', `${problem} Nothing was written.`, {})
  }
  for (const option of Object.keys(values)) {
    const forms = Object.keys(FORMS).filter((each) => (FORMS[each as Form] as readonly string[]).includes(option))
    if (!forms.includes(form)) refuse(`--${option} goes with ${listAll(forms, 'or')} only.`)
  }
  if (form === '--format' && output !== undefined && !isStandardOutput(output))
    refuse('With --format, redirect standard output instead of -o FILE.')
  if (form !== '--format' && (form === '--all') === (run !== null))
    refuse('Name a run, or use --all for the whole history.')
  if (isStandardOutput(html) && (bundle ?? output) !== undefined)
    refuse('With another export, --html needs the name of a file.')
  return form
}

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
