/** Theme, density and diff text size. */
import { usePreferences } from '../../app/preferences.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { SettingRow } from './setting-row.tsx'

const THEMES = [
  { value: 'system', label: 'System' },
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
      <p className="muted">Applies to all windows, in the app and in the browser.</p>
      <div className="set">
        <SettingRow
          title="Theme"
          control={<Segmented label="Theme" options={THEMES} value={theme} onChange={(value) => set('theme', value)} />}
        />
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
          Compact uses a smaller header and smaller file rows.
        </SettingRow>
        <SettingRow
          title="Diff text size"
          control={
            <Segmented
              label="Diff text size in pixels"
              options={SIZES}
              value={diffSize}
              onChange={(value) => set('diffSize', value)}
            />
          }
        >
          Font size in pixels. Lines stay 20 pixels high.
        </SettingRow>
      </div>
      <p className="small muted settings-after">Driftline follows your system’s motion and contrast settings.</p>
    </>
  )
}
