/** `driftline history`: all recorded versions of a path. */

import { formatBytes } from '../../../contract/words/sizes.ts'
import { clip } from '../../../contract/words/text.ts'
import { formatTime } from '../../../contract/words/times.ts'
import { columns } from '../columns.ts'
import { command } from '../command.ts'
import { escapeLine } from '../escape.ts'

export const history = command({
  name: 'history',
  usage: ['PATH'],
  summary: 'list all versions of a path',
  options: {},
  positionals: [1, 1],
  run: async (context, { positionals }) => {
    const workspace = (await context.workspace()).id
    const path = await context.path(positionals[0]!)
    const answer = await context.call('file.history', { workspace, path })
    const { output } = context
    output.document(answer)
    output.lines(
      answer.versions.length === 0
        ? ['No recorded versions of this path.']
        : columns(
            answer.versions.map((version) => [
              `seq:${version.seq}`,
              formatTime(version.at, context.now()),
              version.origin,
              version.kind === 'file' ? formatBytes(version.size) : version.kind,
              output.paint('dim', version.hash?.slice(0, 12) ?? ''),
              version.stored || version.kind !== 'file' ? '' : output.paint('yellow', 'not stored'),
              [version.run ?? '', clip(version.prompt ?? '', 80)]
                .filter((part) => part !== '')
                .map(escapeLine)
                .join('  ')
            ])
          )
    )
    return 0
  }
})
