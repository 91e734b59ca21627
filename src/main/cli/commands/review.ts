/** `driftline findings`, `comment`, `review`: what to look at in a run, what to say, and how the agent gets it. */
import { DriftlineError } from '../../../contract/errors.ts'
import type { Comment, ReviewDraft } from '../../../contract/review.ts'
import { agentIdentity } from '../../../contract/words/agents.ts'
import { findingPlaceText, findingText } from '../../../contract/words/findings.ts'
import { formatNumber } from '../../../contract/words/numbers.ts'
import { commentNote, commentPlaceText, reviewCountText } from '../../../contract/words/review.ts'
import { clip } from '../../../contract/words/text.ts'
import { formatTime } from '../../../contract/words/times.ts'
import { usage } from '../arguments.ts'
import { command } from '../command.ts'
import type { Context } from '../context.ts'
import { escapeLine, escapeText } from '../escape.ts'

export const commentOn = command({
  name: 'comment',
  usage: [
    'TARGET [PATH[:LINE[-LINE]]] [--before] -m TEXT',
    'SESSION#MESSAGE -m TEXT',
    'CALL -m TEXT',
    'ID -m TEXT',
    'resolve|reopen|delete ID'
  ],
  summary: 'comment on a run, a file or lines of it, a message, or a tool call; answer a comment, or close one',
  options: {
    message: { type: 'string', short: 'm', value: 'TEXT', help: 'the comment, as Markdown' },
    before: { type: 'boolean', help: 'LINE counts in the version before the run, for lines that the run deleted' }
  },
  positionals: [1, 2],
  run: async (context, { values, positionals: [first = '', second] }) => {
    if (second !== undefined && isVerb(first)) return changeComment(context, first, second)
    if (values.message === undefined) throw usage(commentOn, '`driftline comment` needs the text: -m TEXT.')
    const place: Partial<Place> = second === undefined ? {} : await placeOf(context, second)
    const target = targetOf(first)
    if (('message' in target || 'call' in target) && (place.path !== undefined || values.before))
      throw usage(commentOn, 'A comment on a message or a tool call names no file.')
    const side = values.before ? { side: 'before' as const } : {}
    const added = await context.ask('comments.add', { ...target, ...place, ...side, text: values.message })
    return context.output.print(added, [`Saved ${added.comment.id} on ${commentPlaceText(added.comment)}.`])
  }
})

const VERBS = ['resolve', 'reopen', 'delete'] as const
type Verb = (typeof VERBS)[number]

function isVerb(word: string): word is Verb {
  return (VERBS as readonly string[]).includes(word)
}

async function changeComment({ ask, output }: Context, verb: Verb, id: string): Promise<number> {
  if (verb === 'delete') {
    await ask('comments.delete', { comment: id })
    return output.print({ comment: id }, [`Deleted ${id}.`])
  }
  const changed = await ask('comments.change', { comment: id, resolved: verb === 'resolve' })
  return output.print(changed, [`${verb === 'resolve' ? 'Resolved' : 'Reopened'} ${changed.comment.id}.`])
}

/** A comment to answer, a tool call, `SESSION#MESSAGE`, or a target. */
function targetOf(
  word: string
): { target: string; replyTo?: string } | { target: string; message: number } | { target: string; call: string } {
  if (word.startsWith('cm_')) return { target: 'now', replyTo: word }
  if (word.startsWith('call_')) return { target: 'now', call: word }
  const [, session, seq] = /^(.+)#(\d+)$/.exec(word) ?? []
  return session === undefined ? { target: word } : { target: session, message: Number(seq) }
}

interface Place {
  readonly path: string
  readonly from?: number
  readonly to?: number
}

/** `src/a.ts:12-14`. What follows the last colon is a line: a file named `a:1` is `a:1:5`. */
async function placeOf(context: Context, word: string): Promise<Place> {
  const [, name = word, from, to] = /^(.+):(\d+)(?:-(\d+))?$/.exec(word) ?? []
  if (Number(to ?? from) < Number(from))
    throw usage(commentOn, `Lines ${from}-${to} end before they begin. Nothing was saved.`)
  const [path = name] = (await context.paths([name])) ?? []
  return { path, ...(from && { from: Number(from), to: Number(to ?? from) }) }
}

