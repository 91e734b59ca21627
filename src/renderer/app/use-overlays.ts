/** What lies over the screen: the settings or, in their place, the palette or the help. */
import { useRef, useState } from 'react'
import type { SettingsPage, SettingsPlace } from '../commands/settings-pages.ts'
import { useSettingsAddress } from './use-settings-address.ts'

type Overlay = { readonly kind: 'palette'; readonly text: string | null } | { readonly kind: 'help' }

export function useOverlays() {
  const settings = useSettingsAddress()
  const lastPage = useRef<SettingsPage>('general')
  const [overlay, setOverlay] = useState<Overlay | null>(null)
  return {
    /** Null while they are closed. */
    settings: settings.place,
    overlay,
    open: (next: Overlay) => {
      if (settings.place) settings.show(null)
      setOverlay(next)
    },
    close: () => setOverlay(null),
    openSettings: (place: SettingsPlace = { page: lastPage.current }) => {
      setOverlay(null)
      settings.show(place)
    },
    goToSettings: (place: SettingsPlace) => {
      lastPage.current = place.page
      settings.show(place)
    },
    closeSettings: () => settings.show(null)
  }
}
