/** The bar above a diff: the file and its line counts, navigation between changes, layout, and actions. */

import type { ReactNode } from 'react'
import type { FileChange } from '../../../contract/diff.ts'
import { letterOf } from '../../../contract/words/files.ts'
import { splitPath } from '../../../contract/words/paths.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { MenuButton, type MenuEntry } from '../../ui/menu.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { letterClass } from '../files/file-marks.ts'
import type { ChangePosition } from './text-doc.ts'

interface DiffHeaderProps {
  readonly file: FileChange
  /** A tool is writing the file now. */
  readonly writing: boolean
  /** "Undo" or "Restore". */
  readonly verb: string
  /** Label of the Keep button. */
  readonly keepLabel: string
  /** Shows Keep and Undo of the file; false if they are in a bar of their own. */
  readonly hasReviewButtons: boolean
  /** The file is marked as reviewed. */
  readonly kept: boolean
  /** Why the file cannot be undone, null if it can. */
  readonly undoDisabled: string | null
  /** null if there are no changes to step through. */
  readonly position: ChangePosition | null
  readonly split: boolean
  readonly onSplit: (split: boolean) => void
  readonly onStep: (delta: 1 | -1) => void
  readonly onKeepFile: () => void
  readonly onUndoFile: () => void
  readonly onOpenInEditor: (() => void) | undefined
  readonly menu: readonly MenuEntry[]
  /** The button that opens the history of the file. */
  readonly history: ReactNode
}

const LAYOUTS = [
  { value: 'inline', label: 'Inline' },
  { value: 'split', label: 'Split' }
] as const

export function DiffHeader(props: DiffHeaderProps) {
  const { file, position } = props
  const { folder, name } = splitPath(file.path)
  const from = file.oldPath ? splitPath(file.oldPath) : null
  const lead = !from
    ? folder
    : from.folder === folder
      ? `${folder}${from.name} → `
      : `${from.folder}${from.name} → ${folder}`
  const letter = letterOf(file.change)
  return (
    <div className="bar diff-bar">
      <span className={letterClass(letter)} role="img" aria-label={file.change}>
        {letter}
      </span>
      <h2
        className="path"
        aria-label={`${lead}${name}`}
        title={file.oldPath ? `${file.oldPath} → ${file.path}` : file.path}
      >
        <span className="d">{lead}</span>
        <b>{name}</b>
      </h2>
      {file.counted && file.kind === 'text' ? (
        <span className="small num nowrap">
          {file.added ? <span className="plus">+{file.added.toLocaleString('en-US')}</span> : null}{' '}
          {file.deleted ? <span className="minus">−{file.deleted.toLocaleString('en-US')}</span> : null}
        </span>
      ) : null}
      {props.writing ? <span className="badge live">writing</span> : null}
      <span className="grow" />
      {position ? (
        <span className="row">
          <IconButton
            icon="aup"
            iconSize="s"
            size="sm"
            label="Previous change"
            keys="Alt+ArrowUp"
            onClick={() => props.onStep(-1)}
          />
          <IconButton
            icon="adown"
            iconSize="s"
            size="sm"
            label="Next change"
            keys="Alt+ArrowDown"
            onClick={() => props.onStep(1)}
          />
          <span
            className="cap muted num diff-place"
            role="img"
            aria-label={`Change ${position.index} of ${position.total}`}
          >
            {position.index}/{position.total}
          </span>
        </span>
      ) : null}
      {position ? (
        <Segmented
          label="Layout"
          tight
          options={LAYOUTS}
          value={props.split ? 'split' : 'inline'}
          onChange={(value) => props.onSplit(value === 'split')}
        />
      ) : null}
      {props.hasReviewButtons ? (
        <>
          <Button size="sm" onClick={props.onUndoFile} disabledReason={props.undoDisabled}>
            {props.verb} file…
          </Button>
          <Button
            size="sm"
            {...(props.kept ? { icon: 'check' as const } : {})}
            aria-pressed={props.kept}
            onClick={props.onKeepFile}
          >
            {props.keepLabel}
          </Button>
        </>
      ) : null}
      {props.history}
      {props.onOpenInEditor ? (
        <IconButton icon="external" size="sm" label="Open in editor" keys="O" onClick={props.onOpenInEditor} />
      ) : null}
      <MenuButton label="More" items={props.menu} className="icon-btn sm" align="right">
        <Icon name="more" />
      </MenuButton>
    </div>
  )
}
