/** `driftline sessions` and `messages`: conversations as they were recorded. */
import { columns } from '../columns.ts'
import { command } from '../command.ts'
import { escapeLine, escapeText } from '../escape.ts'
import { clip, count, when } from '../words.ts'

export const sessions = command({
  name: 'sessions',
  usage: [''],
  summary: 'list the conversations with agents',
  options: {},
  positionals: [0, 0],
  run: async (context) => {
    const workspace = (await context.workspace()).id
    const answer = await context.call('sessions.list', { workspace })
    const { output } = context
    output.document(answer)
    output.lines(
      answer.sessions.length === 0
        ? ['No conversation was recorded here yet. `driftline connect AGENT` lets an agent tell of its work.']
        : columns(
            answer.sessions.map((one) => [
              output.paint('bold', escapeLine(one.id)),
              escapeLine(one.agent),
              when(one.lastAt, context.now()),
              count(one.runs, 'run'),
              escapeLine(clip(one.title, 80))
            ])
          )
    )
    return 0
  }
})

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
      ...answer.messages.flatMap((one) => [
        output.paint(
          one.superseded ? 'dim' : 'bold',
          `${one.role === 'user' ? 'you' : 'agent'}, ${when(one.at, context.now())}${one.superseded ? ', taken back' : ''}:`
        ),
        escapeText(one.text),
        ''
      ]),
      ...answer.todos.map((todo) => `[${todo.status === 'completed' ? 'x' : ' '}] ${escapeLine(todo.text)}`)
    ])
    return 0
  }
})
