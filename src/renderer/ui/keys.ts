/** Key combinations as data: written `Mod+Shift+Z`, shown in the system's own way, matched against key events. */

const IS_MAC = typeof navigator !== 'undefined' && /Mac|iPhone|iPad/.test(navigator.platform)

const MAC_SIGNS: Readonly<Record<string, string>> = {
  Mod: '⌘',
  Ctrl: '⌃',
  Alt: '⌥',
  Shift: '⇧',
  Enter: '⏎',
  Escape: 'esc',
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
  Space: 'Space'
}
const OTHER_SIGNS: Readonly<Record<string, string>> = {
  Mod: 'Ctrl',
  Enter: 'Enter',
  Escape: 'Esc',
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→'
}

/** How a combination is shown: `⌘⇧Z` on a Mac, `Ctrl+Shift+Z` elsewhere. */
export function showKeys(keys: string, mac: boolean = IS_MAC): string {
  const signs = mac ? MAC_SIGNS : OTHER_SIGNS
  const parts = keys.split('+').map((part) => signs[part] ?? part)
  return parts.join(mac ? '' : '+')
}

/** What a combination needs of a key event; a type of its own so that tests need no DOM. */
export interface KeyPress {
  readonly key: string
  readonly code: string
  readonly metaKey: boolean
  readonly ctrlKey: boolean
  readonly altKey: boolean
  readonly shiftKey: boolean
}

/**
 * True when the event is this combination. Letters and digits with Alt go by `code`, since Option types characters
 * on macOS. Shift is not compared for signs such as `?`, whose place differs between keyboards.
 */
export function matchesKeys(keys: string, event: KeyPress, mac: boolean = IS_MAC): boolean {
  const parts = keys.split('+')
  const key = parts.at(-1) ?? ''
  const wants = (name: string) => parts.includes(name, 0) && parts.indexOf(name) < parts.length - 1
  const meta = wants('Mod') && mac
  const ctrl = (wants('Mod') && !mac) || wants('Ctrl')
  if (event.metaKey !== meta || event.ctrlKey !== ctrl || event.altKey !== wants('Alt')) return false
  const isSign = key.length === 1 && !/[a-z0-9]/i.test(key)
  if (!isSign && event.shiftKey !== wants('Shift')) return false
  if (event.altKey && /^[A-Z0-9]$/.test(key)) return event.code === `Key${key}` || event.code === `Digit${key}`
  if (key === 'Space') return event.key === ' '
  return key.length === 1 ? event.key.toLowerCase() === key.toLowerCase() : event.key === key
}

/** True when keys typed there are text; the diff's editor only reads, so they are not. */
export function isTextField(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  if (target instanceof HTMLTextAreaElement) return !target.readOnly
  if (target.isContentEditable || target instanceof HTMLSelectElement) return true
  return target instanceof HTMLInputElement && !['checkbox', 'radio', 'button', 'range'].includes(target.type)
}
