/** `driftline search`: words in prompts, answers, paths and changes. */
import type { Hit } from '../../../contract/search.ts'
import { limitOf } from '../arguments.ts'
import { columns } from '../columns.ts'
import { command } from '../command.ts'
import { escapeLine } from '../escape.ts'
import { clip, when } from '../words.ts'

export const search = command({
  name: 'search',
  usage: ['TEXT'],
  summary: 'find words in prompts, answers, paths and changes',
  options: { limit: { type: 'string', short: 'n', value: 'N', help: 'at most so many (default 50)' } },
  positionals: [1, Number.POSITIVE_INFINITY],
  run: async (context, { positionals, values }) => {
    const workspace = (await context.workspace()).id
    const limit = Math.min(limitOf(values.limit), 1000)
    const answer = await context.call('search.run', { workspace, text: positionals.join(' '), limit })
    const { output } = context
    output.document(answer)
    output.lines(
      answer.hits.length === 0
        ? ['Nothing found.']
        : columns(
            answer.hits.map((hit) => [
              output.paint('dim', hit.kind),
              output.paint('dim', hit.at === null ? '' : when(hit.at, context.now())),
              output.paint('dim', place(hit)),
              hit.kind === 'change'
                ? `${escapeLine(hit.path ?? '')}  ${escapeLine(hit.text)}`
                : clip(escapeLine(hit.text), 200)
            ])
          )
    )
    if (answer.more) output.note(`There are more; -n ${limit * 2} shows some of them.`)
    if (answer.note !== '') output.note(answer.note)
    return 0
  }
})

/** What to give `show`, `messages` or `cat`. */
function place(hit: Hit): string {
  return escapeLine(hit.run ?? hit.session ?? (hit.seq === null ? '' : `seq:${hit.seq}`))
}
