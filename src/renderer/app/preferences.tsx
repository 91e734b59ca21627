/**
 * How the windows of this person look and take keys. The engine keeps it, so that both hosts and every window agree;
 * a copy in the page's own storage serves the first paint (`public/theme.js`).
 */
import { createContext, type ReactNode, useContext, useEffect, useRef, useState } from 'react'
import { toErrorShape } from '../../contract/errors.ts'
import { useDriftline } from '../client/context.tsx'
import { useQuery } from '../client/use-query.ts'
import type { Theme } from '../commands/state.ts'

export interface Preferences {
  readonly theme: Theme
  readonly density: 'comfortable' | 'compact'
  /** Single-letter keys (WCAG 2.1.4). */
  readonly letters: 'on' | 'off'
  /** Letters of the diff, px. */
  readonly diffSize: '11' | '12' | '13' | '14'
  /** What a new window shows first. */
  readonly start: 'list' | 'last'
}

const NAMES: { readonly [K in keyof Preferences]: string } = {
  theme: 'ui.theme',
  density: 'ui.density',
  letters: 'ui.letter-keys',
  diffSize: 'ui.diff-size',
  start: 'ui.start'
}
/** Allowed values; the first is meant when nothing was chosen. */
const VALUES: { readonly [K in keyof Preferences]: readonly Preferences[K][] } = {
  theme: ['system', 'light', 'dark'],
  density: ['comfortable', 'compact'],
  letters: ['on', 'off'],
  diffSize: ['12', '11', '13', '14'],
  start: ['list', 'last']
}
const KEYS = Object.keys(NAMES) as (keyof Preferences)[]

interface PreferencesState extends Preferences {
  readonly letterKeys: boolean
  set<K extends keyof Preferences>(key: K, value: Preferences[K]): void
}

const Context = createContext<PreferencesState | null>(null)

export function PreferencesProvider({ children }: { readonly children: ReactNode }) {
  const { client, platform } = useDriftline()
  const [values, setValues] = useState<Preferences>(() => read((key) => localStorage.getItem(`driftline.${key}`)))
  const kept = useQuery('settings.get', {}, { workspace: null, on: [] })
  const changed = useRef(new Set<keyof Preferences>())
  const latest = useRef(values)
  latest.current = values

  // What the engine keeps wins over the page's copy, but not over what was chosen since this page began.
  useEffect(() => {
    if (!kept.data) return
    const stored = kept.data.values
    const now = latest.current
    const next = read((key) => (changed.current.has(key) ? now[key] : (stored[NAMES[key]] ?? null)))
    if (KEYS.every((key) => next[key] === now[key])) return
    if (next.theme !== now.theme) platform.setTheme?.(next.theme)
    setValues(next)
  }, [kept.data, platform])

  // Chosen in another window, or in the other host's.
  useEffect(
    () =>
      client.on('settings.changed', ({ key, value }) => {
        const name = KEYS.find((one) => NAMES[one] === key)
        const now = latest.current
        if (!name || now[name] === value) return
        const next = read((one) => (one === name ? value : now[one]))
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
    // The window keeps its own memory of the theme, for before the first paint.
    if (key === 'theme') platform.setTheme?.(value as Theme)
    setValues((now) => ({ ...now, [key]: value }))
    client.call('settings.set', { key: NAMES[key], value }).catch((thrown: unknown) => {
      // Without a connection it holds for this window; the page's own copy keeps it.
      if (toErrorShape(thrown).code !== 'Disconnected') console.warn('a setting was not kept', thrown)
    })
  }
  return <Context value={{ ...values, letterKeys: values.letters === 'on', set }}>{children}</Context>
}

export function usePreferences(): PreferencesState {
  const value = useContext(Context)
  if (!value) throw new Error('usePreferences needs a PreferencesProvider above it')
  return value
}

function read(stored: (key: keyof Preferences) => string | null): Preferences {
  const one = <K extends keyof Preferences>(key: K): Preferences[K] => {
    const value = stored(key)
    return VALUES[key].find((allowed) => allowed === value) ?? (VALUES[key][0] as Preferences[K])
  }
  return {
    theme: one('theme'),
    density: one('density'),
    letters: one('letters'),
    diffSize: one('diffSize'),
    start: one('start')
  }
}
