/** The bar above a diff: the file and its line counts, navigation between changes, layout, and actions. */
import { useFileActions } from '../../state/open-workspace.tsx'
import { IconButton } from '../../ui/button.tsx'
import { AllFilesSwitch } from './all-files-switch.tsx'
import { DiffMenu, type DiffMenuProps } from './diff-menu.tsx'
import { FileButtons, FileTitle } from './file-title.tsx'
import type { ChangePosition } from './text-doc.ts'
import { LayoutSwitch } from './text-options.tsx'

interface DiffHeaderProps extends Omit<DiffMenuProps, 'hasText' | 'lines'> {
  readonly position: ChangePosition
  readonly onLayout: (layout: 'inline' | 'split') => void
}

export function DiffHeader({ position, onLayout, ...menu }: DiffHeaderProps) {
  const { file, verb, scope, options, commands } = menu
  const { openInEditor } = useFileActions()
  const hasText = position.total > 0
  return (
    <div className="bar diff-bar">
      <FileTitle file={file} />
      <span className="grow" />
      {hasText ? <ChangeSteps position={position} commands={commands} /> : null}
      {hasText ? <LayoutSwitch split={options.split} onChange={onLayout} /> : null}
      {scope.inHeader ? <FileButtons file={file} verb={verb} scope={scope} commands={commands} /> : null}
      {/* What every file has is at the end: it does not move when the rest comes and goes. */}
      <AllFilesSwitch />
      <IconButton icon="history" size="sm" label="History of this file" keys="Alt+H" onClick={commands.versions} />
      {openInEditor ? (
        <IconButton icon="external" size="sm" label="Open in editor" keys="O" onClick={() => openInEditor(file.path)} />
      ) : null}
      <DiffMenu {...menu} hasText={hasText} lines={position.lines} />
    </div>
  )
}

type StepCommands = Pick<DiffMenuProps['commands'], 'next-change' | 'previous-change'>

/** To the previous and the next change, and which one the reader is at. */
export function ChangeSteps({
  position,
  commands
}: Pick<DiffHeaderProps, 'position'> & { readonly commands: StepCommands }) {
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
      {position.total > 0 ? (
        <span
          className="cap muted num diff-place"
          role="img"
          aria-label={`Change ${position.index} of ${position.total}`}
        >
          {position.index}/{position.total}
        </span>
      ) : null}
    </span>
  )
}
