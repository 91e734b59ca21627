/** The refs of a repository as git has them now: in files, or in tables (reftable). */
import { isReftable } from '../git/reftable/live-stack.ts'
import type { Clock } from '../ports/clock.ts'
import { looseRefs } from './loose-refs.ts'
import type { LiveRefs } from './ref-backend.ts'
import { tableRefs } from './table-refs.ts'

export function liveRefs(gitDir: string, clock: Clock): LiveRefs {
  return isReftable(gitDir) ? tableRefs(gitDir, clock) : looseRefs(gitDir)
}
