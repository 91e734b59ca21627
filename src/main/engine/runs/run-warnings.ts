/** [UI-1] Warnings about a run: every content that its checkpoints cannot restore is named. */
import { isWithin } from '../files/paths.ts'
import { pathsNotStored } from '../store/edit-calls.ts'
import type { Store } from '../store/open-store.ts'
import { findRun } from '../store/runs.ts'
import { countIncompleteCalls, pathsNamedIn } from '../store/tool-calls.ts'

const MAX_NAMES = 5

export function warningsOf(
  { store, boundaries }: { readonly store: Store; readonly boundaries: ReadonlySet<string> },
  id: string
): string[] {
  const run = findRun(store, id)
  if (!run) return []
  const warnings: string[] = []
  const missed = countIncompleteCalls(store, id)
  if (missed > 0)
    warnings.push(
      `Before-images may be incomplete: the folder could not be scanned in time before ${missed === 1 ? '1 tool call' : `${missed} tool calls`}.`
    )
  else if (run.incomplete === 1)
    warnings.push(
      'Before-images may be incomplete: the run began before the folder was recorded completely, or was interrupted.'
    )
  const before = pathsNotStored(store, id, 'before')
  if (before.length > 0) warnings.push(`Content from before the run is not stored: ${names(before)}.`)
  const after = pathsNotStored(store, id, 'after').filter((name) => !before.includes(name))
  if (after.length > 0) warnings.push(`Content written by the run is not stored: ${names(after)}.`)
  const named = pathsNamedIn(store, id)
  const elsewhere = [...boundaries].filter((boundary) => named.some((path) => isWithin(path, boundary))).sort()
  if (elsewhere.length > 0)
    warnings.push(`Changes in ${names(elsewhere)} are not part of this history: it is recorded as its own folder.`)
  return warnings
}

function names(all: readonly string[]): string {
  const rest = all.length - MAX_NAMES
  return `${all.slice(0, MAX_NAMES).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`
}
