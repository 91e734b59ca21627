/** `driftline search`: finds text in prompts, answers, paths and recorded changes. */

import type { SearchHit } from '../../../contract/search.ts'
import { clip } from '../../../contract/words/text.ts'
import { formatTime } from '../../../contract/words/times.ts'
import { limitOf } from '../arguments.ts'
import { columns } from '../columns.ts'
import { command } from '../command.ts'
import { escapeLine } from '../escape.ts'

export const search = command({
  name: 'search',
  usage: ['TEXT'],
  summary: 'search prompts, answers, paths and recorded changes',
  options: { limit: { type: 'string', short: 'n', value: 'N', help: 'maximum number of results (default 50)' } },
  positionals: [1, Number.POSITIVE_INFINITY],
  run: async (context, { positionals, values }) => {
    const workspace = (await context.workspace()).id
    const limit = Math.min(limitOf(values.limit), 1000)
    const answer = await context.call('search.run', { workspace, text: positionals.join(' '), limit })
    const { output } = context
    output.document(answer)
    output.lines(
      answer.hits.length === 0
        ? ['No results.']
        : columns(
            answer.hits.map((hit) => [
              output.paint('dim', hit.kind),
              output.paint('dim', hit.at === null ? '' : formatTime(hit.at, context.now())),
              output.paint('dim', sourceOf(hit)),
              hit.kind === 'change'
                ? `${escapeLine(hit.path ?? '')}  ${escapeLine(hit.text)}`
                : clip(escapeLine(hit.text), 200)
            ])
          )
    )
    if (answer.more) output.note(`More results: driftline search -n ${limit * 2}`)
    if (answer.note !== '') output.note(answer.note)
    return 0
  }
})

/** The target or session of a result, for `show`, `messages` or `cat`. */
function sourceOf(hit: SearchHit): string {
  return escapeLine(hit.run ?? hit.session ?? (hit.seq === null ? '' : `seq:${hit.seq}`))
}
