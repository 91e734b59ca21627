/** `driftline blame`: who wrote each line of a file. */
import { columns } from '../columns.ts'
import { command } from '../command.ts'
import { escapeLine } from '../escape.ts'
import { clip, when } from '../words.ts'

export const blame = command({
  name: 'blame',
  usage: ['PATH'],
  summary: 'tell which run wrote each line, or that it came from outside',
  options: {},
  positionals: [1, 1],
  run: async (context, { positionals }) => {
    const workspace = (await context.workspace()).id
    const path = await context.path(positionals[0]!)
    const answer = await context.call('file.blame', { workspace, path })
    const { output } = context
    output.document(answer)
    output.lines(
      columns(
        answer.lines.map((line) => [
          output.paint('dim', line.run ?? (line.origin === 'baseline' ? 'first copy' : line.origin)),
          output.paint('dim', line.at === null ? '' : when(line.at, context.now())),
          output.paint('dim', escapeLine(clip(line.prompt ?? '', 30))),
          String(line.n),
          escapeLine(line.text)
        ])
      )
    )
    return 0
  }
})
