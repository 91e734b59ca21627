/** Every setting that a person may change: where it applies, its default and what it accepts. The engine stores texts. */
import { FINDING_KINDS } from './findings.ts'

/** `folder`: also, or only, for one folder; the key then ends with `/` and the workspace's id. */
type Scope = 'all' | 'all-or-folder' | 'folder'

/** `bytes`, `days`, `files` and `minutes` are whole numbers within bounds; `lines` is one entry per line, `text` one line, `names` some of the values, one per line. */
export type SettingRule =
  | { readonly kind: 'bytes' | 'days' | 'files' | 'minutes'; readonly min: number; readonly max: number }
  | { readonly kind: 'choice' | 'names'; readonly values: readonly string[] }
  | { readonly kind: 'lines' | 'text'; readonly max: number }

interface SettingShape {
  readonly scope: Scope
  /** The value that applies while the setting is unset. */
  readonly initial: string
  readonly rule: SettingRule
}

const choice = (...values: readonly string[]): SettingShape => ({
  scope: 'all',
  initial: values[0] ?? '',
  rule: { kind: 'choice', values }
})

/** When an agent gets reviews: what a person sends, everything with each prompt, or nothing. */
const REVIEW = choice('ask', 'on', 'off')

/** The first value of a choice is its default. */
export const SETTINGS = {
  'capture.limit': {
    scope: 'all',
    initial: String(50 * 1024 ** 2),
    rule: { kind: 'bytes', min: 1_000_000, max: 100 * 1024 ** 3 }
  },
  'capture.never': { scope: 'all-or-folder', initial: '', rule: { kind: 'lines', max: 200 } },
  'capture.include': { scope: 'folder', initial: '', rule: { kind: 'lines', max: 200 } },
  'capture.preRunDrift': choice('false', 'true'),
  'history.budget': {
    scope: 'all-or-folder',
    initial: '2000000000',
    // A smaller budget would evict what was recorded a moment ago.
    rule: { kind: 'bytes', min: 50_000_000, max: 1e15 }
  },
  'history.days': { scope: 'all-or-folder', initial: '30', rule: { kind: 'days', min: 0, max: 36_500 } },
  'backup.repository': { scope: 'all', initial: '', rule: { kind: 'text', max: 1000 } },
  'backup.password-file': { scope: 'all', initial: '', rule: { kind: 'text', max: 1000 } },
  'backup.interval': { scope: 'all', initial: '0', rule: { kind: 'minutes', min: 0, max: 10_080 } },
  'backup.delay': { scope: 'all', initial: '1', rule: { kind: 'minutes', min: 0, max: 1440 } },
  'git.worktrees': { scope: 'all-or-folder', initial: 'ask', rule: { kind: 'choice', values: ['ask', 'on', 'off'] } },
  'git.state': { scope: 'all-or-folder', initial: 'on', rule: { kind: 'choice', values: ['on', 'off'] } },
  'tests.commands': { scope: 'all-or-folder', initial: '', rule: { kind: 'lines', max: 50 } },
  brake: { scope: 'all-or-folder', initial: 'on', rule: { kind: 'choice', values: ['on', 'off'] } },
  'brake.files': { scope: 'all-or-folder', initial: '', rule: { kind: 'files', min: 10, max: 1_000_000 } },
  'recorder.idle': { scope: 'all', initial: '30', rule: { kind: 'minutes', min: 1, max: 10_080 } },
  'log.level': { scope: 'all', initial: 'info', rule: { kind: 'choice', values: ['error', 'warn', 'info', 'debug'] } },
  'desktop.background': choice('ask', 'keep', 'quit'),
  'desktop.login': choice('no', 'yes'),
  'desktop.notifications': choice('yes', 'no'),
  'review.refuse-undone': choice('off', 'on'),
  'review.findings-off': { scope: 'all', initial: '', rule: { kind: 'names', values: FINDING_KINDS } },
  'review.claude-code': REVIEW,
  'review.cline': REVIEW,
  'review.codex': REVIEW,
  'review.gemini-cli': REVIEW,
  'review.opencode': REVIEW,
  'review.qwen-code': REVIEW,
  'ui.theme': choice('system', 'light', 'dark'),
  'ui.density': choice('comfortable', 'compact'),
  'ui.letter-keys': choice('on', 'off'),
  'ui.diff-size': choice('12', '11', '13', '14'),
  'ui.diff-files': choice('one', 'all'),
  'ui.start': choice('list', 'last')
} as const satisfies Readonly<Record<string, SettingShape>>

export type SettingKey = keyof typeof SETTINGS
export const SETTING_KEYS = Object.keys(SETTINGS) as SettingKey[]

/** The setting that a stored key belongs to, null for keys that no person changes. */
export function settingOf(storedKey: string): SettingKey | null {
  return SETTING_KEYS.find((key) => storedKey === key || storedKey.startsWith(`${key}/`)) ?? null
}

/** Whether a setting accepts `value`. "" resets it, and is always accepted. */
export function accepts(key: SettingKey, value: string): boolean {
  const rule: SettingRule = SETTINGS[key].rule
  if (value === '') return true
  switch (rule.kind) {
    case 'choice':
      return rule.values.includes(value)
    case 'lines':
      return linesOf(value).length <= rule.max
    case 'text':
      return value.length <= rule.max && !/[\u0000-\u001f\u007f]/.test(value)
    case 'names':
      return linesOf(value).every((name) => rule.values.includes(name))
    case 'bytes':
    case 'days':
    case 'files':
    case 'minutes':
      return /^\d{1,16}$/.test(value) && Number(value) >= rule.min && Number(value) <= rule.max
  }
}

/** The entries of a setting with one entry per line. */
export function linesOf(value: string): string[] {
  return value
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}
