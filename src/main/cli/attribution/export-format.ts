/** [SH-7] `driftline export --format`: attribution in the forms of other tools, on stdout and nowhere else. */
import { DriftlineError } from '../../../contract/errors.ts'
import { listSome } from '../../../contract/words/text.ts'
import type { Context } from '../context.ts'
import { escapeLine } from '../escape.ts'
import { agentTrace } from './agent-trace.ts'
import { type Attribution, readAttribution, runOf, type Writer } from './attribution.ts'
import { type Commit, readCommit } from './commits.ts'
import { atifDocument, noteMessages, readConversation } from './conversation.ts'
import { gitAiNote, type NoteConversation } from './git-ai.ts'
import { assistedBy } from './trailers.ts'

export const FORMATS = ['git-ai', 'agent-trace', 'atif', 'trailers'] as const

interface FormatOptions {
  readonly format: (typeof FORMATS)[number]
  /** A revision of git. */
  readonly commit: string | undefined
  readonly secrets: boolean
}

/** `run` null: of all runs, which only a commit can limit. Resolves to the exit code. */
export async function exportFormat(context: Context, run: string | null, options: FormatOptions): Promise<number> {
  const { output, host } = context
  const { format, secrets } = options
  const name = options.commit ?? (format === 'git-ai' ? 'HEAD' : undefined)
  if (run === null && name === undefined)
    throw new DriftlineError('Usage', 'Name a run, or a commit with --commit REV.', {})
  if (format === 'atif') {
    if (run === null) throw new DriftlineError('Usage', 'ATIF is the conversation of a run: name one.', {})
    output.write(json(atifDocument(await readConversation(context, run, secrets))))
    return 0
  }
  if (name !== undefined && host !== null)
    throw new DriftlineError('Usage', `A commit is read by git on ${host}: run the command there.`, { host })
  const commit = name === undefined ? null : await readCommit((await context.workspace()).root, name)
  if (format === 'trailers') return printTrailers(context, run, commit)
  const attribution = await readAttribution(context, run, commit)
  noteSkipped(context, attribution)
  if (format === 'agent-trace' || commit === null) output.write(json(agentTrace(attribution, Date.now())))
  else output.write(gitAiNote({ ...attribution, commit }, await conversationsOf(context, attribution, secrets)))
  return 0
}

const json = (document: object): string => `${JSON.stringify(document, null, 2)}\n`

const MOST_NAMED = 5

function noteSkipped({ output }: Context, { skipped, commit }: Attribution): void {
  if (skipped.length === 0) return
  const why = commit ? 'never had the content of this commit here, or are no text' : 'are no text'
  output.note(`Left out, because they ${why}: ${listSome(skipped.map(escapeLine), MOST_NAMED)}.`)
}

/** A run counts while one of its edits is in force, also if that only deleted lines. */
async function printTrailers(context: Context, run: string | null, commit: Commit | null): Promise<number> {
  const { output } = context
  const writers =
    commit || run === null ? (await readAttribution(context, run, commit)).writers.values() : await ofRun(context, run)
  const lines = assistedBy(writers)
  if (lines.length === 0) output.note('No edit of an agent is in force there, so there is no trailer.')
  output.write(lines.map((line) => `${line}\n`).join(''))
  return 0
}

async function ofRun(context: Context, name: string): Promise<Writer[]> {
  const run = await runOf(context, name)
  if (run.undone || run.files === 0) return []
  const { sessions } = await context.ask('sessions.list', {})
  const session = sessions.find(({ id }) => id === run.session) ?? null
  return [{ run, session, conversation: session?.id ?? run.id }]
}

/** Of each conversation the runs that wrote lines, and what they changed. */
async function conversationsOf(
  context: Context,
  { writers }: Attribution,
  secrets: boolean
): Promise<Map<string, NoteConversation>> {
  const found = new Map<string, NoteConversation>()
  const runs = [...writers.values()].toSorted((a, b) => a.run.at - b.run.at)
  for (const { run, conversation } of runs) {
    const known = found.get(conversation) ?? { messages: [], added: 0, deleted: 0 }
    const messages = noteMessages(await readConversation(context, run.id, secrets))
    found.set(conversation, {
      messages: [...known.messages, ...messages],
      added: known.added + run.added,
      deleted: known.deleted + run.deleted
    })
  }
  return found
}
