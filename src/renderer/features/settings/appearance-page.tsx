/** How the windows look. */
import { usePreferences } from '../../app/preferences.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { SettingRow } from './setting-row.tsx'

const THEMES = [
  { value: 'system', label: 'As the system' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' }
] as const
const DENSITIES = [
  { value: 'comfortable', label: 'Comfortable' },
  { value: 'compact', label: 'Compact' }
] as const
const SIZES = [
  { value: '11', label: '11' },
  { value: '12', label: '12' },
  { value: '13', label: '13' },
  { value: '14', label: '14' }
] as const

export function AppearancePage() {
  const { theme, density, diffSize, set } = usePreferences()
  return (
    <>
      <h1>Appearance</h1>
      <p className="muted">The same in every window of yours, in the app and in a browser.</p>
      <div className="set">
        <SettingRow
          title="Theme"
          control={<Segmented label="Theme" options={THEMES} value={theme} onChange={(value) => set('theme', value)} />}
        >
          Colours mean state, never decoration: both themes say the same.
        </SettingRow>
        <SettingRow
          title="Density"
          control={
            <Segmented
              label="Density"
              options={DENSITIES}
              value={density}
              onChange={(value) => set('density', value)}
            />
          }
        >
          Compact: a lower header and lower rows of files.
        </SettingRow>
        <SettingRow
          title="Text of the diff"
          control={
            <Segmented
              label="Text of the diff, pixels"
              options={SIZES}
              value={diffSize}
              onChange={(value) => set('diffSize', value)}
            />
          }
        >
          Size of its letters, in pixels. Lines stay 20 pixels high.
        </SettingRow>
      </div>
      <p className="small muted settings-after">
        Motion and contrast follow your system: with reduced motion nothing slides, with more contrast borders are drawn
        strong, and forced colours are kept.
      </p>
    </>
  )
}
