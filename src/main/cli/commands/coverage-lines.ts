/** The paths that are not protected, as lines of `add` and `status`. */

import { formatBytes } from '../../../contract/sizes.ts'
import type { ExcludedPath } from '../../../contract/workspace.ts'
import { columns } from '../columns.ts'
import { escapeLine } from '../escape.ts'
import { count } from '../format.ts'
import type { Paint } from '../paint.ts'

/** Most paths listed before the rest is only counted. */
const LISTED = 8

const REASONS: Readonly<Record<ExcludedPath['reason'], string>> = {
  'too-large': 'too large',
  unreadable: 'unreadable',
  changing: 'changed while being read',
  ignored: 'ignored by git',
  never: 'excluded by your list',
  special: 'not a file, folder or link',
  name: 'name is not valid UTF-8',
  workspace: 'recorded separately, or a git worktree',
  pending: 'not copied yet',
  pruned: 'removed to save space'
}

export function notCoveredLines(list: readonly ExcludedPath[], paint: Paint): readonly string[] {
  if (list.length === 0) return []
  const rows = list
    .slice(0, LISTED)
    .map(({ path, reason, size }) => [
      escapeLine(path),
      paint('dim', REASONS[reason] ?? reason),
      size ? paint('dim', formatBytes(size)) : ''
    ])
  return [
    `${count(list.length, 'path')} not protected:`,
    ...columns(rows, [], '  '),
    ...(list.length > LISTED ? [`  and ${count(list.length - LISTED, 'more path')}`] : [])
  ]
}
