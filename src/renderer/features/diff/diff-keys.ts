/** Keyboard shortcuts of the diff pane. Letters with Alt are matched by `code`, because Option types characters on macOS. */
import { type KeyPress, matchesKeys } from '../../ui/keys.ts'

export type DiffCommand =
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

const KEYS: readonly (readonly [string, DiffCommand])[] = [
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

/** The command of a key, null if there is none. Brackets typed into a field stay text. */
export function diffKey(event: KeyPress, target: EventTarget | null): DiffCommand | null {
  const command = KEYS.find(([keys]) => matchesKeys(keys, event))?.[1] ?? null
  if ((command === 'next-file' || command === 'previous-file') && isField(target)) return null
  return command
}

/** A text field such as the find box. The text area of the read-only editor is none. */
function isField(target: EventTarget | null): boolean {
  if (typeof HTMLElement === 'undefined' || !(target instanceof HTMLElement)) return false
  if (target instanceof HTMLInputElement) return true
  return target instanceof HTMLTextAreaElement && target.closest('.find-widget') !== null
}
