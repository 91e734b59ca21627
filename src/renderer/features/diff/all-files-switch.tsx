/** The switch between one file and all files in one scroll; the choice is remembered. */
import { focusPane } from '../../state/panes.ts'
import { usePreferences } from '../../state/preferences.tsx'
import { IconButton } from '../../ui/button.tsx'

const SWITCH = '[data-all-files]'

/** Whether all files are shown, and what shows the other view. */
export function useAllFiles() {
  const { diffFiles, set } = usePreferences()
  const all = diffFiles === 'all'
  const toggle = (): void => {
    const focus = document.activeElement
    const isOnSwitch = focus?.matches(SWITCH) === true
    const isInDiff = focus?.closest('[data-pane="diff"]') != null
    set('diffFiles', all ? 'one' : 'all')
    // The other view replaces what has the focus.
    if (isInDiff)
      requestAnimationFrame(() =>
        isOnSwitch ? document.querySelector<HTMLElement>(SWITCH)?.focus() : focusPane('diff')
      )
  }
  return { all, toggle }
}

export function AllFilesSwitch() {
  const { all, toggle } = useAllFiles()
  return (
    <IconButton
      icon="list"
      size="sm"
      label="All files in one scroll"
      keys="Alt+A"
      aria-pressed={all}
      data-all-files
      onClick={toggle}
    />
  )
}
