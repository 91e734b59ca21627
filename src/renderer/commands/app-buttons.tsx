/** The header's buttons that every screen has: search, settings and help. */
import type { ReactNode } from 'react'
import { IconButton } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { showKeys } from '../ui/keys.ts'
import { useCommandHub } from './hub.tsx'

/** `children`: what the screen adds after the search. */
export function AppButtons({ children }: { readonly children?: ReactNode }) {
  const hub = useCommandHub()
  return (
    <>
      <button type="button" className="cmdk" onClick={() => hub.state().openPalette()}>
        <Icon name="search" size="s" />
        <span>
          Search<span className="cmdk-more"> or run a command</span>
        </span>
        <kbd>{showKeys('Mod+K')}</kbd>
      </button>
      {children}
      <IconButton icon="sliders" label="Settings" keys="Mod+," onClick={() => hub.state().openSettings()} />
      <IconButton icon="help" label="Keyboard shortcuts" keys="?" onClick={() => hub.state().openHelp()} />
    </>
  )
}
