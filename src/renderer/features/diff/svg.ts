/** Turns the text diff of an SVG, as the engine sends it, into an image diff. Pure. */
import type { FileDiff } from '../../../contract/diff.ts'

/** The diff as images if it is the text of an SVG without secrets; any other diff unchanged. */
export function svgAsImage(diff: FileDiff): FileDiff {
  if (diff.view !== 'text' || diff.secret || !diff.path.toLowerCase().endsWith('.svg')) return diff
  if (diff.beforeText === diff.afterText) return diff
  const { beforeText, afterText, encodings: _, hidden: __, eolOnly: ___, view: ____, ...base } = diff
  const base64 = (text: string, side: 'before' | 'after') => (diff[side].kind === 'file' ? toBase64(text) : null)
  return {
    ...base,
    view: 'image',
    mime: 'image/svg+xml',
    beforeBase64: base64(beforeText, 'before'),
    afterBase64: base64(afterText, 'after')
  }
}

function toBase64(text: string): string {
  return btoa(Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join(''))
}
