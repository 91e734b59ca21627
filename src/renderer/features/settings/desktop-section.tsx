/** Settings of the desktop app: closing the window, login, notifications. */
import { useState } from 'react'
import { toErrorShape } from '../../../contract/errors.ts'
import { useDriftline } from '../../client/context.tsx'
import { useQuery } from '../../client/use-query.ts'
import { Segmented } from '../../ui/segmented.tsx'
import { SettingRow, SwitchRow } from './setting-row.tsx'

const CLOSING = [
  { value: 'ask', label: 'Ask' },
  { value: 'keep', label: 'Keep recording' },
  { value: 'quit', label: 'Quit' }
] as const

export function DesktopSection() {
  const { client } = useDriftline()
  const settings = useQuery('settings.get', {})
  const [problem, setProblem] = useState<string | null>(null)
  const values = settings.data?.values ?? {}
  const set = (key: string, value: string): void => {
    setProblem(null)
    client.call('settings.set', { key, value }).then(
      () => settings.refetch(),
      (thrown: unknown) => setProblem(toErrorShape(thrown).message)
    )
  }
  const background = values['desktop.background']
  return (
    <>
      <h2 className="label settings-label">On this desktop</h2>
      <div className="set">
        <SettingRow
          title="When the window is closed"
          control={
            <Segmented
              label="When the window is closed"
              options={CLOSING}
              value={background === 'keep' || background === 'quit' ? background : 'ask'}
              onChange={(value) => set('desktop.background', value)}
            />
          }
        >
          Driftline can stay in the tray and record changes as they happen. Otherwise changes are found at the next
          start.
        </SettingRow>
        <SwitchRow
          id="desktop-login"
          title="Start when you log in"
          on={values['desktop.login'] === 'yes'}
          onChange={(on) => set('desktop.login', on ? 'yes' : 'no')}
        >
          In the tray, without a window.
        </SwitchRow>
        <SwitchRow
          id="desktop-notifications"
          title="Notify when a run ends"
          on={values['desktop.notifications'] !== 'no'}
          onChange={(on) => set('desktop.notifications', on ? 'yes' : 'no')}
        >
          Only while the window is in the background. Your system’s quiet hours apply.
        </SwitchRow>
      </div>
      {problem ? <p role="alert">{problem}</p> : null}
    </>
  )
}
