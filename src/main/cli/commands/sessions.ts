/** `driftline sessions` and `messages`: conversations as they were recorded. */
import { DriftlineError } from '../../../contract/errors.ts'
import { columns } from '../columns.ts'
import { command } from '../command.ts'
import { canAsk, confirm } from '../confirm.ts'
import type { Context } from '../context.ts'
import { escapeLine, escapeText } from '../escape.ts'
import { clip, count, when } from '../words.ts'

export const sessions = command({
  name: 'sessions',
  usage: ['', '--delete SESSION [--yes]'],
  summary: 'list the conversations with agents, or delete the words of one',
  options: {
    delete: { type: 'string', value: 'SESSION', help: 'remove the words of this conversation for good' },
    yes: { type: 'boolean', help: 'do not ask' }
  },
  positionals: [0, 0],
  run: async (context, { values }) => {
    const workspace = (await context.workspace()).id
    if (values.delete !== undefined) return remove(context, workspace, values.delete, values.yes === true)
    const answer = await context.call('sessions.list', { workspace })
    const { output } = context
    output.document(answer)
    output.lines(
      answer.sessions.length === 0
        ? ['No conversation was recorded here yet. `driftline connect AGENT` lets an agent tell of its work.']
        : columns(
            answer.sessions.map((session) => [
              output.paint('bold', escapeLine(session.id)),
              escapeLine(session.agent),
              when(session.lastAt, context.now()),
              count(session.runs, 'run'),
              escapeLine(clip(session.title, 80)),
              output.paint(
                'dim',
                session.forkedFrom === '' ? '' : `goes on from ${escapeLine(session.forkedFrom.slice(0, 8))}`
              )
            ])
          )
    )
    return 0
  }
})

/** What its runs changed stays and can still be taken back; only the words go. */
async function remove(context: Context, workspace: string, session: string, yes: boolean): Promise<number> {
  const question = `Delete the words of ${escapeLine(session)} for good? What its runs changed stays recorded.`
  if (!yes) {
    if (!canAsk(context.output))
      throw new DriftlineError('NeedsConfirmation', `${question} Nothing was deleted. Add --yes to do it.`, { session })
    if (!(await confirm(question))) return 3
  }
  const answer = await context.call('sessions.delete', { workspace, session })
  context.output.document({ session, ...answer })
  context.output.lines([
    `Deleted ${count(answer.messages, 'message')} of ${escapeLine(session)}; ${count(answer.runs, 'run')} kept without a name.`,
    ...(answer.note === '' ? [] : [answer.note])
  ])
  return 0
}

export const messages = command({
  name: 'messages',
  usage: ['SESSION'],
  summary: 'print one conversation',
  options: {},
  positionals: [1, 1],
  run: async (context, { positionals }) => {
    const workspace = (await context.workspace()).id
    const answer = await context.call('sessions.messages', { workspace, session: positionals[0]! })
    const { output } = context
    output.document(answer)
    output.lines([
      ...answer.messages.flatMap((message) => [
        output.paint(
          message.superseded ? 'dim' : 'bold',
          `${message.role === 'user' ? 'you' : 'agent'}, ${when(message.at, context.now())}${message.superseded ? ', taken back' : ''}:`
        ),
        escapeText(message.text),
        ''
      ]),
      ...answer.todos.map((todo) => `[${todo.status === 'completed' ? 'x' : ' '}] ${escapeLine(todo.text)}`)
    ])
    return 0
  }
})
