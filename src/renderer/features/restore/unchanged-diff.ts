/** The diff of a file that a restore does not change: the version on disk on both sides. Pure. */
import type { FileDiff } from '../../../contract/diff.ts'

export function unchangedDiff(diff: FileDiff): FileDiff {
  const { oldPath: _, ...rest } = diff
  const same = { change: 'none', after: diff.before } as const
  switch (rest.view) {
    case 'text':
      return { ...rest, ...same, afterText: rest.beforeText, eolOnly: null }
    case 'image':
      return { ...rest, ...same, afterBase64: rest.beforeBase64 }
    default:
      return { ...rest, ...same }
  }
}
