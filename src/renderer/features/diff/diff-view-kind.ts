/** How the diff of one file is shown: as text, as images, or as a notice because there is no text to compare. Pure. */
import type { FileDiff } from '../../../contract/diff.ts'
import type { FileVersion } from '../../../contract/log.ts'
import { modeChange } from './file-facts.ts'

export type DiffViewKind =
  | { readonly kind: 'text'; readonly shape: 'changed' | 'added' | 'deleted' }
  | { readonly kind: 'image' }
  /** The text is the same; `title` names what else changed. */
  | {
      readonly kind: 'same'
      readonly icon: 'rename' | 'mode' | 'eol' | 'reverted'
      readonly title: string
      readonly detail: string
    }
  | { readonly kind: 'large' | 'opaque' | 'not-kept' | 'link' | 'dir' }

export function exists(side: FileVersion): boolean {
  return side.kind !== 'absent' && side.kind !== 'unknown'
}

/** `showText`: the user asked for the text although a notice would do. */
export function diffViewKind(diff: FileDiff, showText: boolean): DiffViewKind {
  if (diff.view === 'image') return { kind: 'image' }
  if (diff.view !== 'text') return { kind: diff.view }
  const shape = !exists(diff.before) ? 'added' : !exists(diff.after) ? 'deleted' : 'changed'
  if (showText || shape !== 'changed') return { kind: 'text', shape }
  if (diff.eolOnly) {
    return { kind: 'same', icon: 'eol', title: `Only line endings changed (${diff.eolOnly})`, detail: '' }
  }
  if (diff.beforeText !== diff.afterText) return { kind: 'text', shape }
  const renamed = diff.oldPath !== undefined && diff.oldPath !== diff.path
  const mode = diff.before.mode !== diff.after.mode
  const modes = modeChange(diff.before.mode, diff.after.mode)
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
      title: 'Same text, different bytes',
      detail: 'The byte order mark or the encoding changed.'
    }
  }
  return {
    kind: 'same',
    icon: 'reverted',
    title: 'Changed and changed back',
    detail: 'The bytes at the end are the same as at the start.'
  }
}

/** The old name; with its folder if that changed. */
function nameFrom(oldPath: string, path: string): string {
  const cut = oldPath.lastIndexOf('/') + 1
  return oldPath.slice(0, cut) === path.slice(0, path.lastIndexOf('/') + 1) ? oldPath.slice(cut) : oldPath
}
