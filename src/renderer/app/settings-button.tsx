/** Header button that opens the settings on their last page. */
import { useCommandHub } from '../commands/hub.tsx'
import { IconButton } from '../ui/button.tsx'

export function SettingsButton() {
  const hub = useCommandHub()
  return <IconButton icon="sliders" label="Settings" keys="Mod+," onClick={() => hub.state().openSettings()} />
}
