/** `driftline diff`, `cat`, `history`, `blame`, `search`: what was recorded of files, and who wrote it. */
import type { Result } from '../../../contract/api.ts'
import { DriftlineError } from '../../../contract/errors.ts'
import type { BlameLine } from '../../../contract/log.ts'
import type { TestResult } from '../../../contract/tests.ts'
import { plural } from '../../../contract/words/numbers.ts'
import { diffWarningText } from '../../../contract/words/run-warnings.ts'
import { formatBytes } from '../../../contract/words/sizes.ts'
import { searchLimitText } from '../../../contract/words/storage.ts'
import { testText } from '../../../contract/words/tests.ts'
import { clip } from '../../../contract/words/text.ts'
import { formatTime } from '../../../contract/words/times.ts'
import { limitOf } from '../arguments.ts'
import { columns } from '../columns.ts'
import { command } from '../command.ts'
import type { Context } from '../context.ts'
import { diffDocument } from '../documents.ts'
import { escapeLine, escapeText } from '../escape.ts'
import type { Paint, Style } from '../paint.ts'

/** What `diff`, `cat` and `blame` leave out on a terminal. */
const SECRETS = { type: 'boolean', help: 'on a terminal: also show files that may contain secrets' } as const
const HOW_TO_SHOW = 'Use --secrets to show it, or write the output to a file.'

/**
 * In a pipe the bytes of the patch are exact; on a terminal it is coloured, escaped and decoded to readable text, and
 * files that may contain secrets have only their counts (UI-4).
 */
export const diff = command({
  name: 'diff',
  usage: ['TARGET [--scope run|checkpoint|turn] [--to TARGET] [--secrets] [PATH…]'],
  summary: 'show what changed, as a patch',
  options: {
    scope: {
      type: 'string',
      value: 'SCOPE',
      choices: ['run', 'checkpoint', 'turn'],
      help: 'run, checkpoint (since the one before) or turn (default: by the kind of TARGET)'
    },
    to: { type: 'string', value: 'TARGET', help: 'compare with this target; "now" is the folder on disk' },
    secrets: SECRETS
  },
  positionals: [1, Number.POSITIVE_INFINITY],
  run: async (context, { values: { secrets = false, ...values }, positionals }) => {
    const { output } = context
    const [target = '', ...paths] = positionals
    const forReading = output.isTerminal && !output.json
    const answer = await context.ask('diff.patch', {
      ...values,
      target,
      paths: await context.paths(paths),
      ...(forReading ? { use: 'reading', secrets } : {})
    })
    output.document(diffDocument(answer))
    if (output.json) return 0
    const warning = diffWarningText(answer.warnings)
    if (warning) output.note(output.paintNote('yellow', escapeText(warning)))
    if (answer.files.length === 0 && output.isTerminal) output.note('No changes.')
    output.write(forReading ? paintPatch(answer.patch, output.paint) : answer.patch)
    for (const { path, added, deleted } of forReading && !secrets ? answer.files.filter((file) => file.secret) : [])
      output.note(`${escapeLine(path)} may contain secrets: +${added} -${deleted} lines are not shown. ${HOW_TO_SHOW}`)
    return 0
  }
})

/**
 * Colours the lines as git does and escapes control characters. For reading only: `git apply` needs the patch as it is.
 */
export function paintPatch(patch: string, paint: Paint): string {
  let inHunk = false
  return patch
    .split('\n')
    .map((line) => {
      if (line.startsWith('diff --git ')) inHunk = false
      else if (line.startsWith('@@')) inHunk = true
      const style = styleOf(line, inHunk)
      const text = escapeText(line)
      return style ? paint(style, text) : text
    })
    .join('\n')
}

function styleOf(line: string, inHunk: boolean): Style | null {
  if (line.startsWith('@@')) return 'cyan'
  if (!inHunk) return 'bold'
  if (line.startsWith('+')) return 'green'
  return line.startsWith('-') ? 'red' : null
}

/** The path that a person names; throws Usage for the recorded folder itself. */
async function pathInFolder(context: Context, typed: string): Promise<string> {
  const path = await context.path(typed)
  if (path === '') throw new DriftlineError('Usage', 'PATH is the whole folder. Name a file in it.')
  return path
}

