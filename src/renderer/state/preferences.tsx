/**
 * Appearance and keyboard preferences. The engine stores them, so that both hosts and all windows agree; a copy in
 * local storage serves the first paint (`public/theme.js`).
 */
import { createContext, type ReactNode, useContext, useEffect, useRef, useState } from 'react'
import { toErrorShape } from '../../contract/errors.ts'
import { useDriftline } from '../client/context.tsx'
import { useQuery } from '../client/use-query.ts'
import type { Theme } from '../commands/state.ts'

/** The setting of each preference, and its allowed values; the first is the default. */
const PREFERENCES = {
  theme: { setting: 'ui.theme', values: ['system', 'light', 'dark'] },
  density: { setting: 'ui.density', values: ['comfortable', 'compact'] },
  // Single-letter keys (WCAG 2.1.4).
  letters: { setting: 'ui.letter-keys', values: ['on', 'off'] },
  // Font size of the diff, px.
  diffSize: { setting: 'ui.diff-size', values: ['12', '11', '13', '14'] },
  // The diff shows one file, or all files in one scroll.
  diffFiles: { setting: 'ui.diff-files', values: ['one', 'all'] },
  // First screen of a new window.
  start: { setting: 'ui.start', values: ['list', 'last'] }
} as const

export type Preference = keyof typeof PREFERENCES
type Preferences = { readonly [P in Preference]: (typeof PREFERENCES)[P]['values'][number] }
const KEYS = Object.keys(PREFERENCES) as Preference[]

interface PreferencesState extends Preferences {
  readonly letterKeys: boolean
  set<P extends Preference>(key: P, value: Preferences[P]): void
}

const Context = createContext<PreferencesState | null>(null)

export function PreferencesProvider({ children }: { readonly children: ReactNode }) {
  const { client, platform } = useDriftline()
  const [values, setValues] = useState<Preferences>(() => read((key) => localStorage.getItem(`driftline.${key}`)))
  const stored = useQuery('settings.get', {})
  const changed = useRef(new Set<Preference>())
  const latest = useRef(values)
  latest.current = values

  // Stored values win over the local copy, but not over changes made since this page loaded.
  useEffect(() => {
    if (!stored.data) return
    const { values: saved } = stored.data
    const now = latest.current
    const next = read((key) => (changed.current.has(key) ? now[key] : (saved[PREFERENCES[key].setting] ?? null)))
    if (KEYS.every((key) => next[key] === now[key])) return
    if (next.theme !== now.theme) platform.setTheme?.(next.theme)
    setValues(next)
  }, [stored.data, platform])

  // Changed in another window or the other host.
  useEffect(
    () =>
      client.on('settings.changed', ({ key, value }) => {
        const name = KEYS.find((candidate) => PREFERENCES[candidate].setting === key)
        const now = latest.current
        if (!name || now[name] === value) return
        const next = read((candidate) => (candidate === name ? value : now[candidate]))
        if (name === 'theme') platform.setTheme?.(next.theme)
        changed.current.delete(name)
        setValues(next)
      }),
    [client, platform]
  )

  useEffect(() => {
    const { dataset, style } = document.documentElement
    if (values.theme === 'system') delete dataset.theme
    else dataset.theme = values.theme
    if (values.density === 'compact') dataset.density = 'compact'
    else delete dataset.density
    style.setProperty('--diff-size', `${values.diffSize}px`)
    for (const key of KEYS) localStorage.setItem(`driftline.${key}`, values[key])
  }, [values])

  const set: PreferencesState['set'] = (key, value) => {
    changed.current.add(key)
    // The host stores the theme, too, to paint the window before the page loads.
    if (key === 'theme') platform.setTheme?.(value as Theme)
    setValues((now) => ({ ...now, [key]: value }))
    client.call('settings.set', { key: PREFERENCES[key].setting, value }).catch((thrown: unknown) => {
      // Without a connection the change applies to this window; local storage keeps it.
      if (toErrorShape(thrown).code !== 'Disconnected') console.warn('a setting was not stored', thrown)
    })
  }
  return <Context value={{ ...values, letterKeys: values.letters === 'on', set }}>{children}</Context>
}

export function usePreferences(): PreferencesState {
  const value = useContext(Context)
  if (!value) throw new Error('usePreferences needs a PreferencesProvider above it')
  return value
}

function read(storedValue: (key: Preference) => string | null): Preferences {
  const allowed = (key: Preference) => {
    const values: readonly string[] = PREFERENCES[key].values
    return values.find((value) => value === storedValue(key)) ?? values[0]
  }
  return Object.fromEntries(KEYS.map((key) => [key, allowed(key)])) as unknown as Preferences
}
