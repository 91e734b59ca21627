/** Choices of this window: theme and single-letter keys. `public/theme.js` sets the theme before the first paint. */
import { createContext, type ReactNode, useContext, useEffect, useState } from 'react'
import { useDriftline } from '../client/context.tsx'
import type { Theme } from '../commands/state.ts'

interface Preferences {
  readonly theme: Theme
  setTheme(theme: Theme): void
  readonly letterKeys: boolean
  setLetterKeys(on: boolean): void
}

const THEME_KEY = 'driftline.theme'
const LETTERS_KEY = 'driftline.letter-keys'
const Context = createContext<Preferences | null>(null)

export function PreferencesProvider({ children }: { readonly children: ReactNode }) {
  const { platform } = useDriftline()
  const [theme, setThemeState] = useState<Theme>(() => readTheme())
  const [letterKeys, setLetters] = useState(() => localStorage.getItem(LETTERS_KEY) !== 'off')

  useEffect(() => {
    if (theme === 'system') delete document.documentElement.dataset.theme
    else document.documentElement.dataset.theme = theme
  }, [theme])

  const value: Preferences = {
    theme,
    setTheme: (next) => {
      if (next === 'system') localStorage.removeItem(THEME_KEY)
      else localStorage.setItem(THEME_KEY, next)
      setThemeState(next)
      // Only when a person chooses: the window keeps its own memory of the choice, for before the first paint.
      platform.setTheme?.(next)
    },
    letterKeys,
    setLetterKeys: (on) => {
      localStorage.setItem(LETTERS_KEY, on ? 'on' : 'off')
      setLetters(on)
    }
  }
  return <Context value={value}>{children}</Context>
}

export function usePreferences(): Preferences {
  const value = useContext(Context)
  if (!value) throw new Error('usePreferences needs a PreferencesProvider above it')
  return value
}

function readTheme(): Theme {
  const stored = localStorage.getItem(THEME_KEY)
  return stored === 'light' || stored === 'dark' ? stored : 'system'
}
