/** The words of outside changes: why there are several at once. Pure. */
import type { Drift } from '../timeline.ts'
import { plural } from './numbers.ts'

/** What moved the files, without capital and full stop; "" if nothing is known. */
export function driftCauseText({ cause, branches }: Pick<Drift, 'cause' | 'branches'>): string {
  if (cause === 'settings') return 'protected from now on'
  if (cause !== 'branch') return ''
  return branches ? `the branch moved from ${branches.from} to ${branches.to}` : 'another branch was checked out'
}

/** "1 file changed outside". */
export function driftTitle(files: number): string {
  return `${plural(files, 'file')} changed outside`
}
