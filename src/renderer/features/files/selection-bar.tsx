/** The foot of the changed files while several are selected: what can be done with all of them. */
import { plural } from '../../../contract/words/numbers.ts'
import { restoreUnavailable } from '../../state/derived.ts'
import { useKeepUnavailable, useWorkspaceState } from '../../state/open-workspace.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { useFileCommands } from './file-menu.tsx'
import type { SelectedFiles } from './use-selected-files.ts'

interface SelectionBarProps {
  readonly selected: SelectedFiles
  /** "Undo" or "Restore". */
  readonly verb: string
}

export function SelectionBar({ selected, verb }: SelectionBarProps) {
  const commands = useFileCommands()
  const unavailable = useWorkspaceState(restoreUnavailable)
  const keepDisabled = useKeepUnavailable()
  const paths = [...selected.paths]
  return (
    <div className="pane-foot">
      <span className="ell grow" role="status">
        {plural(paths.length, 'file')}
        <span className="sr"> selected</span>
      </span>
      <Button size="sm" disabledReason={unavailable} onClick={() => commands.restore(paths)}>
        {verb}…
      </Button>
      <Button
        size="sm"
        disabledReason={keepDisabled}
        onClick={() => (commands.keep ?? commands['toggle-reviewed'])(paths)}
      >
        {commands.keep ? 'Accept' : 'Keep'}
      </Button>
      <IconButton icon="x" size="sm" iconSize="s" label="Clear selection" keys="Escape" onClick={selected.clear} />
    </div>
  )
}
