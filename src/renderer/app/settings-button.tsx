/** The sliders in the header: opens the settings where they were left. */
import { useCommandHub } from '../commands/hub.tsx'
import { IconButton } from '../ui/button.tsx'

export function SettingsButton() {
  const hub = useCommandHub()
  return <IconButton icon="sliders" label="Settings" keys="Mod+," onClick={() => hub.state().openSettings()} />
}
