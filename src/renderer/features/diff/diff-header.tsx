/** The bar above a diff: the file and its line counts, navigation between changes, layout, and actions. */
import type { FileChange } from '../../../contract/diff.ts'
import { letterOf } from '../../../contract/words/files.ts'
import { formatNumber } from '../../../contract/words/numbers.ts'
import { splitPath } from '../../../contract/words/paths.ts'
import { useFileActions, useReview, useWorkspaceState } from '../../state/open-workspace.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { letterClass } from '../files/file-marks.ts'
import { DiffMenu, type DiffMenuProps } from './diff-menu.tsx'
import type { ChangePosition } from './text-doc.ts'
import { LayoutSwitch } from './text-options.tsx'

interface DiffHeaderProps extends Omit<DiffMenuProps, 'hasText'> {
  readonly position: ChangePosition
  readonly onLayout: (layout: 'inline' | 'split') => void
}

export function DiffHeader({ position, onLayout, ...menu }: DiffHeaderProps) {
  const { file, verb, scope, options, commands } = menu
  const { accept, openInEditor } = useFileActions()
  const offline = useWorkspaceState((state) => state.offline)
  const kept = useReview().reviewed.has(file.path)
  const writing = useWorkspaceState((state) => state.writing.has(file.path))
  const { lead, name } = titleOf(file)
  const letter = letterOf(file.change)
  const hasText = position.total > 0
  return (
    <div className="bar diff-bar">
      <span className={letterClass(letter)} role="img" aria-label={file.change}>
        {letter}
      </span>
      <h2
        className="bar-path"
        aria-label={`${lead}${name}`}
        title={file.oldPath ? `${file.oldPath} → ${file.path}` : file.path}
      >
        <span>{lead}</span>
        <b>{name}</b>
      </h2>
      {file.counted && file.kind === 'text' ? (
        <span className="small num nowrap diff-counts">
          {file.added ? <span className="plus">+{formatNumber(file.added)}</span> : null}{' '}
          {file.deleted ? <span className="minus">−{formatNumber(file.deleted)}</span> : null}
        </span>
      ) : null}
      {writing ? (
        <span className="badge" data-tone="live">
          writing
        </span>
      ) : null}
      <span className="grow" />
      {hasText ? (
        <>
          <ChangeSteps position={position} commands={commands} />
          <LayoutSwitch split={options.split} onChange={onLayout} />
        </>
      ) : null}
      {scope.asWhole ? null : (
        <>
          <Button size="sm" onClick={commands['undo-file']} disabledReason={scope.undoDisabled}>
            {verb} file…
          </Button>
          <Button
            size="sm"
            {...(kept ? { icon: 'check' as const } : {})}
            aria-pressed={kept}
            disabledReason={accept ? offline : null}
            onClick={commands['keep-file']}
          >
            {accept ? 'Accept file' : 'Keep file'}
          </Button>
        </>
      )}
      <IconButton icon="history" size="sm" label="History of this file" keys="Alt+H" onClick={commands.versions} />
      {openInEditor ? (
        <IconButton icon="external" size="sm" label="Open in editor" keys="O" onClick={() => openInEditor(file.path)} />
      ) : null}
      <DiffMenu {...menu} hasText={hasText} />
    </div>
  )
}

/** The name, and before it the folder and where a renamed file was. */
function titleOf({ path, oldPath }: FileChange): { readonly lead: string; readonly name: string } {
  const { folder, name } = splitPath(path)
  if (!oldPath) return { lead: folder, name }
  const from = splitPath(oldPath)
  return { lead: from.folder === folder ? `${folder}${from.name} → ` : `${from.folder}${from.name} → ${folder}`, name }
}

/** To the previous and the next change, and which one the reader is at. */
function ChangeSteps({ position, commands }: Pick<DiffHeaderProps, 'position' | 'commands'>) {
  return (
    <span className="row">
      <IconButton
        size="sm"
        iconSize="s"
        icon="aup"
        label="Previous change"
        keys="Alt+ArrowUp"
        onClick={commands['previous-change']}
      />
      <IconButton
        size="sm"
        iconSize="s"
        icon="adown"
        label="Next change"
        keys="Alt+ArrowDown"
        onClick={commands['next-change']}
      />
      <span
        className="cap muted num diff-place"
        role="img"
        aria-label={`Change ${position.index} of ${position.total}`}
      >
        {position.index}/{position.total}
      </span>
    </span>
  )
}
