/** Decides what a reader sees of one file: a comparison of text, pictures, or a card with a sentence. Pure. */
import type { FileDiff } from '../../../contract/diff.ts'
import type { FileVersion } from '../../../contract/log.ts'
import { modeWords } from './measures.ts'

export type Face =
  | { readonly kind: 'text'; readonly shape: 'changed' | 'born' | 'gone' }
  | { readonly kind: 'image' }
  /** Bytes are the same; `title` says what else changed. */
  | {
      readonly kind: 'same'
      readonly icon: 'rename' | 'mode' | 'eol' | 'back'
      readonly title: string
      readonly detail: string
    }
  | { readonly kind: 'large' | 'opaque' | 'not-kept' | 'link' | 'dir' }

export function isThere(side: FileVersion): boolean {
  return side.kind !== 'absent' && side.kind !== 'unknown'
}

/** `showText` is a person's wish to see the text although a card would do. */
export function faceOf(diff: FileDiff, showText: boolean): Face {
  if (diff.view === 'image') return { kind: 'image' }
  if (diff.view !== 'text') return { kind: diff.view }
  const shape = !isThere(diff.before) ? 'born' : !isThere(diff.after) ? 'gone' : 'changed'
  if (showText || shape !== 'changed') return { kind: 'text', shape }
  if (diff.eolOnly) {
    return { kind: 'same', icon: 'eol', title: `Only line endings changed (${diff.eolOnly})`, detail: '' }
  }
  if (diff.beforeText !== diff.afterText) return { kind: 'text', shape }
  const renamed = diff.oldPath !== undefined && diff.oldPath !== diff.path
  const mode = diff.before.mode !== diff.after.mode
  const modes = modeWords(diff.before.mode, diff.after.mode)
  if (renamed) {
    const from = nameFrom(diff.oldPath ?? '', diff.path)
    return {
      kind: 'same',
      icon: 'rename',
      title: `Renamed from ${from}, contents unchanged`,
      detail: mode ? `${modes}.` : ''
    }
  }
  if (mode) return { kind: 'same', icon: 'mode', title: `${modes}, contents unchanged`, detail: '' }
  if (diff.before.hash !== diff.after.hash) {
    return {
      kind: 'same',
      icon: 'eol',
      title: 'The text is the same; its bytes differ.',
      detail: 'A byte order mark or the encoding changed.'
    }
  }
  return {
    kind: 'same',
    icon: 'back',
    title: 'Changed and changed back',
    detail: 'It ends with the same bytes it began with.'
  }
}

/** The old name alone when the folder is the same, else the whole old path. */
function nameFrom(oldPath: string, path: string): string {
  const cut = oldPath.lastIndexOf('/') + 1
  return oldPath.slice(0, cut) === path.slice(0, path.lastIndexOf('/') + 1) ? oldPath.slice(cut) : oldPath
}
