/** Theme, density and diff text size. */
import { APPEARANCE, PreferenceRow } from './settings-table.tsx'

export function AppearancePage() {
  return (
    <>
      <h1>Appearance</h1>
      <p className="muted">Applies to all windows, in the app and in the browser.</p>
      <div className="set">
        {APPEARANCE.map((setting) => (
          <PreferenceRow key={setting.title} setting={setting} />
        ))}
      </div>
      <p className="small muted settings-after">Driftline follows your system’s motion and contrast settings.</p>
    </>
  )
}
