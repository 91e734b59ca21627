/** The changed files of a comparison: names first, line counts when they are computed. */
import type { Params } from '../../../contract/api.ts'
import type { DiffResult } from '../../../contract/diff.ts'
import type { ErrorShape } from '../../../contract/errors.ts'
import type { ChangeName } from '../../client/changes.ts'
import { useQuery } from '../../client/use-query.ts'

export interface DiffState {
  readonly diff: DiffResult | null
  readonly loading: boolean
  readonly error: ErrorShape | null
  retry(): void
}

const SETTLED: readonly ChangeName[] = ['runs', 'restores']
const MOVING: readonly ChangeName[] = ['edits', 'runs', 'restores', 'drift']

/** `moving`: the newer side still changes (a live run, or the disk), so every edit reloads the list. */
export function useDiff(question: Params<'diff.files'> | null, moving: boolean): DiffState {
  const options = { workspace: question?.workspace ?? '', on: moving ? MOVING : SETTLED }
  const quick = useQuery('diff.files', question ? { ...question, quick: true } : null, options)
  const uncounted = quick.current && quick.data?.files.some((file) => !file.counted) === true
  const full = useQuery('diff.files', uncounted ? question : null, options)
  const counted = full.current && full.data ? withNewerFiles(full.data, quick.data) : null
  return {
    diff: counted ?? quick.data,
    loading: quick.loading,
    error: quick.error,
    retry: () => quick.refetch()
  }
}

/** Adds the counts of the full answer to the newer quick answer. */
function withNewerFiles(full: DiffResult, quick: DiffResult | null): DiffResult {
  if (!quick) return full
  const counts = new Map(full.files.map((file) => [file.path, file]))
  const files = quick.files.map((file) => (file.counted ? file : (counts.get(file.path) ?? file)))
  return { ...quick, files }
}
