/** The bars above the changed files: title and actions, then line counts and review progress, or the filter field. */
import type { RefObject } from 'react'
import type { FileChange } from '../../../contract/diff.ts'
import { allReviewed } from '../../../contract/words/files.ts'
import { formatNumber } from '../../../contract/words/numbers.ts'
import { useReview } from '../../state/open-workspace.tsx'
import { IconButton } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { FilesTabs } from './side-tabs.tsx'
import type { FileTreeState } from './use-file-tree.ts'

interface BarProps {
  readonly title: string
  /** Number of files, null while loading. */
  readonly files: number | null
  readonly tree: FileTreeState
  readonly filtering: boolean
  readonly onFilter: () => void
}

export function FilesBar({ title, files, tree: { mode, toggleMode }, filtering, onFilter }: BarProps) {
  return (
    <div className="bar">
      <FilesTabs title={title} files={files} />
      <span className="grow" />
      <IconButton
        icon="search"
        label="Filter files"
        keys="/"
        size="sm"
        iconSize="s"
        aria-pressed={filtering}
        onClick={onFilter}
      />
      <IconButton
        icon={mode === 'tree' ? 'tree' : 'list'}
        label={mode === 'tree' ? 'Show as list' : 'Show as tree'}
        keys="T"
        size="sm"
        onClick={toggleMode}
      />
    </div>
  )
}

/** Line counts of all files; a trailing ellipsis while some are not counted yet. */
export function LineCounts({ files }: { readonly files: readonly FileChange[] }) {
  const counted = files.filter((file) => file.counted)
  const added = counted.reduce((sum, file) => sum + file.added, 0)
  const deleted = counted.reduce((sum, file) => sum + file.deleted, 0)
  return (
    <span
      className="small num"
      aria-label={`${formatNumber(added)} lines added, ${formatNumber(deleted)} deleted`}
      role="img"
    >
      {added > 0 || deleted === 0 ? <span className="plus">+{formatNumber(added)}</span> : null}{' '}
      {deleted > 0 || added === 0 ? <span className="minus">−{formatNumber(deleted)}</span> : null}
      {counted.length < files.length ? <span className="muted"> …</span> : null}
    </span>
  )
}

/** `files` null: they are loading, so no count is stated. */
export function FilesSummary({ files }: { readonly files: readonly FileChange[] | null }) {
  const { reviewed } = useReview()
  if (files === null) return <div className="bar sub" />
  const reviewedCount = files.filter(({ path }) => reviewed.has(path)).length
  return (
    <div className="bar sub">
      <LineCounts files={files} />
      <span className="grow" />
      <span className="num">
        {reviewedCount > 0 && reviewedCount === files.length
          ? allReviewed(files.length)
          : `${formatNumber(reviewedCount)} of ${formatNumber(files.length)} reviewed`}
      </span>
    </div>
  )
}

interface FilterProps {
  readonly value: string
  readonly field: RefObject<HTMLInputElement | null>
  readonly onChange: (value: string) => void
  /** `keep`: the filter stays, as after Enter and ArrowDown. */
  readonly onLeave: (keep: boolean) => void
}

export function FilesFilter({ value, field, onChange, onLeave }: FilterProps) {
  return (
    <div className="bar sub files-filter">
      <div className="field quiet grow">
        <Icon name="search" size="s" />
        <input
          ref={field}
          aria-label="Filter files"
          placeholder="Filter files"
          value={value}
          onChange={(event) => onChange(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Escape') {
              event.stopPropagation()
              onLeave(false)
            } else if (event.key === 'ArrowDown' || event.key === 'Enter') {
              event.preventDefault()
              onLeave(true)
            }
          }}
        />
        <IconButton
          icon="x"
          label="Clear filter"
          keys="Escape"
          size="sm"
          iconSize="xs"
          onClick={() => onLeave(false)}
        />
      </div>
    </div>
  )
}
