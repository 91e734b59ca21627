/** `driftline sessions`, `messages`, `resume`: recorded conversations. */
import type { MessagePage } from '../../../contract/conversation.ts'
import { plural } from '../../../contract/words/numbers.ts'
import { CONVERSATION_ERASED_LATER } from '../../../contract/words/storage.ts'
import { clip } from '../../../contract/words/text.ts'
import { formatTime } from '../../../contract/words/times.ts'
import { columns } from '../columns.ts'
import { command, YES } from '../command.ts'
import { confirmDeletion } from '../confirm.ts'
import type { Context } from '../context.ts'
import { conversationPages } from '../conversation-pages.ts'
import { resumeDocument } from '../documents.ts'
import { escapeLine, escapeText } from '../escape.ts'
import { resumeLines } from '../plan-text.ts'

export const sessions = command({
  name: 'sessions',
  usage: ['', '--delete SESSION [--yes]'],
  summary: 'list conversations with agents, or delete the messages of one',
  options: {
    delete: { type: 'string', value: 'SESSION', help: 'permanently delete the messages of this conversation' },
    yes: YES
  },
  run: async (context, { values }) => {
    const { ask, output } = context
    if (values.delete !== undefined) return deleteMessages(context, values.delete, values.yes === true)
    const answer = await ask('sessions.list', {})
    const rows = answer.sessions.map((session) => [
      output.paint('bold', escapeLine(session.id)),
      escapeLine(session.agent),
      formatTime(session.lastAt),
      plural(session.runs, 'run'),
      escapeLine(clip(session.title, 80)),
      output.paint('dim', session.forkedFrom && `continues ${escapeLine(session.forkedFrom.slice(0, 8))}`)
    ])
    const none = 'No recorded conversations yet. Connect an agent with `driftline connect AGENT`.'
    return output.print(answer, rows.length === 0 ? [none] : columns(rows))
  }
})

/** Deletes only the messages: the file changes of its runs stay recorded and can still be undone. */
async function deleteMessages({ ask, output, workspace }: Context, session: string, yes: boolean): Promise<number> {
  await workspace()
  if (!yes) {
    const question = `Permanently delete the messages of ${escapeLine(session)}? File changes of its runs stay recorded.`
    if (!(await confirmDeletion(output, question, { data: { session } }))) return 3
  }
  const answer = await ask('sessions.delete', { session })
  const note = answer.postponed ? CONVERSATION_ERASED_LATER : ''
  return output.print({ session, messages: answer.messages, runs: answer.runs, note }, [
    `Deleted ${plural(answer.messages, 'message')} of ${escapeLine(session)}; ${plural(answer.runs, 'run')} kept without a title.`,
    ...(note === '' ? [] : [note])
  ])
}

export const messages = command({
  name: 'messages',
  usage: ['SESSION'],
  summary: 'print one conversation',
  positionals: [1, 1],
  run: async (context, { positionals }) => {
    const { output } = context
    const document = output.openDocument('messages')
    let rest: Omit<MessagePage, 'messages' | 'inForce' | 'more'> = { revision: 0, todos: [], plan: '', unknown: [] }
    const unknown: string[] = []
    for await (const { messages, revision, todos, plan, unknown: found } of conversationPages(
      context,
      positionals[0]!
    )) {
      document.add(messages)
      output.lines(
        messages.flatMap(({ seq, role, text, at, superseded }) => {
          const who = role === 'user' ? 'you' : 'agent'
          const heading = `#${seq} ${who}, ${formatTime(at)}${superseded ? ', undone' : ''}:`
          return [output.paint(superseded ? 'dim' : 'bold', heading), escapeText(text), '']
        })
      )
      unknown.push(...found)
      rest = { revision, todos, plan, unknown }
      // A reader that is slower than the recorder must not fill this process's memory.
      await output.flush()
      if (output.isClosed()) return 0
    }
    document.end(rest)
    output.lines(rest.todos.map((todo) => `[${todo.status === 'completed' ? 'x' : ' '}] ${escapeLine(todo.text)}`))
    return 0
  }
})

/** The command that continues a conversation, from its end or an earlier point. */
export const resume = command({
  name: 'resume',
  usage: ['SESSION [--at TARGET] [--fork]'],
  summary: 'print the command that resumes a conversation',
  options: {
    at: { type: 'string', value: 'TARGET', help: 'resume from this target (default: the end of the conversation)' },
    fork: { type: 'boolean', help: 'first create a session file of the agent that ends there; the old one is kept' }
  },
  positionals: [1, 1],
  run: async ({ ask, output }, { values: { at, fork = false }, positionals }) => {
    const answer = await ask('sessions.resume', { session: positionals[0]!, fork, at })
    return output.print(resumeDocument(answer), [
      ...resumeLines(answer),
      ...(answer.prompt === '' ? [] : ['', escapeText(answer.prompt)])
    ])
  }
})
