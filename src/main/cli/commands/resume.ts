/** `driftline resume`: how to go on with a conversation, from its present point or an earlier one. */
import { command } from '../command.ts'
import { resumeLines } from '../conversation-text.ts'
import { escapeText } from '../escape.ts'

export const resume = command({
  name: 'resume',
  usage: ['SESSION [--at TARGET] [--fork]'],
  summary: 'print the command that goes on with a conversation',
  options: {
    at: { type: 'string', value: 'TARGET', help: 'from there; default: where the conversation stands now' },
    fork: { type: 'boolean', help: "first prepare a session of the agent's own that ends there; the old one stays" }
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
