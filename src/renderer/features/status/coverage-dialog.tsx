/** Covered files and excluded paths, with reasons. */
import { useMemo } from 'react'
import { excludedExplanation, excludedHeading } from '../../../contract/words/excluded.ts'
import { plural } from '../../../contract/words/numbers.ts'
import { formatBytes } from '../../../contract/words/sizes.ts'
import type { CoverageTotals, ExcludedPath, ExcludedReason, WorkspaceId } from '../../../contract/workspace.ts'
import { useQuery } from '../../client/use-query.ts'
import { CloseFooter, Dialog } from '../../ui/dialog.tsx'
import { FailedNotice } from '../../ui/failed-notice.tsx'
import { VirtualList } from '../../ui/virtual-list.tsx'

interface CoverageDialogProps {
  readonly workspace: WorkspaceId
  readonly onClose: () => void
}

type Line =
  | { readonly kind: 'reason'; readonly reason: ExcludedReason; readonly files: number }
  | { readonly kind: 'path'; readonly item: ExcludedPath }

export function CoverageDialog({ workspace, onClose }: CoverageDialogProps) {
  const query = useQuery('coverage.list', { workspace })
  const lines = useMemo(() => linesOf(query.data?.notCovered ?? []), [query.data])
  return (
    <Dialog labelledBy="coverage-title" describedBy="coverage-text" className="dialog coverage" onClose={onClose}>
      <header>
        <h1 id="coverage-title">Coverage</h1>
        <p className="muted" id="coverage-text">
          {query.data ? summary(query.data.covered, query.data.notCovered.length) : 'Reading the list…'}
        </p>
      </header>
      {query.error ? <FailedNotice error={query.error} onRetry={query.refetch} /> : null}
      {lines.length > 0 ? (
        <VirtualList
          role="list"
          label="Excluded"
          className="coverage-list"
          items={lines}
          padding={8}
          keyOf={(line) => (line.kind === 'reason' ? `reason ${line.reason}` : line.item.path)}
          heightOf={(line) => (line.kind === 'reason' ? 72 : 24)}
          measured
          renderRow={(line) => <LineView line={line} />}
        />
      ) : null}
      <CloseFooter onClose={onClose} />
    </Dialog>
  )
}

function summary(covered: CoverageTotals, excluded: number): string {
  const coverage = `${plural(covered.files, 'file')}, ${formatBytes(covered.bytes)}, ${covered.files === 1 ? 'is' : 'are'} covered and can be restored.`
  return excluded === 0
    ? `${coverage} Nothing is excluded.`
    : `${coverage} ${plural(excluded, 'path')} ${excluded === 1 ? 'is' : 'are'} excluded.`
}

function linesOf(items: readonly ExcludedPath[]): Line[] {
  const groups = Map.groupBy(items, (item) => item.reason)
  return [...groups].flatMap(([reason, group]): Line[] => [
    { kind: 'reason', reason, files: group.length },
    ...group.map((item): Line => ({ kind: 'path', item }))
  ])
}

function LineView({ line }: { readonly line: Line }) {
  if (line.kind === 'reason') {
    return (
      // biome-ignore lint/a11y/useSemanticElements: rows of a virtual list are wrapped in positioned boxes, li may not be.
      <div className="coverage-reason" role="listitem">
        <b>
          {excludedHeading(line.reason)} <span className="muted num">{line.files}</span>
        </b>
        <p className="small muted">{excludedExplanation(line.reason)}</p>
      </div>
    )
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: rows of a virtual list are wrapped in positioned boxes, li may not be.
    <div className="coverage-path" role="listitem">
      <span className="mono ell">{line.item.path}</span>
      <span className="muted num">{line.item.size === undefined ? '' : formatBytes(line.item.size)}</span>
    </div>
  )
}
