/** [UI-1] Warnings about a run: what its checkpoints cannot restore, and changes that may be those of others. */
import type { RunWarning } from '../../../contract/timeline.ts'
import { isWithin } from '../files/paths.ts'
import { pathsNotStored, pathsWithoutCall, sharedPaths } from '../store/edit-calls.ts'
import type { Store } from '../store/open-store.ts'
import { attributedTo, findRun } from '../store/runs.ts'
import { countIncompleteCalls, pathsNamedIn } from '../store/tool-calls.ts'

/** Paths named in one warning. */
const MAX_NAMES = 5

export function warningsOf(
  { store, boundaries }: { readonly store: Store; readonly boundaries: ReadonlySet<string> },
  id: string
): RunWarning[] {
  const run = findRun(store, id)
  if (!run) return []
  const missed = countIncompleteCalls(store, id)
  const before = pathsNotStored(store, id, 'before')
  const named = pathsNamedIn(store, id)
  return [
    ...authorWarnings(store, id),
    ...(missed > 0 ? [{ code: 'missed-calls', count: missed } as const] : []),
    ...(missed === 0 && run.incomplete === 1 ? [{ code: 'incomplete' } as const] : []),
    ...about('not-stored-before', before),
    ...about(
      'not-stored-after',
      pathsNotStored(store, id, 'after').filter((name) => !before.includes(name))
    ),
    ...about('elsewhere', [...boundaries].filter((boundary) => named.some((path) => isWithin(path, boundary))).sort())
  ]
}

/** [RN-2] [GW-4] Whose the changes of a run may be: its own because of their time, or those of another run. */
export function authorWarnings(store: Store, id: string): RunWarning[] {
  return [...attributionWarnings(store, id), ...about('shared', sharedPaths(store, id))]
}

/**
 * [RN-2] Which changes of a run, or of one of its turns, count as its own only because of their time, if any of them
 * passes `isAsked`.
 */
export function attributionWarnings(
  store: Store,
  id: string,
  turn: string | null = null,
  isAsked: (path: string) => boolean = () => true
) {
  const paths = pathsWithoutCall(store, id, turn).filter(isAsked)
  if (paths.length === 0) return []
  const run = findRun(store, id)
  return run && attributedTo(run) === 'all-changes' ? [{ code: 'all-changes' } as const] : about('no-call', paths)
}

type PathWarning = Extract<RunWarning, { readonly paths: unknown }>

function about<C extends PathWarning['code']>(code: C, paths: readonly string[]) {
  return paths.length === 0 ? [] : [{ code, paths: paths.slice(0, MAX_NAMES), count: paths.length } as const]
}
