/** `driftline resume`: the command that continues a conversation, from its end or an earlier point. */
import { command } from '../command.ts'
import { resumeLines } from '../conversation-text.ts'
import { escapeText } from '../escape.ts'

export const resume = command({
  name: 'resume',
  usage: ['SESSION [--at TARGET] [--fork]'],
  summary: 'print the command that resumes a conversation',
  options: {
    at: { type: 'string', value: 'TARGET', help: 'resume from this point (default: the end of the conversation)' },
    fork: { type: 'boolean', help: 'first create a session file of the agent that ends there; the old one is kept' }
  },
  positionals: [1, 1],
  run: async (context, { values, positionals }) => {
    const workspace = (await context.workspace()).id
    const answer = await context.call('sessions.resume', {
      workspace,
      session: positionals[0]!,
      fork: values.fork === true,
      ...(values.at === undefined ? {} : { at: values.at })
    })
    const { output } = context
    output.document(answer)
    output.lines([...resumeLines(answer), ...(answer.prompt === '' ? [] : ['', escapeText(answer.prompt)])])
    return 0
  }
})
