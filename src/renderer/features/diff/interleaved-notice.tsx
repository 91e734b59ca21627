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
  /** With the edits by others, unless other edits than the run's own are shown; null while it is not loaded. */
  readonly diff: FileDiff | null
  readonly filter: EditFilter
  readonly onFilter: (filter: EditFilter) => void
}

export function InterleavedNotice({ path, diff, filter, onFilter }: InterleavedNoticeProps) {
  // The engine lists the edits of others only with the run's own diff, so they are kept for the other filters.
  const known = useRef<{ path: string; edits: readonly Writer[] }>({ path: '', edits: [] })
  if (diff?.between) known.current = { path, edits: diff.between }
  const edits = known.current.path === path ? known.current.edits : []
  const sentence = diff?.mixed ? mixedSentence(edits) : interleavedSentence(filter, edits, hasOthersLines(diff))
  return (
    <div className="notice interleaved">
      <Icon name="drift" />
      <span className="grow ell interleaved-text" data-tip={sentence}>
        {sentence}
      </span>
      {diff?.mixed ? null : <FilterSwitch edits={edits} filter={filter} onFilter={onFilter} />}
    </div>
  )
}

interface FilterSwitchProps extends Pick<InterleavedNoticeProps, 'filter' | 'onFilter'> {
  readonly edits: readonly Writer[]
}

function FilterSwitch({ edits, filter, onFilter }: FilterSwitchProps) {
  return (
    <Segmented
      label="Edits shown"
      tight
      options={[
        { value: 'own', label: 'This run only' },
        { value: 'all', label: 'All edits' },
        { value: 'others', label: edits.some(({ who }) => who !== 'outside') ? 'Others only' : 'Outside edits only' }
      ]}
      value={filter}
      onChange={onFilter}
    />
  )
}

/** "2 outside edits during this run (14:05, 14:07) are not shown." Pure. */
export function interleavedSentence(filter: EditFilter, edits: readonly Writer[], marked: boolean): string {
  const n = edits.length
  const title = titleOf(edits)
  if (filter === 'all') return `All edits from start to end of the run, including ${title}.`
  if (filter === 'others') return 'Only edits by others during this run.'
  if (n === 0) return 'Edits by others during this run are not shown.'
  const when = timesOf(edits)
  if (marked)
    return n === 1
      ? `${title} (${when}) is not shown; dots mark its lines.`
      : `${title} (${when}) are not shown; dots mark their lines.`
  return `${title} during this run (${when}) ${n === 1 ? 'is' : 'are'} not shown.`
}

/** Of others' edits that overlap with the run's. Pure. */
export function mixedSentence(edits: readonly Writer[]): string {
  return `Includes ${titleOf(edits)} (${timesOf(edits)}), which cannot be separated from the run’s.`
}

function titleOf(edits: readonly Writer[]): string {
  if (edits.length === 0) return 'edits by others'
  const outside = edits.every(({ who }) => who === 'outside')
  return outside ? plural(edits.length, 'outside edit') : `${plural(edits.length, 'edit')} by others`
}

function timesOf(edits: readonly Writer[]): string {
  const times = edits.map(({ at }) => clock(at))
  return times.length <= 2 ? times.join(', ') : `last at ${times.at(-1)}`
}

function hasOthersLines(diff: FileDiff | null): boolean {
  return diff?.view === 'text' && (diff.othersLines?.length ?? 0) > 0
}

/** The filter, and its setter. It is reset to the run's own edits for another file or comparison. */
export function useEditFilter({ query, run }: Selection, path: string | undefined) {
  const key = [query.target, query.to, run, path].join(' ')
  const [chosen, setChosen] = useState<{ readonly key: string; readonly filter: EditFilter }>({ key, filter: 'own' })
  const filter = chosen.key === key ? chosen.filter : 'own'
  return [filter, (next: EditFilter) => setChosen({ key, filter: next })] as const
}
