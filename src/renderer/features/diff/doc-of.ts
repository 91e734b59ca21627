/** Makes the two texts the editor shows out of a file diff. Pure. */
import type { FileDiff } from '../../../contract/diff.ts'
import { placeable } from './change-places.ts'
import type { Face } from './face.ts'
import { maskSecrets } from './mask.ts'
import type { TextDoc } from './text-doc.ts'

interface DocInput {
  readonly diff: FileDiff
  readonly face: Face
  readonly key: string
  readonly revealed: boolean
  readonly plain: boolean
  readonly labels: { readonly before: string; readonly after: string }
}

/** True for pictures that are text as well. */
export function isSvg(diff: FileDiff): boolean {
  return diff.view === 'image' && diff.mime === 'image/svg+xml'
}

/** The texts, masked unless revealed; null when this face shows none. */
export function docOf({ diff, face, key, revealed, plain, labels }: DocInput): TextDoc | null {
  const texts =
    face.kind === 'text' && diff.view === 'text'
      ? { before: diff.beforeText, after: diff.afterText, shape: face.shape }
      : face.kind === 'text' && diff.view === 'image'
        ? { before: decode(diff.beforeBase64), after: decode(diff.afterBase64), shape: face.shape }
        : null
  if (!texts) return null
  const masked = diff.secret && !revealed
  const { before, after } = masked ? maskSecrets(texts.before, texts.after) : texts
  return {
    key: `${key}${masked ? ' masked' : ''}${plain ? ' plain' : ''} ${texts.shape}`,
    path: diff.path,
    oldPath: diff.oldPath ?? '',
    before,
    after,
    beforeLabel: `${labels.before}, ${diff.oldPath ?? diff.path}`,
    afterLabel: `${labels.after}, ${diff.path}`,
    shape: texts.shape,
    plain,
    hunks:
      diff.view === 'text' && texts.shape === 'changed'
        ? placeable(diff.hunks ?? [], diff.beforeText, diff.afterText)
        : []
  }
}

function decode(base64: string | null): string {
  if (base64 === null) return ''
  return new TextDecoder().decode(Uint8Array.from(atob(base64), (char) => char.charCodeAt(0)))
}
