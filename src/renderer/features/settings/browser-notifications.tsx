/** The switch for notifications in a browser, which has to allow them first. */
import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { SettingRow } from './setting-row.tsx'
import { NOTIFICATIONS, StoredRow } from './settings-table.tsx'

export function BrowserNotifications() {
  const [permission, setPermission] = useState(() => ('Notification' in window ? Notification.permission : 'denied'))
  if (permission === 'granted') return <StoredRow setting={NOTIFICATIONS} />
  if (permission === 'denied')
    return (
      <SettingRow title={NOTIFICATIONS.title}>
        This browser blocks notifications of this page. Allow them in its settings for this site. The title of the tab
        counts runs that ended unseen.
      </SettingRow>
    )
  return (
    <SettingRow
      title={NOTIFICATIONS.title}
      control={
        <Button size="sm" onClick={() => void Notification.requestPermission().then(setPermission)}>
          Allow notifications…
        </Button>
      }
    >
      {NOTIFICATIONS.about} The browser asks you first.
    </SettingRow>
  )
}
