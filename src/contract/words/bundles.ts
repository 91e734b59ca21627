/** Texts about bundles and their reviews. Pure. */
import type { BundleInfo } from '../bundle.ts'
import { plural } from './numbers.ts'
import { dayInText } from './times.ts'

/** Files that are bundles end with this. */
export const BUNDLE_SUFFIX = '.driftline'

/** Why an action of a review is disabled. */
export const READ_ONLY = 'a review of a bundle can only be read'

export function reviewLead({ folder }: Pick<BundleInfo, 'folder'>): string {
  return `A run in the folder “${folder}”. It can only be read.`
}

/** When it was exported, and what its sender left out. */
export function reviewDetail({ exportedAt, maskedLines, hiddenFiles }: BundleInfo): string {
  const left = [
    ...(maskedLines > 0 ? [`${plural(maskedLines, 'line')} masked`] : []),
    ...(hiddenFiles > 0 ? [`the content of ${plural(hiddenFiles, 'file')} left out`] : [])
  ]
  const secrets = left.length > 0 ? ` Because of possible secrets: ${left.join(', ')}.` : ''
  return `Exported ${dayInText(exportedAt, Date.now())}.${secrets}`
}
