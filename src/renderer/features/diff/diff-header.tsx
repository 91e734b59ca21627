/** The bar above a diff: the file and its line counts, navigation between changes, layout, and actions. */

import type { FileChange } from '../../../contract/diff.ts'
import { letterOf } from '../../../contract/words/files.ts'
import { splitPath } from '../../../contract/words/paths.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { MenuButton, type MenuEntry } from '../../ui/menu.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { letterClass } from '../files/file-marks.ts'
import { useFileActions, useOpenWorkspace, useReview, useWorkspaceState } from '../workspace/state/context.tsx'
import type { ReviewScope } from './review.ts'
import type { ChangePosition } from './text-doc.ts'
import type { ReviewFlow } from './use-review-flow.ts'

interface DiffHeaderProps {
  readonly file: FileChange
  /** "Undo" or "Restore". */
  readonly verb: string
  readonly scope: ReviewScope
  readonly flow: ReviewFlow
  /** null if there are no changes to step through. */
  readonly position: ChangePosition | null
  readonly split: boolean
  readonly onSplit: (split: boolean) => void
  readonly onStep: (delta: 1 | -1) => void
  readonly menu: readonly MenuEntry[]
}

const LAYOUTS = [
  { value: 'inline', label: 'Inline' },
  { value: 'split', label: 'Split' }
] as const

export function DiffHeader({ file, verb, scope, flow, position, split, onSplit, onStep, menu }: DiffHeaderProps) {
  const { actions } = useOpenWorkspace()
  const { openInEditor } = useFileActions()
  const writing = useWorkspaceState((state) => state.writing.has(file.path))
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
      {writing ? <span className="badge live">writing</span> : null}
      <span className="grow" />
      {position ? (
        <span className="row">
          <IconButton
            icon="aup"
            iconSize="s"
            size="sm"
            label="Previous change"
            keys="Alt+ArrowUp"
            onClick={() => onStep(-1)}
          />
          <IconButton
            icon="adown"
            iconSize="s"
            size="sm"
            label="Next change"
            keys="Alt+ArrowDown"
            onClick={() => onStep(1)}
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
          value={split ? 'split' : 'inline'}
          onChange={(value) => onSplit(value === 'split')}
        />
      ) : null}
      {scope.asWhole ? null : (
        <FileReviewButtons path={file.path} verb={verb} flow={flow} undoDisabled={scope.undoDisabled} />
      )}
      <IconButton
        icon="history"
        size="sm"
        label="History of this file"
        keys="Alt+H"
        onClick={() => actions.openHistory(file.path, 'change')}
      />
      {openInEditor ? (
        <IconButton icon="external" size="sm" label="Open in editor" keys="O" onClick={() => openInEditor(file.path)} />
      ) : null}
      <MenuButton label="More" items={menu} className="icon-btn sm" align="right">
        <Icon name="more" />
      </MenuButton>
    </div>
  )
}

interface FileReviewButtonsProps {
  readonly path: string
  readonly verb: string
  readonly flow: ReviewFlow
  readonly undoDisabled: string | null
}

function FileReviewButtons({ path, verb, flow, undoDisabled }: FileReviewButtonsProps) {
  const { accept } = useFileActions()
  const kept = useReview().reviewed.has(path)
  return (
    <>
      <Button size="sm" onClick={flow.undoFile} disabledReason={undoDisabled}>
        {verb} file…
      </Button>
      <Button size="sm" {...(kept ? { icon: 'check' as const } : {})} aria-pressed={kept} onClick={flow.keepFile}>
        {accept ? 'Accept file' : 'Keep file'}
      </Button>
    </>
  )
}
