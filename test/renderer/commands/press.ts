/** Keys as pages get them, for tests: `Ctrl+Shift+z`. */
import type { KeyPress } from '../../../src/renderer/ui/keys.ts'

/** `code`: the key on the board, where a test is about that. */
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
