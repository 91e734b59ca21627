/** [UI-10] The open page of the settings, which is part of the address: opening and closing them are steps for Back. */
import { useEffect, useState } from 'react'
import { type Address, onAddress, readAddress, showAddress } from '../client/address.ts'
import { SETTINGS_PAGES, type SettingsPlace } from '../commands/settings-pages.ts'

export function useSettingsAddress() {
  const [place, setPlace] = useState(() => placeIn(readAddress()))
  useEffect(
    () =>
      onAddress((address) => {
        const next = placeIn(address)
        // The agent to connect is not in the address.
        setPlace((now) => (now?.page === next?.page ? now : next))
      }),
    []
  )
  return {
    /** Null while they are closed. */
    place,
    /** Null closes them. */
    show: (next: SettingsPlace | null): void => {
      setPlace(next)
      showAddress({ ...readAddress(), settings: next?.page ?? '' })
    }
  }
}

function placeIn({ settings }: Address): SettingsPlace | null {
  const page = SETTINGS_PAGES.find(({ id }) => id === settings)
  return page ? { page: page.id } : null
}
