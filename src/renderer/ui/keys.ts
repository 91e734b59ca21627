/** Key combinations such as `Mod+Shift+Z`: shown in the style of the system, matched against key events. */

const IS_MAC = typeof navigator !== 'undefined' && /Mac|iPhone|iPad/.test(navigator.platform)

const MAC_SYMBOLS: Readonly<Record<string, string>> = {
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
const PC_SYMBOLS: Readonly<Record<string, string>> = {
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
  const symbols = mac ? MAC_SYMBOLS : PC_SYMBOLS
  const parts = keys.split('+').map((part) => symbols[part] ?? part)
  return parts.join(mac ? '' : '+')
}

/** The part of a key event that is compared; tests need no DOM. */
export interface KeyPress {
  readonly key: string
  readonly code: string
  readonly metaKey: boolean
  readonly ctrlKey: boolean
  readonly altKey: boolean
  readonly shiftKey: boolean
}

/**
 * Whether the event is this combination. Letters and digits with Alt are compared by `code`, because Option types other
 * characters on macOS. Shift is not compared for symbols such as `?`, which need it on some keyboard layouts only.
 */
export function matchesKeys(keys: string, event: KeyPress, mac: boolean = IS_MAC): boolean {
  const parts = keys.split('+')
  const key = parts.at(-1) ?? ''
  const requires = (name: string) => parts.includes(name, 0) && parts.indexOf(name) < parts.length - 1
  const meta = requires('Mod') && mac
  const ctrl = (requires('Mod') && !mac) || requires('Ctrl')
  if (event.metaKey !== meta || event.ctrlKey !== ctrl || event.altKey !== requires('Alt')) return false
  const isSymbol = key.length === 1 && !/[a-z0-9]/i.test(key)
  if (!isSymbol && event.shiftKey !== requires('Shift')) return false
  if (event.altKey && /^[A-Z0-9]$/.test(key)) return event.code === `Key${key}` || event.code === `Digit${key}`
  if (key === 'Space') return event.key === ' '
  return key.length === 1 ? event.key.toLowerCase() === key.toLowerCase() : event.key === key
}

/** Whether keys typed into the element are text. The diff editor is read-only, so it is not a text field. */
export function isTextField(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  if (target instanceof HTMLTextAreaElement) return !target.readOnly
  if (target.isContentEditable || target instanceof HTMLSelectElement) return true
  return target instanceof HTMLInputElement && !['checkbox', 'radio', 'button', 'range'].includes(target.type)
}
