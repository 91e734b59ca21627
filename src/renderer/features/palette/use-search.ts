/** Searches the whole history for the typed text. Late replies to earlier input are dropped. */
import { useEffect, useState } from 'react'
import { toErrorShape } from '../../../contract/errors.ts'
import type { SearchHit } from '../../../contract/search.ts'
import type { WorkspaceId } from '../../../contract/workspace.ts'
import { useDriftline } from '../../client/context.tsx'
import { HIT_LIMIT } from './palette-items.ts'

export interface SearchResults {
  readonly hits: readonly SearchHit[]
  /** What was not searched, else "". */
  readonly note: string
  readonly busy: boolean
}

const NO_RESULTS: SearchResults = { hits: [], note: '', busy: false }
const PAUSE_MS = 180
/** Shorter text matches almost everything. */
const MIN_LENGTH = 2

export function useSearch(workspace: WorkspaceId | null, typed: string): SearchResults {
  const { client } = useDriftline()
  const [state, setState] = useState(NO_RESULTS)
  const text = typed.trim()
  useEffect(() => {
    if (workspace === null || text.length < MIN_LENGTH) return setState(NO_RESULTS)
    let stale = false
    setState((before) => ({ ...before, busy: true }))
    const timer = setTimeout(() => {
      client.call('search.run', { workspace, text, limit: HIT_LIMIT }).then(
        ({ hits, note }) => {
          if (!stale) setState({ hits, note, busy: false })
        },
        (error: unknown) => {
          // Loaded entries are still searched; the header shows a lost connection.
          if (!stale) setState({ ...NO_RESULTS, note: toErrorShape(error).message })
        }
      )
    }, PAUSE_MS)
    return () => {
      stale = true
      clearTimeout(timer)
    }
  }, [client, workspace, text])
  return state
}
