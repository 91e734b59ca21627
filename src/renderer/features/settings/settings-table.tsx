/** The settings that are a choice of one value, as a table, and the row that shows one of them. */
import { type ReactNode, useId } from 'react'
import { SETTINGS } from '../../../contract/settings.ts'
import { MEANINGS } from '../../../contract/words/settings.ts'
import type { WorkspaceId } from '../../../contract/workspace.ts'
import { type Preference, usePreferences } from '../../state/preferences.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { Select } from '../../ui/select.tsx'
import { Switch } from '../../ui/switch.tsx'
import { SettingRow } from './setting-row.tsx'
import { useSetting } from './use-setting.ts'

type Options = readonly { readonly value: string; readonly label: string }[]

interface ChoiceSetting {
  readonly title: string
  /** Name of the control where the title is not enough. */
  readonly label?: string
  readonly about?: ReactNode
  /** Shown instead of `about` while a change is applied. */
  readonly applying?: string
  /** The values, or the value that a switch has when it is on and off. */
  readonly values: Options | { readonly on: string; readonly off: string }
  readonly control?: 'list'
  /** Of a value in a list that was set elsewhere; by default it is a size. */
  readonly unlistedLabel?: (value: string) => string
}

export type StoredSetting = ChoiceSetting & { readonly key: string; readonly initial: string }
type PreferenceSetting = ChoiceSetting & { readonly preference: Preference }

const choices = (labels: Readonly<Record<string, string>>): Options =>
  Object.entries(labels).map(([value, label]) => ({ value, label }))

const MIB = 1024 * 1024
const sized = (mib: number, label = `${mib} MB`) => ({ value: String(mib * MIB), label })

export const START: PreferenceSetting = {
  preference: 'start',
  title: 'New windows show',
  about: 'A folder you open by name, from the terminal or by drag and drop always opens.',
  values: choices({ list: 'All folders', last: 'Last folder' })
}

export const LETTER_KEYS: PreferenceSetting = {
  preference: 'letters',
  title: 'Single-letter keys',
  about:
    'Work only while a list has focus. Turn them off if you use speech input or often hit keys by accident. The commands stay available in the palette, menus and buttons.',
  values: { on: 'on', off: 'off' }
}

export const APPEARANCE: readonly PreferenceSetting[] = [
  {
    preference: 'theme',
    title: 'Theme',
    values: choices({ system: 'System', light: 'Light', dark: 'Dark' })
  },
  {
    preference: 'density',
    title: 'Density',
    about: MEANINGS['ui.density'],
    values: choices({ comfortable: 'Comfortable', compact: 'Compact' })
  },
  {
    preference: 'diffSize',
    title: 'Diff text size',
    label: 'Diff text size in pixels',
    about: 'Font size in pixels. Lines stay 20 pixels high.',
    values: choices({ 11: '11', 12: '12', 13: '13', 14: '14' })
  }
]

export const NOTIFICATIONS: StoredSetting = {
  key: 'desktop.notifications',
  title: 'Notify when a run ends',
  about: 'Only while the window is in the background. Your system’s quiet hours apply.',
  initial: 'yes',
  values: { on: 'yes', off: 'no' }
}

export const DESKTOP: readonly StoredSetting[] = [
  {
    key: 'desktop.background',
    title: 'When the window is closed',
    about: MEANINGS['desktop.background'],
    initial: SETTINGS['desktop.background'].initial,
    values: choices({ ask: 'Ask', keep: 'Keep recording', quit: 'Quit' })
  },
  {
    key: 'desktop.login',
    title: 'Start when you log in',
    about: 'In the tray, without a window.',
    initial: 'no',
    values: { on: 'yes', off: 'no' }
  },
  NOTIFICATIONS
]

export const CAPTURE_LIMIT: StoredSetting = {
  key: 'capture.limit',
  title: 'Largest file',
  about: MEANINGS['capture.limit'],
  applying: 'Rescanning skipped files…',
  initial: SETTINGS['capture.limit'].initial,
  values: [sized(10), sized(50), sized(200), sized(1024, '1 GB'), sized(5 * 1024, '5 GB')],
  control: 'list'
}

export const PRE_RUN_DRIFT: StoredSetting = {
  key: 'capture.preRunDrift',
  title: 'Checkpoint outside changes before a run',
  about: MEANINGS['capture.preRunDrift'],
  initial: '',
  values: { on: 'true', off: '' }
}

/** The same setting for one folder: as for all, on or off. */
export function forFolder(key: string, folder: WorkspaceId, title: string): StoredSetting {
  const values = choices({ '': 'As above', on: 'On', off: 'Off' })
  return { key: `${key}/${folder}`, title, initial: '', values }
}

/** A setting that the engine stores. */
export function StoredRow({ setting }: { readonly setting: StoredSetting }) {
  const { value, busy, error, set } = useSetting(setting.key)
  const known = 'on' in setting.values ? [] : setting.values
  const current = value || setting.initial
  // A value that was set elsewhere, such as a limit, is offered, too.
  const unlisted = setting.control === 'list' && !known.some((option) => option.value === current)
  const { unlistedLabel = (bytes: string) => sized(Math.round(Number(bytes) / MIB)).label } = setting
  const values = unlisted ? [{ label: unlistedLabel(current), value: current }, ...known] : setting.values
  const about = busy ? (setting.applying ?? setting.about) : setting.about
  return (
    <ChoiceRow
      setting={{ ...setting, values, about }}
      value={current}
      error={error}
      onChange={(next) => void set(next)}
    />
  )
}

/** A preference of this window, which also the engine stores. */
export function PreferenceRow({ setting }: { readonly setting: PreferenceSetting }) {
  const preferences = usePreferences()
  const { preference } = setting
  return (
    <ChoiceRow
      setting={setting}
      value={preferences[preference]}
      onChange={(value) => preferences.set(preference, value as never)}
    />
  )
}

interface ChoiceRowProps {
  readonly setting: ChoiceSetting
  readonly value: string
  readonly error?: string | null
  readonly onChange: (value: string) => void
}

export function ChoiceRow({ setting, value, error, onChange }: ChoiceRowProps) {
  const { title, label = title, about, values, control } = setting
  const text = error ? (
    <>
      {about}
      <span className="c-danger" role="alert">
        {error}
      </span>
    </>
  ) : (
    about
  )
  if ('on' in values) {
    const { on, off } = values
    return (
      <SwitchRow title={title} on={value === on} onChange={(next) => onChange(next ? on : off)}>
        {text}
      </SwitchRow>
    )
  }
  const Control = control === 'list' ? Select : Segmented
  return (
    <SettingRow title={title} control={<Control label={label} options={values} value={value} onChange={onChange} />}>
      {text}
    </SettingRow>
  )
}

interface SwitchRowProps {
  readonly title: string
  readonly on: boolean
  readonly onChange: (on: boolean) => void
  readonly children: ReactNode
}

function SwitchRow({ title, on, onChange, children }: SwitchRowProps) {
  const id = useId()
  return (
    <label className="setting" htmlFor={id}>
      <span className="grow setting-text">
        <span className="set-title">{title}</span>
        <span className="set-about" id={`${id}-about`}>
          {children}
        </span>
      </span>
      <Switch id={id} on={on} aria-label={title} aria-describedby={`${id}-about`} onChange={onChange} />
    </label>
  )
}
