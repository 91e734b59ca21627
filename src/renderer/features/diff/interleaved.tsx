/** Says that others edited a file between two edits of what is shown, and switches between the two and both together. */
import { useRef } from 'react'
import type { Writer } from '../../../contract/diff.ts'
import { clock } from '../../ui/format.ts'
import { Icon } from '../../ui/icon.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { count } from '../files/file-words.ts'

/** Which part of an interleaved file is shown. */
export type Part = 'own' | 'all' | 'others'

interface InterleavedProps {
  readonly path: string
  /** Others' edits in between, oldest first; absent while another part than the run's own is shown. */
  readonly between: readonly Writer[] | undefined
  readonly part: Part
  readonly onPart: (part: Part) => void
}

export function Interleaved({ path, between, part, onPart }: InterleavedProps) {
  // Only the run's own part names them; the other parts go on saying it.
  const known = useRef<{ path: string; between: readonly Writer[] }>({ path: '', between: [] })
  if (between) known.current = { path, between }
  const writers = known.current.path === path ? known.current.between : []
  return (
    <div className="notice interleaved">
      <Icon name="drift" />
      <span>{interleavedWords(part, writers)}</span>
      <span className="grow" />
      <Segmented
        label="Whose changes are shown"
        tight
        options={[
          { value: 'own', label: 'This run only' },
          { value: 'all', label: 'Everything' },
          {
            value: 'others',
            label: writers.some(({ who }) => who !== 'outside') ? 'Others only' : 'Outside edits only'
          }
        ]}
        value={part}
        onChange={onPart}
      />
    </div>
  )
}

/** "Includes 2 outside edits, at 14:05 and 14:07." Pure. */
export function interleavedWords(part: Part, between: readonly Writer[]): string {
  const n = between.length
  const outside = between.every(({ who }) => who === 'outside')
  const edits = n === 0 ? 'edits of others' : outside ? count(n, 'outside edit') : `${count(n, 'edit')} of others`
  if (part === 'all') return `Everything between start and end, with ${edits}.`
  if (part === 'others') return `Only what others wrote between two of this run’s edits.`
  const times = between.map(({ at }) => clock(at))
  const when = n === 0 ? '' : n <= 2 ? ` at ${times.join(' and ')}` : `, the last at ${times.at(-1)}`
  return `${n === 0 ? 'Edits of others' : edits}${when} between two of this run’s edits; not part of this diff.`
}
