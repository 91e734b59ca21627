/** The bar above a diff: the file and its line counts, navigation between changes, layout, and actions. */
import { letterOf } from '../../../contract/words/files.ts'
import { formatNumber } from '../../../contract/words/numbers.ts'
import { splitPath } from '../../../contract/words/paths.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { letterClass } from '../files/file-marks.ts'
import { useFileActions, useReview, useWorkspaceState } from '../workspace/state/open-workspace.tsx'
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
  const kept = useReview().reviewed.has(file.path)
  const writing = useWorkspaceState((state) => state.writing.has(file.path))
  const { folder, name } = splitPath(file.path)
  const from = file.oldPath ? splitPath(file.oldPath) : null
  const lead = !from
    ? folder
    : from.folder === folder
      ? `${folder}${from.name} → `
      : `${from.folder}${from.name} → ${folder}`
  const letter = letterOf(file.change)
  const hasText = position.total > 0
  const small = { size: 'sm', iconSize: 's' } as const
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
          <span className="row">
            <IconButton
              {...small}
              icon="aup"
              label="Previous change"
              keys="Alt+ArrowUp"
              onClick={commands['previous-change']}
            />
            <IconButton
              {...small}
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
