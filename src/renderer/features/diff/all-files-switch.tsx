/** The switch between one file and all files in one scroll; the choice is remembered. */
import { usePreferences } from '../../state/preferences.tsx'
import { IconButton } from '../../ui/button.tsx'

export function AllFilesSwitch() {
  const { diffFiles, set } = usePreferences()
  const all = diffFiles === 'all'
  return (
    <IconButton
      icon="list"
      size="sm"
      label="All files in one scroll"
      keys="Alt+A"
      aria-pressed={all}
      onClick={() => set('diffFiles', all ? 'one' : 'all')}
    />
  )
}
