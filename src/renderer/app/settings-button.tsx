/** Theme and keyboard choices, behind the sliders in the header. */
import { Icon } from '../ui/icon.tsx'
import { MenuButton } from '../ui/menu.tsx'
import { usePreferences } from './preferences.tsx'

export const SETTINGS_ID = 'settings-button'

export function SettingsButton() {
  const { theme, setTheme, letterKeys, setLetterKeys } = usePreferences()
  return (
    <span id={SETTINGS_ID}>
      <MenuButton
        label="Settings"
        align="right"
        items={[
          { id: 'system', label: 'Theme as the system', checked: theme === 'system', run: () => setTheme('system') },
          { id: 'light', label: 'Light', checked: theme === 'light', run: () => setTheme('light') },
          { id: 'dark', label: 'Dark', checked: theme === 'dark', run: () => setTheme('dark') },
          'separator',
          {
            id: 'letters-on',
            label: 'Single-letter shortcuts on',
            checked: letterKeys,
            run: () => setLetterKeys(true)
          },
          {
            id: 'letters-off',
            label: 'Single-letter shortcuts off',
            checked: !letterKeys,
            run: () => setLetterKeys(false)
          }
        ]}
      >
        <Icon name="sliders" />
      </MenuButton>
    </span>
  )
}

/** Opens the settings of whatever screen is shown. */
export function openSettings(): void {
  document.querySelector<HTMLButtonElement>(`#${SETTINGS_ID} button`)?.click()
}
