/** What is not protected, as lines that `add` and `status` share. */

import { bytes } from '../../../contract/sizes.ts'
import type { NotCovered } from '../../../contract/workspace.ts'
import { columns } from '../columns.ts'
import { escapeLine } from '../escape.ts'
import type { Paint } from '../paint.ts'
import { reasonWords } from '../reasons.ts'
import { count } from '../words.ts'

const LISTED = 8

export function notCoveredLines(list: readonly NotCovered[], paint: Paint): readonly string[] {
  if (list.length === 0) return []
  const rows = list
    .slice(0, LISTED)
    .map((one) => [
      escapeLine(one.path),
      paint('dim', reasonWords(one.reason)),
      one.size ? paint('dim', bytes(one.size)) : ''
    ])
  return [
    `${count(list.length, 'path')} not protected:`,
    ...columns(rows, [], '  '),
    ...(list.length > LISTED ? [`  and ${count(list.length - LISTED, 'more path')}`] : [])
  ]
}
