/** `driftline history`: every recorded version of a path. */

import { bytes } from '../../../contract/sizes.ts'
import { columns } from '../columns.ts'
import { command } from '../command.ts'
import { escapeLine } from '../escape.ts'
import { clip, when } from '../words.ts'

export const history = command({
  name: 'history',
  usage: ['PATH'],
  summary: 'list every version of a path',
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
        ? ['No version of this path was recorded.']
        : columns(
            answer.versions.map((version) => [
              `seq:${version.seq}`,
              when(version.at, context.now()),
              version.origin,
              version.kind === 'file' ? bytes(version.size) : version.kind,
              output.paint('dim', version.hash?.slice(0, 12) ?? ''),
              version.stored || version.kind !== 'file' ? '' : output.paint('yellow', 'not kept'),
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
