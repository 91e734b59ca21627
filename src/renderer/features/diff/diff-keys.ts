/** The keys of the diff pane. Letters with Alt go by `code`, since Option types characters on macOS. */
import { type KeyPress, matchesKeys } from '../../ui/keys.ts'

export type DiffAct =
  | 'next-change'
  | 'previous-change'
  | 'next-file'
  | 'previous-file'
  | 'viewer-next'
  | 'viewer-previous'
  | 'split'
  | 'whitespace'
  | 'unchanged'
  | 'keep-change'
  | 'undo-change'
  | 'keep-file'
  | 'undo-file'
  | 'versions'

const KEYS: readonly (readonly [string, DiffAct])[] = [
  ['Alt+ArrowDown', 'next-change'],
  ['Alt+ArrowUp', 'previous-change'],
  ['F7', 'viewer-next'],
  ['Shift+F7', 'viewer-previous'],
  ['Alt+S', 'split'],
  ['Alt+W', 'whitespace'],
  ['Alt+U', 'unchanged'],
  ['Alt+Y', 'keep-change'],
  ['Alt+Z', 'undo-change'],
  ['Shift+Alt+Y', 'keep-file'],
  ['Shift+Alt+Z', 'undo-file'],
  ['Alt+H', 'versions'],
  ['[', 'previous-file'],
  [']', 'next-file']
]

/** What a key does; null leaves it alone. Brackets typed into a field stay text. */
export function diffKey(event: KeyPress, target: EventTarget | null): DiffAct | null {
  const found = KEYS.find(([keys]) => matchesKeys(keys, event))?.[1] ?? null
  if ((found === 'next-file' || found === 'previous-file') && isField(target)) return null
  return found
}

/** A real field, such as the find box; the read-only text itself takes no text. */
function isField(target: EventTarget | null): boolean {
  if (typeof HTMLElement === 'undefined' || !(target instanceof HTMLElement)) return false
  if (target instanceof HTMLInputElement) return true
  return target instanceof HTMLTextAreaElement && target.closest('.find-widget') !== null
}
