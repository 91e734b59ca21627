/** Builds the texts for the editor from the diff of a file. Pure. */
import type { FileDiff } from '../../../contract/diff.ts'
import type { DiffViewKind } from './diff-view-kind.ts'
import { hunksOnEditorLines } from './hunk-spans.ts'
import { maskSecrets } from './mask.ts'
import type { TextDoc } from './text-doc.ts'

interface DocInput {
  readonly diff: FileDiff
  readonly view: DiffViewKind
  readonly key: string
  readonly revealed: boolean
  readonly plain: boolean
  readonly labels: { readonly before: string; readonly after: string }
}

/** SVG is an image that is also text. */
export function isSvg(diff: FileDiff): boolean {
  return diff.view === 'image' && diff.mime === 'image/svg+xml'
}

/** The texts, with secrets masked unless `revealed`; null if the view shows no text. */
export function buildTextDoc({ diff, view, key, revealed, plain, labels }: DocInput): TextDoc | null {
  const texts =
    view.kind === 'text' && diff.view === 'text'
      ? { before: diff.beforeText, after: diff.afterText, shape: view.shape }
      : view.kind === 'text' && diff.view === 'image'
        ? { before: decode(diff.beforeBase64), after: decode(diff.afterBase64), shape: view.shape }
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
        ? hunksOnEditorLines(diff.hunks ?? [], diff.beforeText, diff.afterText)
        : []
  }
}

function decode(base64: string | null): string {
  if (base64 === null) return ''
  return new TextDecoder().decode(Uint8Array.from(atob(base64), (char) => char.charCodeAt(0)))
}
