/** Key events for tests, from notation such as `Ctrl+Shift+z`. */
import type { KeyPress } from '../../../src/renderer/ui/keys.ts'

/** `code`: the physical key. */
export function press(keys: string, code = ''): KeyPress {
  const parts = keys.split('+')
  return {
    key: parts.at(-1) ?? '',
    code,
    metaKey: parts.includes('Meta'),
    ctrlKey: parts.includes('Ctrl'),
    altKey: parts.includes('Alt'),
    shiftKey: parts.includes('Shift')
  }
}
