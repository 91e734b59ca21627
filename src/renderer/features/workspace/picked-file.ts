/** The file that a person chose in a comparison. Pure. */
import type { Params } from '../../../contract/api.ts'

/** A file chosen in one comparison; every other comparison starts at its own first file. */
export interface PickedFile {
  /** The comparison's key. */
  readonly scope: string
  readonly path: string
}

/** Identifies what is compared, whatever the options of the query. */
export function comparisonKey({ target, to }: Pick<Params<'diff.files'>, 'target' | 'to'>): string {
  return [target, to ?? ''].join(' ')
}
