/**
 * The changed files of a comparison: names first, line counts when they are computed, because counting reads contents.
 * Counts that arrive late are added to the newer names and never replace them.
 */
import { useMemo } from 'react'
import type { Params } from '../../../contract/api.ts'
import type { DiffResult } from '../../../contract/diff.ts'
import type { ErrorShape } from '../../../contract/errors.ts'
import { useQuery } from '../../client/use-query.ts'

interface DiffState {
  readonly diff: DiffResult | null
  readonly loading: boolean
  readonly error: ErrorShape | null
}

/** `live`: the newer side still changes (a live run, or the disk), so every edit reloads the list. */
export function useDiff(question: Params<'diff.files'> | null, live: boolean): DiffState {
  const quick = useQuery('diff.files', question ? { ...question, quick: true } : null, { live })
  const uncounted = quick.current && quick.data?.files.some((file) => !file.counted) === true
  const full = useQuery('diff.files', uncounted ? question : null, { live })
  const fullData = full.current ? full.data : null
  const counted = useMemo(() => fullData && withNewerFiles(fullData, quick.data), [fullData, quick.data])
  return {
    diff: counted ?? quick.data,
    loading: quick.loading,
    error: quick.error
  }
}

/** Adds the counts of the full answer to the newer quick answer. */
function withNewerFiles(full: DiffResult, quick: DiffResult | null): DiffResult {
  if (!quick) return full
  const counts = new Map(full.files.map((file) => [file.path, file]))
  const files = quick.files.map((file) => (file.counted ? file : (counts.get(file.path) ?? file)))
  return { ...quick, files }
}
