/** How the diff of one file is shown: as text, as images, or as a notice because there is no text to compare. Pure. */
import type { FileDiff } from '../../../contract/diff.ts'
import type { FileVersion } from '../../../contract/log.ts'
import { modeChange } from './file-facts.ts'

/** The text is the same; `title` names what else changed. */
export interface SameView {
  readonly kind: 'same'
  readonly icon: 'rename' | 'mode' | 'eol' | 'reverted'
  readonly title: string
  readonly detail: string
}

export type DiffViewKind =
  | { readonly kind: 'text'; readonly shape: ReturnType<typeof shapeOf> }
  | { readonly kind: 'image' }
  | SameView
  | { readonly kind: 'large' | 'opaque' | 'not-kept' | 'link' | 'dir' }

export function exists(side: FileVersion): boolean {
  return side.kind !== 'absent' && side.kind !== 'unknown'
}

/** Whether both sides have content, or only one of them. */
export function shapeOf({ before, after }: FileDiff): 'changed' | 'added' | 'deleted' {
  return !exists(before) ? 'added' : !exists(after) ? 'deleted' : 'changed'
}

/** `showText`: the user asked for the text although a notice would do. */
export function diffViewKind(diff: FileDiff, showText: boolean): DiffViewKind {
  if (diff.view === 'image') return { kind: 'image' }
  if (diff.view !== 'text') return { kind: diff.view }
  const shape = shapeOf(diff)
  if (showText || shape !== 'changed') return { kind: 'text', shape }
  if (diff.eolOnly) return same('eol', `Only line endings changed (${diff.eolOnly})`)
  if (diff.beforeText !== diff.afterText) return { kind: 'text', shape }
  const renamed = diff.oldPath !== undefined && diff.oldPath !== diff.path
  const mode = diff.before.mode !== diff.after.mode
  const modes = modeChange(diff.before.mode, diff.after.mode)
  if (renamed) {
    const from = nameFrom(diff.oldPath ?? '', diff.path)
    return same('rename', `Renamed from ${from}, contents unchanged`, mode ? `${modes}.` : '')
  }
  if (mode) return same('mode', `${modes}, contents unchanged`)
  if (diff.before.hash !== diff.after.hash)
    return same('eol', 'Same text, different bytes', 'The byte order mark or the encoding changed.')
  return same('reverted', 'Changed and changed back', 'The bytes at the end are the same as at the start.')
}

function same(icon: SameView['icon'], title: string, detail = ''): SameView {
  return { kind: 'same', icon, title, detail }
}

/** The old name; with its folder if that changed. */
function nameFrom(oldPath: string, path: string): string {
  const cut = oldPath.lastIndexOf('/') + 1
  return oldPath.slice(0, cut) === path.slice(0, path.lastIndexOf('/') + 1) ? oldPath.slice(cut) : oldPath
}
