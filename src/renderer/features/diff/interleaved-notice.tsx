/** Notice that others edited the file during the run, with a switch for whose edits are shown. */
import { useRef, useState } from 'react'
import type { FileDiff, Writer } from '../../../contract/diff.ts'
import { plural } from '../../../contract/words/numbers.ts'
import { clock } from '../../../contract/words/times.ts'
import type { Selection } from '../../model/diff-selection.ts'
import type { EditFilter } from '../../state/comparison.ts'
import { Icon } from '../../ui/icon.tsx'
import { Segmented } from '../../ui/segmented.tsx'

interface InterleavedNoticeProps {
  readonly path: string
  /** Edits by others, oldest first; absent unless the run's own edits are shown. */
  readonly othersEdits: readonly Writer[] | undefined
  /** Their lines are marked in the margin. */
  readonly marked: boolean
  readonly filter: EditFilter
  readonly onFilter: (filter: EditFilter) => void
}

export function InterleavedNotice({ path, othersEdits, marked, filter, onFilter }: InterleavedNoticeProps) {
  // The engine lists the edits of others only with the run's own diff, so they are kept for the other filters.
  const known = useRef<{ path: string; edits: readonly Writer[] }>({ path: '', edits: [] })
  if (othersEdits) known.current = { path, edits: othersEdits }
  const edits = known.current.path === path ? known.current.edits : []
  return (
    <div className="notice interleaved">
      <Icon name="drift" />
      <span className="grow ell interleaved-text" data-tip={interleavedSentence(filter, edits, marked)}>
        {interleavedSentence(filter, edits, marked)}
      </span>
      <Segmented
        label="Edits shown"
        tight
        options={[
          { value: 'own', label: 'This run only' },
          { value: 'all', label: 'All edits' },
          {
            value: 'others',
            label: edits.some(({ who }) => who !== 'outside') ? 'Others only' : 'Outside edits only'
          }
        ]}
        value={filter}
        onChange={onFilter}
      />
    </div>
  )
}

/** "2 outside edits during this run (14:05, 14:07) are not shown." Pure. */
export function interleavedSentence(filter: EditFilter, edits: readonly Writer[], marked: boolean): string {
  const n = edits.length
  const outside = edits.every(({ who }) => who === 'outside')
  const title = n === 0 ? 'edits by others' : outside ? plural(n, 'outside edit') : `${plural(n, 'edit')} by others`
  if (filter === 'all') return `All edits from start to end of the run, including ${title}.`
  if (filter === 'others') return 'Only edits by others during this run.'
  if (n === 0) return 'Edits by others during this run are not shown.'
  const times = edits.map(({ at }) => clock(at))
  const when = n <= 2 ? times.join(', ') : `last at ${times.at(-1)}`
  if (marked)
    return n === 1
      ? `${title} (${when}) is not shown; dots mark its lines.`
      : `${title} (${when}) are not shown; dots mark their lines.`
  return `${title} during this run (${when}) ${n === 1 ? 'is' : 'are'} not shown.`
}

export function hasOthersLines(diff: FileDiff | null): boolean {
  return diff?.view === 'text' && (diff.othersLines?.length ?? 0) > 0
}

/** The filter, and its setter. It is reset to the run's own edits for another file or comparison. */
export function useEditFilter({ query, run }: Selection, path: string | undefined) {
  const key = [query.target, query.to, run, path].join(' ')
  const [chosen, setChosen] = useState<{ readonly key: string; readonly filter: EditFilter }>({ key, filter: 'own' })
  const filter = chosen.key === key ? chosen.filter : 'own'
  return [filter, (next: EditFilter) => setChosen({ key, filter: next })] as const
}