export const cat = command({
  name: 'cat',
  usage: ['TARGET PATH [--secrets]'],
  summary: 'print the exact bytes of a file at a target',
  options: { secrets: SECRETS },
  positionals: [2, 2],
  run: async (context, { values, positionals: [target = '', typed = ''] }) => {
    const path = await pathInFolder(context, typed)
    const file = await context.ask('file.cat', { target, path })
    if (context.output.isTerminal && file.secret && !values.secrets)
      context.output.note(
        `${escapeLine(path)} may contain secrets: ${formatBytes(file.size)} are not shown. ${HOW_TO_SHOW}`
      )
    else context.output.write(Buffer.from(file.base64, 'base64'))
    return 0
  }
})

export const history = command({
  name: 'history',
  usage: ['PATH'],
  summary: 'list all versions of a path',
  positionals: [1, 1],
  run: async (context, { positionals: [typed = ''] }) => {
    const { ask, output } = context
    const answer = await ask('file.history', { path: await pathInFolder(context, typed) })
    const rows = answer.versions.map((version) => [
      `seq:${version.seq}`,
      formatTime(version.at),
      version.origin,
      version.kind === 'file' ? formatBytes(version.size) : version.kind,
      output.paint('dim', version.hash?.slice(0, 12) ?? ''),
      version.stored || version.kind !== 'file' ? '' : output.paint('yellow', 'not stored'),
      version.oldPath === undefined ? '' : `renamed from ${escapeLine(version.oldPath)}`,
      testCell(version.tests?.[0], output.paint),
      [version.run, version.prompt && clip(version.prompt, 80)]
        .flatMap((part) => (part ? escapeLine(part) : []))
        .join('  ')
    ])
    return output.print(answer, rows.length === 0 ? ['No recorded versions of this path.'] : columns(rows))
  }
})

/** How the first tests with a version ended. */
function testCell(test: TestResult | undefined, paint: Paint): string {
  return test ? paint(test.result === 'passed' ? 'green' : 'red', testText(test)) : ''
}

export const blame = command({
  name: 'blame',
  usage: ['PATH [--secrets]'],
  summary: 'show which run wrote each line, or that it was edited outside',
  options: { secrets: SECRETS },
  positionals: [1, 1],
  run: async (context, { values, positionals: [typed = ''] }) => {
    const { ask, output } = context
    const file = await pathInFolder(context, typed)
    const document = output.openDocument('lines')
    for (let from: number | null = 1; from !== null; ) {
      const { lines, total, next, secret }: Result<'file.blame'> = await ask('file.blame', { path: file, from })
      if (output.isTerminal && !output.json && secret && !values.secrets) {
        output.note(`The file may contain secrets: ${plural(total, 'line')} not shown. ${HOW_TO_SHOW}`)
        return 0
      }
      document.add(lines)
      output.lines(columns(lines.map((line) => blameCells(output.paint, line))))
      // A reader that is slower than the recorder must not fill this process's memory.
      await output.flush()
      if (output.isClosed()) return 0
      from = next
    }
    document.end({})
    return 0
  }
})

const blameCells = (paint: Paint, line: BlameLine): string[] => [
  paint('dim', line.run ?? (line.origin === 'baseline' ? 'initial' : line.origin)),
  paint('dim', line.at === null ? '' : formatTime(line.at)),
  paint('dim', escapeLine(clip(line.prompt ?? '', 30))),
  String(line.n),
  escapeLine(line.text)
]

export const search = command({
  name: 'search',
  usage: ['TEXT [--limit N]'],
  summary: 'search prompts, answers, paths and recorded changes',
  options: { limit: { type: 'string', short: 'n', value: 'N', help: 'maximum number of results (default 50)' } },
  positionals: [1, Number.POSITIVE_INFINITY],
  run: async ({ ask, output }, { positionals, values }) => {
    const limit = Math.min(limitOf(values.limit), 1000)
    const answer = await ask('search.run', { text: positionals.join(' '), limit })
    const rows = answer.hits.map((hit) => [
      output.paint('dim', hit.kind),
      output.paint('dim', hit.at === null ? '' : formatTime(hit.at)),
      // The target or session of a result, for `show`, `messages` or `cat`.
      output.paint('dim', escapeLine(hit.run ?? hit.session ?? (hit.seq === null ? '' : `seq:${hit.seq}`))),
      hit.kind === 'change' ? `${escapeLine(hit.path ?? '')}  ${escapeLine(hit.text)}` : clip(escapeLine(hit.text), 200)
    ])
    const { searched, ...found } = answer
    const note = searchLimitText(searched)
    output.print({ ...found, note }, rows.length === 0 ? ['No results.'] : columns(rows))
    if (answer.more) output.note(`More results: driftline search -n ${limit * 2}`)
    if (note !== '') output.note(note)
    return 0
  }
})
