/** Texts about bundles and their reviews. Pure. */
import type { BundleInfo, MadeBundle } from '../bundle.ts'
import { plural } from './numbers.ts'
import { formatBytes } from './sizes.ts'
import { listSome } from './text.ts'
import { dayInText } from './times.ts'

/** Files that are bundles end with this. */
export const BUNDLE_SUFFIX = '.driftline'

/** Why an action of a review is disabled. */
export const READ_ONLY = 'a review of a bundle can only be read'

/** What a bundle contains, as a sentence. */
export function bundleContentsText({ files, edits, messages, comments, bytes }: MadeBundle): string {
  const counts = [
    plural(files, 'file'),
    plural(edits, 'edit'),
    plural(messages, 'message'),
    plural(comments, 'comment')
  ]
  return `Contains ${counts.join(', ')} (${formatBytes(bytes)}).`
}

/** What may contain a secret and is not in a bundle, as a list; "" for nothing. At most `most` files are named. */
export function leftOutText({ maskedLines, hiddenFiles, hidden }: MadeBundle, most: number): string {
  const left = [
    ...(maskedLines > 0 ? [plural(maskedLines, 'line')] : []),
    ...(hiddenFiles > 0 ? [`the content of ${listSome(hidden, most, hiddenFiles)}`] : [])
  ]
  return left.join(', ')
}

export function reviewLead({ folder }: Pick<BundleInfo, 'folder'>): string {
  return `A run in the folder “${folder}”. It can only be read.`
}

/** When it was exported, and what its sender left out. */
export function reviewDetail({ exportedAt, maskedLines, hiddenFiles }: BundleInfo): string {
  const left = [
    ...(maskedLines > 0 ? [`${plural(maskedLines, 'masked line')}`] : []),
    ...(hiddenFiles > 0 ? [`${plural(hiddenFiles, 'file')} without content`] : [])
  ]
  const secrets = left.length > 0 ? ` Possible secrets were removed: ${left.join(', ')}.` : ''
  return `Exported ${dayInText(exportedAt, Date.now())}.${secrets}`
}
