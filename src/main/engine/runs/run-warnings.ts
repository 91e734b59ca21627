/** [UI-1] Warnings about a run: every content that its checkpoints cannot restore is named. */
import type { RunWarning } from '../../../contract/timeline.ts'
import { isWithin } from '../files/paths.ts'
import { pathsNotStored } from '../store/edit-calls.ts'
import type { Store } from '../store/open-store.ts'
import { findRun } from '../store/runs.ts'
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

type PathWarning = Extract<RunWarning, { readonly paths: unknown }>

function about(code: PathWarning['code'], paths: readonly string[]): PathWarning[] {
  return paths.length === 0 ? [] : [{ code, paths: paths.slice(0, MAX_NAMES), count: paths.length }]
}
