/** `driftline sessions` and `messages`: recorded conversations. */

import { DriftlineError } from '../../../contract/errors.ts'
import { plural } from '../../../contract/words/numbers.ts'
import { clip } from '../../../contract/words/text.ts'
import { formatTime } from '../../../contract/words/times.ts'
import { columns } from '../columns.ts'
import { command } from '../command.ts'
import { canAsk, confirm } from '../confirm.ts'
import type { Context } from '../context.ts'
import { escapeLine, escapeText } from '../escape.ts'

export const sessions = command({
  name: 'sessions',
  usage: ['', '--delete SESSION [--yes]'],
  summary: 'list conversations with agents, or delete the messages of one',
  options: {
    delete: { type: 'string', value: 'SESSION', help: 'permanently delete the messages of this conversation' },
    yes: { type: 'boolean', help: 'do not ask' }
  },
  positionals: [0, 0],
  run: async (context, { values }) => {
    const workspace = (await context.workspace()).id
    if (values.delete !== undefined) return deleteMessages(context, workspace, values.delete, values.yes === true)
    const answer = await context.call('sessions.list', { workspace })
    const { output } = context
    output.document(answer)
    output.lines(
      answer.sessions.length === 0
        ? ['No recorded conversations yet. Connect an agent with `driftline connect AGENT`.']
        : columns(
            answer.sessions.map((session) => [
              output.paint('bold', escapeLine(session.id)),
              escapeLine(session.agent),
              formatTime(session.lastAt, context.now()),
              plural(session.runs, 'run'),
              escapeLine(clip(session.title, 80)),
              output.paint(
                'dim',
                session.forkedFrom === '' ? '' : `continues ${escapeLine(session.forkedFrom.slice(0, 8))}`
              )
            ])
          )
    )
    return 0
  }
})

/** Deletes only the messages: the file changes of its runs stay recorded and can still be undone. */
async function deleteMessages(context: Context, workspace: string, session: string, yes: boolean): Promise<number> {
  const question = `Permanently delete the messages of ${escapeLine(session)}? File changes of its runs stay recorded.`
  if (!yes) {
    if (!canAsk(context.output))
      throw new DriftlineError('NeedsConfirmation', `${question} Nothing was deleted. Add --yes to confirm.`, {
        session
      })
    if (!(await confirm(question))) return 3
  }
  const answer = await context.call('sessions.delete', { workspace, session })
  context.output.document({ session, ...answer })
  context.output.lines([
    `Deleted ${plural(answer.messages, 'message')} of ${escapeLine(session)}; ${plural(answer.runs, 'run')} kept without a title.`,
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
          `${message.role === 'user' ? 'you' : 'agent'}, ${formatTime(message.at, context.now())}${message.superseded ? ', undone' : ''}:`
        ),
        escapeText(message.text),
        ''
      ]),
      ...answer.todos.map((todo) => `[${todo.status === 'completed' ? 'x' : ' '}] ${escapeLine(todo.text)}`)
    ])
    return 0
  }
})
