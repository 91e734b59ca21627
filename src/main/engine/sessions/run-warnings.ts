/** [UI-1] What a run's checkpoints cannot give back, as sentences: nothing is missing without saying so. */
import { isWithin } from '../files/workspace-fs.ts'
import type { Store } from '../store/open-store.ts'
import type { Recorder } from '../workspaces/recorder.ts'
import { findRun } from './runs.ts'

const NAMED = 5

export function warningsOf({ store, boundaries }: Pick<Recorder, 'store' | 'boundaries'>, id: string): string[] {
  const run = findRun(store, id)
  if (!run) return []
  const found: string[] = []
  const { missed } = store.db
    .prepare("SELECT count(*) AS missed FROM tool_call WHERE run = ? AND complete = 0 AND (wide = 1 OR paths <> '[]')")
    .get(id) as { missed: number }
  if (missed > 0)
    found.push(
      `Before-images may be incomplete: the folder could not be compared before ${missed === 1 ? '1 tool call' : `${missed} tool calls`} in time.`
    )
  else if (run.incomplete === 1)
    found.push('Before-images may be incomplete: the run began before everything was recorded, or was cut off.')
  const unkept = (side: 'before' | 'after'): string[] =>
    (
      store.db
        .prepare(
          `SELECT DISTINCT p.name FROM edit_call c JOIN edit e ON e.seq = c.edit JOIN path p ON p.id = e.path
           JOIN version v ON v.id = e.${side} WHERE c.run = ? AND v.kind = 1 AND v.reason IS NOT NULL ORDER BY p.name`
        )
        .all(id) as { name: string }[]
    ).map((row) => row.name)
  const before = unkept('before')
  if (before.length > 0) found.push(`What was in ${names(before)} before was not kept.`)
  const after = unkept('after').filter((name) => !before.includes(name))
  if (after.length > 0) found.push(`What it left in ${names(after)} was not kept.`)
  const named = namedPaths(store, id)
  const elsewhere = [...boundaries].filter((boundary) => named.some((path) => isWithin(path, boundary))).sort()
  if (elsewhere.length > 0)
    found.push(`What it did in ${names(elsewhere)} is not part of this history: that is a folder of its own.`)
  return found
}

/** What the run's tools named, whether it is recorded here or not. */
function namedPaths(store: Store, run: string): string[] {
  const rows = store.db.prepare("SELECT paths FROM tool_call WHERE run = ? AND paths <> '[]'").pluck().all(run)
  return (rows as string[]).flatMap((paths) => JSON.parse(paths) as string[])
}

function names(all: readonly string[]): string {
  const rest = all.length - NAMED
  return `${all.slice(0, NAMED).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`
}
