/** [UI-1] Warnings about a run: every content that its checkpoints cannot restore is named. */
import { isWithin } from '../files/paths.ts'
import type { Store } from '../store/open-store.ts'
import type { Recorder } from '../workspaces/recorder.ts'
import { findRun } from '../store/runs.ts'

const MAX_NAMES = 5

export function warningsOf({ store, boundaries }: Pick<Recorder, 'store' | 'boundaries'>, id: string): string[] {
  const run = findRun(store, id)
  if (!run) return []
  const warnings: string[] = []
  const { missed } = store.db
    .prepare("SELECT count(*) AS missed FROM tool_call WHERE run = ? AND complete = 0 AND (wide = 1 OR paths <> '[]')")
    .get(id) as { missed: number }
  if (missed > 0)
    warnings.push(
      `Before-images may be incomplete: the folder could not be scanned in time before ${missed === 1 ? '1 tool call' : `${missed} tool calls`}.`
    )
  else if (run.incomplete === 1)
    warnings.push(
      'Before-images may be incomplete: the run began before the folder was recorded completely, or was interrupted.'
    )
  const notStored = (side: 'before' | 'after'): string[] =>
    (
      store.db
        .prepare(
          `SELECT DISTINCT p.name FROM edit_call c JOIN edit e ON e.seq = c.edit JOIN path p ON p.id = e.path
           JOIN version v ON v.id = e.${side} WHERE c.run = ? AND v.kind = 1 AND v.reason IS NOT NULL ORDER BY p.name`
        )
        .all(id) as { name: string }[]
    ).map((row) => row.name)
  const before = notStored('before')
  if (before.length > 0) warnings.push(`Content from before the run is not stored: ${names(before)}.`)
  const after = notStored('after').filter((name) => !before.includes(name))
  if (after.length > 0) warnings.push(`Content written by the run is not stored: ${names(after)}.`)
  const named = namedPaths(store, id)
  const elsewhere = [...boundaries].filter((boundary) => named.some((path) => isWithin(path, boundary))).sort()
  if (elsewhere.length > 0)
    warnings.push(`Changes in ${names(elsewhere)} are not part of this history: it is recorded as its own folder.`)
  return warnings
}

/** The paths that the run's tool calls named, also those in other workspaces. */
function namedPaths(store: Store, run: string): string[] {
  const rows = store.db.prepare("SELECT paths FROM tool_call WHERE run = ? AND paths <> '[]'").pluck().all(run)
  return (rows as string[]).flatMap((paths) => JSON.parse(paths) as string[])
}

function names(all: readonly string[]): string {
  const rest = all.length - MAX_NAMES
  return `${all.slice(0, MAX_NAMES).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`
}