export const reviewCommand = command({
  name: 'review',
  usage: ['[RUN] [--all]', 'send [SESSION] [--with-next-prompt|--copy]', 'cancel [SESSION]'],
  summary: 'show the comments and undone changes that an agent has not received yet, or send them',
  options: {
    all: { type: 'boolean', help: 'every comment, also those that were sent or resolved' },
    'with-next-prompt': { type: 'boolean', help: "send it with the session's next prompt (default)" },
    copy: { type: 'boolean', help: 'print the message, to be pasted as a prompt; it counts as sent' }
  },
  positionals: [0, 2],
  run: async (context, { values, positionals: [first, second] }) => {
    const { ask } = context
    if (first === 'send') return send(context, second, values.copy === true)
    if (first === 'cancel') return cancel(context, second)
    const named = first === undefined ? {} : { run: first }
    const draft = await ask('review.get', named)
    if (!values.all) return printDraft(context, draft)
    const { comments } = await ask('comments.list', named)
    const lines = comments.length === 0 ? ['No comments.'] : comments.map(commentLine)
    return context.output.print({ ...documentOf(draft), comments }, lines)
  }
})

function documentOf({ session, agent, comments, decisions, message, queued }: ReviewDraft): object {
  return { session, agent, comments, decisions, message, queued }
}

function printDraft({ output }: Context, draft: ReviewDraft): number {
  const { session, agent, title, message, queued } = draft
  const to = `${agentIdentity(agent).name}: ${escapeLine(clip(title, 60))}`
  const waiting = queued ? [`A message waits for the next prompt to ${to}.`] : []
  const how =
    session === null
      ? `For ${to}. ${NO_HOOKS}`
      : `To ${to}. \`driftline review send ${session}\` sends this with the next prompt.`
  const rest =
    message === ''
      ? [queued ? 'Nothing else to send.' : `Nothing to send to ${to}.`]
      : [how, '', escapeText(message.trimEnd())]
  return output.print(documentOf(draft), [...waiting, ...rest])
}

const NO_HOOKS = 'No hooks reported to this run, so Driftline cannot send this: copy it.'

async function send({ ask, output }: Context, named: string | undefined, isCopied: boolean): Promise<number> {
  const session = named ?? (await ask('review.get', {})).session
  if (session === null) throw new DriftlineError('Refused', `${NO_HOOKS} \`driftline review\` prints it.`)
  const { review: sent, ...counts } = await ask('review.send', { session, route: isCopied ? 'copy' : 'prompt' })
  const { comments, decisions } = counts
  const delivered = sent.state
  const document = { session: sent.session, delivered, comments, decisions, review: sent.id, message: sent.message }
  if (isCopied) return output.print(document, [escapeText(sent.message.trimEnd())])
  return output.print(document, [
    `${reviewCountText(comments, decisions)} will go with the next prompt. \`driftline review cancel\` cancels that.`
  ])
}

async function cancel({ ask, output }: Context, session: string | undefined): Promise<number> {
  const { queued } = await ask('review.get', session === undefined ? {} : { session })
  if (!queued) return output.print({ review: null }, ['No message is waiting.'])
  const { review: cancelled } = await ask('review.cancel', { review: queued.id })
  return output.print({ review: cancelled }, ['Cancelled. Its comments are open again.'])
}

function commentLine(comment: Comment): string {
  const note = commentNote(comment)
  const head = `${comment.id}  ${comment.state}  ${formatTime(comment.at)}  ${escapeLine(commentPlaceText(comment))}`
  return `${head}${note === '' ? '' : ` (${note})`}  ${escapeLine(clip(comment.text, 80))}`
}

export const findings = command({
  name: 'findings',
  usage: ['[RUN]'],
  summary: 'list what to review first in a run: secrets, weakened tests, removed checks and similar',
  positionals: [0, 1],
  run: async ({ ask, output }, { positionals: [run = 'latest'] }) => {
    const answer = await ask('review.findings', { run })
    const lines = answer.findings.flatMap((finding) => [
      `${findingText(finding)}: ${escapeLine(findingPlaceText(finding))}`,
      ...(finding.text === '' ? [] : [`    ${escapeLine(clip(finding.text, 100))}`])
    ])
    const more = answer.more === 0 ? [] : [`${formatNumber(answer.more)} more.`]
    return output.print(answer, lines.length === 0 ? ['Nothing stands out in this run.'] : [...lines, ...more])
  }
})
