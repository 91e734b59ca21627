/** The files that differ from the start at a moment. A chosen one stays in the diff; choosing it again follows the edits. */
import { memo, useEffect, useMemo, useRef } from 'react'
import { letterOf } from '../../../contract/words/files.ts'
import { filesAt, type ReplayFile, type Step, type StepsOfPaths } from '../../model/replay.ts'
import { usePreferences } from '../../state/preferences.tsx'
import { Blank } from '../../ui/blank.tsx'
import { Icon } from '../../ui/icon.tsx'
import { MiddleCut } from '../../ui/middle-cut.tsx'
import { useListKeys } from '../../ui/use-list-keys.ts'
import { VirtualList, type VirtualListHandle } from '../../ui/virtual-list.tsx'
import { letterClass } from '../files/file-marks.ts'
import { FilesTabs } from '../files/side-tabs.tsx'

interface ReplayFilesProps {
  readonly steps: readonly Step[]
  readonly paths: StepsOfPaths
  readonly step: number
  /** The file that stays in the diff; null: that of each edit. */
  readonly pinned: string | null
  readonly onPin: (path: string | null) => void
}

const ROW_HEIGHT = 26

/** Memoised: it follows the shown step, which a drag passes over many of. */
export const ReplayFiles = memo(function ReplayFiles({ steps, paths, step, pinned, onPin }: ReplayFilesProps) {
  const { letterKeys } = usePreferences()
  const list = useRef<VirtualListHandle>(null)
  const files = useMemo(() => filesAt(steps, paths, step), [steps, paths, step])
  const edited = steps[step - 1]?.path ?? null
  const shown = pinned ?? edited
  const at = Math.max(
    0,
    files.findIndex(({ path }) => path === shown)
  )
  useEffect(() => list.current?.reveal(at), [at])
  const press = (index: number) => {
    const path = files[index]?.path ?? null
    onPin(path === pinned ? null : path)
  }
  const onKeyDown = useListKeys({
    list: { length: files.length, textOf: (index) => files[index]?.path ?? '' },
    at,
    letters: letterKeys,
    onMove: (to) => {
      onPin(files[to]?.path ?? null)
      list.current?.focusRow(to)
    },
    onKey: ({ key }) => {
      if (key !== 'Enter') return false
      press(at)
      return true
    }
  })
  return (
    <aside className="files" aria-label="Files at this moment">
      <div className="bar">
        <FilesTabs title="Files" files={files.length} />
      </div>
      {files.length === 0 ? (
        <Blank className="files-blank" title="No file differs from the start." />
      ) : (
        <VirtualList
          ref={list}
          role="listbox"
          label="Files at this moment"
          className="replay-files"
          padding={6}
          items={files}
          keyOf={({ path }) => path}
          heightOf={() => ROW_HEIGHT}
          alwaysRendered={[at]}
          onKeyDown={onKeyDown}
          renderRow={(file, index) => (
            <Row
              file={file}
              index={index}
              size={files.length}
              selected={index === at}
              pinned={file.path === pinned}
              edited={file.path === edited}
              onPress={press}
            />
          )}
        />
      )}
    </aside>
  )
})

interface RowProps {
  readonly file: ReplayFile
  readonly index: number
  readonly size: number
  readonly selected: boolean
  readonly pinned: boolean
  /** The shown edit is in this file. */
  readonly edited: boolean
  readonly onPress: (index: number) => void
}

function Row({ file, index, size, selected, pinned, edited, onPress }: RowProps) {
  const letter = letterOf(file.change)
  return (
    <div
      className="fr replay-row"
      role="option"
      data-index={index}
      data-edited={edited || undefined}
      aria-selected={selected}
      aria-setsize={size}
      aria-posinset={index + 1}
      tabIndex={selected ? 0 : -1}
      title={file.path}
      onClick={() => onPress(index)}
      onKeyDown={() => {}}
    >
      <span className="sr">{`${file.path}, ${file.change}${edited ? ', edited now' : ''}${pinned ? ', stays in the diff' : ''}.`}</span>
      {/* Lit anew by each edit of the file. */}
      {edited ? <span key={file.seq} className="replay-pulse" /> : null}
      <span className={letterClass(letter)} aria-hidden="true">
        {letter}
      </span>
      <span className="name" aria-hidden="true">
        <MiddleCut text={file.path} />
      </span>
      {pinned ? <Icon name="pin" size="s" className="muted" /> : null}
    </div>
  )
}
