/** The bar of a file history: the choice of the view, and what that view needs. */

import type { HistoryView } from '../../model/open-file.ts'
import { FindField } from '../../ui/find-field.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { LayoutSwitch } from '../diff/text-options.tsx'
import type { LineSearch } from './line-search.tsx'
import type { FileHistory } from './use-file-history.ts'

interface ViewBarProps {
  readonly history: FileHistory
  readonly split: boolean
  readonly onLayout: (layout: 'inline' | 'split') => void
  readonly search: LineSearch
}

/** Offers the age legend and find field, or the diff layout. */
export function ViewBar({ history: { version, view, setView }, split, onLayout, search }: ViewBarProps) {
  return (
    <div className="bar view-bar">
      <Segmented<HistoryView>
        label="View"
        options={[
          { value: 'lines', label: 'Who wrote each line' },
          {
            value: 'change',
            label: 'Changes',
            disabled: version?.origin === 'baseline' ? 'The initial snapshot has no earlier version' : null
          },
          { value: 'since', label: 'Since then' },
          { value: 'text', label: 'Text' }
        ]}
        value={view}
        onChange={setView}
      />
      <span className="grow" />
      {view === 'lines' ? (
        <>
          <span className="ages small muted" aria-hidden="true">
            older <i className="age-1" />
            <i className="age-2" />
            <i className="age-3" />
            <i className="age-4" /> newer
          </span>
          <FindField find={search} label="Find in this file" unit="line" />
        </>
      ) : null}
      {view === 'change' || view === 'since' ? (
        <div className="history-layout">
          <LayoutSwitch split={split} onChange={onLayout} />
        </div>
      ) : null}
    </div>
  )
}
