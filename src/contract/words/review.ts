/** The message to an agent about what a person said and decided about its changes, and lists of the same. Pure. */
import type {
  Comment,
  CommentedCall,
  CommentedMessage,
  CommentState,
  Decision,
  DecisionKind,
  ReviewRoute,
  ReviewSetting
} from '../review.ts'
import { formatNumber, plural } from './numbers.ts'

/** A longer message names the files of the rest. */
const MOST_CHARACTERS = 12_000
const MOST_NAMES = 50

/** Markdown; "" when there is nothing to send. */
export function reviewMessage(comments: readonly Comment[], decisions: readonly Decision[]): string {
  if (comments.length + decisions.length === 0) return ''
  const blocks = [
    ...(comments.length === 0 ? [] : ['## Comments', ...comments.map(commentBlock)]),
    ...KINDS.flatMap((kind) => {
      const files = decisions.filter((decision) => decision.kind === kind)
      return files.length === 0 ? [] : [`## ${HEADINGS[kind]}`, ...files.map(decisionBlock)]
    })
  ]
  return `${[`# Review of your changes\n\n${introduction(decisions)}`, ...fitted(blocks)].join('\n\n')}\n`
}

const KINDS: readonly DecisionKind[] = ['undone', 'merged', 'restored', 'redone']

const HEADINGS: Readonly<Record<DecisionKind, string>> = {
  undone: 'Undone',
  merged: 'Undone, while other lines of the file stayed',
  restored: 'Restored to an earlier version',
  redone: 'In force again'
}

function introduction(decisions: readonly Decision[]): string {
  const reviewed = 'The user reviewed your changes. The files on disk are as described here.'
  return decisions.some(({ kind }) => kind !== 'redone')
    ? `${reviewed} Do not re-apply what was undone or restored unless the user asks for it.`
    : reviewed
}

/** `src/a.ts:12-14`; "the whole run" for a comment on no file; "answer #12" for one on a message; "the tool call Bash". */
export function commentPlaceText({ message, call, path, line, endLine, run }: Comment): string {
  if (message) return messagePlaceText(message)
  if (call) return callPlaceText(call)
  if (path === null) return run === null ? 'the folder' : 'the whole run'
  if (line === null) return path
  return endLine === null || endLine === line ? `${path}:${line}` : `${path}:${line}-${endLine}`
}

/** A message by its number in the conversation, as `driftline messages` prints it. */
export function messagePlaceText({ role, seq }: Pick<CommentedMessage, 'role' | 'seq'>): string {
  return `${role === 'user' ? 'prompt' : 'answer'} #${seq}`
}

/** A tool call by the name of its tool. */
export function callPlaceText({ name }: Pick<CommentedCall, 'name'>): string {
  return `the tool call ${name}`
}

/** The state of a comment, as a word. */
export const COMMENT_STATES: Readonly<Record<CommentState, string>> = {
  open: 'Open',
  queued: 'Goes with the next prompt',
  sent: 'Sent',
  answered: 'Answered',
  resolved: 'Resolved'
}

/** What was done with a file, as a word. */
export const DECISION_KINDS: Readonly<Record<DecisionKind, string>> = {
  undone: 'Undone',
  merged: 'Undone, other lines kept',
  restored: 'Restored',
  redone: 'In force again'
}

/** How a message reached its agent. */
export const REVIEW_ROUTES: Readonly<Record<ReviewRoute, string>> = {
  prompt: 'With a prompt',
  tool: 'Read by the agent with its tool',
  copy: 'Copied'
}

/** A message in the timeline, at the turn that got it: in few words, and as a sentence's start. */
export function sentReviewText(route: ReviewRoute, agent: string): { readonly short: string; readonly long: string } {
  if (route === 'tool') return { short: 'Review read', long: `Review read by ${agent} with its tool` }
  if (route === 'copy') return { short: 'Review copied', long: `Review copied for ${agent}` }
  return { short: 'Review sent', long: `Review sent to ${agent} with this prompt` }
}

/** When an agent gets it, for the message that is not sent yet. */
export const REVIEW_SETTINGS: Readonly<Record<ReviewSetting, string>> = {
  ask: 'Not sent until you choose to send it.',
  on: 'Sent with your next prompt, without asking.',
  off: 'Never sent, but you can copy it.'
}

function commentBlock(comment: Comment): string {
  const note = commentNote(comment)
  const place = `**${commentPlaceText(comment)}**${note === '' ? '' : ` (${note})`}`
  const quote = comment.quote === '' ? [] : [fenced(comment.quote, '')]
  return [place, ...quote, comment.text].join('\n\n')
}

const LINES_NOTES: Readonly<Record<Comment['lines'], string>> = {
  same: '',
  changed: 'these lines were changed since',
  gone: 'these lines were deleted since',
  unknown: 'the lines could not be followed'
}

/** What happened since to what a comment is on; "" when it is as it was. */
export function commentNote({
  message,
  call,
  lines,
  moved
}: Pick<Comment, 'message' | 'call' | 'lines' | 'moved'>): string {
  if (message?.undone || call?.undone) return 'undone since'
  return LINES_NOTES[lines] || (moved ? 'moved since' : '')
}

function decisionBlock({ path, hunk }: Decision): string {
  return hunk === null ? `- ${path}` : `- ${path}\n\n${fenced(hunk, 'diff')}`
}

/** A fence is longer than any run of backticks in the text. */
function fenced(text: string, language: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}${language}\n${text.replace(/\n$/, '')}\n${fence}`
}

/** The blocks up to MOST_CHARACTERS, and then the first lines of the others. */
function fitted(blocks: readonly string[]): string[] {
  let used = 0
  const whole: string[] = []
  const names: string[] = []
  for (const block of blocks) {
    used += block.length
    if (used <= MOST_CHARACTERS || block.startsWith('## ')) whole.push(block)
    else names.push(block.split('\n', 1)[0] ?? '')
  }
  if (names.length === 0) return whole
  const more = names.length > MOST_NAMES ? [`- and ${formatNumber(names.length - MOST_NAMES)} more`] : []
  return [...whole, '## Not shown in full', ...names.slice(0, MOST_NAMES), ...more]
}

/** "2 comments and 1 decision". */
export function reviewCountText(comments: number, decisions: number): string {
  const parts = [
    ...(comments === 0 ? [] : [plural(comments, 'comment')]),
    ...(decisions === 0 ? [] : [plural(decisions, 'decision')])
  ]
  return parts.length === 0 ? 'nothing to send' : parts.join(' and ')
}
