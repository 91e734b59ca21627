/** A patch for a terminal: coloured by line, with control characters escaped. */
import { escapeText } from './escape.ts'
import type { Paint, Style } from './paint.ts'

/** Colours the lines as git does. For reading only: `git apply` needs the patch as it is. */
export function paintPatch(patch: string, paint: Paint): string {
  let inHunk = false
  return patch
    .split('\n')
    .map((line) => {
      if (line.startsWith('diff --git ')) inHunk = false
      else if (line.startsWith('@@')) inHunk = true
      const style = styleOf(line, inHunk)
      const text = escapeText(line)
      return style ? paint(style, text) : text
    })
    .join('\n')
}

function styleOf(line: string, inHunk: boolean): Style | null {
  if (line.startsWith('@@')) return 'cyan'
  if (!inHunk) return 'bold'
  if (line.startsWith('+')) return 'green'
  return line.startsWith('-') ? 'red' : null
}
