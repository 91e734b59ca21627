/** The lines of a patch for people to read, of which some may contain a secret. */
import { createSecretFinder, HIDDEN_LINE, mayHoldSecret } from '../../contract/secrets.ts'

export interface PatchLine {
  readonly text: string
  /** `file`: the line that begins the part of a file. */
  readonly part: 'file' | 'header' | 'hunk' | 'binary'
  readonly isSecret: boolean
}

/** A line in the middle of a key, of which a change may show no more. */
const KEY_LINE = /^.[A-Za-z0-9+/]{60,}={0,2}\r?$/

/** Lines of a hunk begin with a space, +, - or \, so no content can be taken for a header. */
export function patchLines(patch: string): PatchLine[] {
  let part: PatchLine['part'] = 'header'
  let isSecret = createSecretFinder()
  return patch.split('\n').map((text) => {
    if (text.startsWith('diff --git ')) {
      part = 'header'
      isSecret = createSecretFinder()
      return { text, part: 'file', isSecret: mayHoldSecret(text) }
    }
    if (part === 'binary') return { text, part, isSecret: false }
    if (text.startsWith('@@')) part = 'hunk'
    if (text === 'GIT binary patch') part = 'binary'
    return { text, part, isSecret: isSecret(text) || KEY_LINE.test(text) }
  })
}

/** What is shown in place of a line that may contain a secret: of one in a hunk, whether it was added or deleted. */
export function maskedLine({ text, part }: PatchLine): string {
  return `${part === 'hunk' ? text.slice(0, 1) : ''}${HIDDEN_LINE}`
}
