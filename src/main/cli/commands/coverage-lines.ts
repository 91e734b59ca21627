/** The paths that are not protected, as lines of `add` and `status`. */

import { excludedPhrase } from '../../../contract/words/excluded.ts'
import { plural } from '../../../contract/words/numbers.ts'
import { formatBytes } from '../../../contract/words/sizes.ts'
import type { ExcludedPath } from '../../../contract/workspace.ts'
import { columns } from '../columns.ts'
import { escapeLine } from '../escape.ts'
import type { Paint } from '../paint.ts'

/** Most paths listed before the rest is only counted. */
const LISTED = 8

export function notCoveredLines(list: readonly ExcludedPath[], paint: Paint): readonly string[] {
  if (list.length === 0) return []
  const rows = list
    .slice(0, LISTED)
    .map(({ path, reason, size }) => [
      escapeLine(path),
      paint('dim', excludedPhrase(reason)),
      size ? paint('dim', formatBytes(size)) : ''
    ])
  return [
    `${plural(list.length, 'path')} not protected:`,
    ...columns(rows, [], '  '),
    ...(list.length > LISTED ? [`  and ${plural(list.length - LISTED, 'more path')}`] : [])
  ]
}
