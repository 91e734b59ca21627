/** `driftline blame`: the run that wrote each line of a file. */
import { clip } from '../../../contract/words/text.ts'
import { formatTime } from '../../../contract/words/times.ts'
import { columns } from '../columns.ts'
import { command } from '../command.ts'
import { escapeLine } from '../escape.ts'

export const blame = command({
  name: 'blame',
  usage: ['PATH'],
  summary: 'show which run wrote each line, or that it was edited outside',
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
          output.paint('dim', line.run ?? (line.origin === 'baseline' ? 'initial' : line.origin)),
          output.paint('dim', line.at === null ? '' : formatTime(line.at, context.now())),
          output.paint('dim', escapeLine(clip(line.prompt ?? '', 30))),
          String(line.n),
          escapeLine(line.text)
        ])
      )
    )
    return 0
  }
})
