/** Everything recorded, searched for what was typed; late answers of an earlier word are dropped. */
import { useEffect, useState } from 'react'
import { toErrorShape } from '../../../contract/errors.ts'
import type { SearchHit } from '../../../contract/search.ts'
import type { WorkspaceId } from '../../../contract/workspace.ts'
import { useDriftline } from '../../client/context.tsx'
import { MOST_HITS } from './palette-items.ts'

export interface SearchResults {
  readonly hits: readonly SearchHit[]
  /** What was not looked at, else "". */
  readonly note: string
  readonly busy: boolean
}

const NOTHING: SearchResults = { hits: [], note: '', busy: false }
const PAUSE_MS = 180
/** Fewer letters are found everywhere. */
const FEWEST_LETTERS = 2

export function useSearch(workspace: WorkspaceId | null, typed: string): SearchResults {
  const { client } = useDriftline()
  const [state, setState] = useState(NOTHING)
  const text = typed.trim()
  useEffect(() => {
    if (workspace === null || text.length < FEWEST_LETTERS) return setState(NOTHING)
    let stale = false
    setState((before) => ({ ...before, busy: true }))
    const timer = setTimeout(() => {
      client.call('search.run', { workspace, text, limit: MOST_HITS }).then(
        ({ hits, note }) => {
          if (!stale) setState({ hits, note, busy: false })
        },
        (error: unknown) => {
          // What is loaded is still searched; the connection's own pill says when it is lost.
          if (!stale) setState({ ...NOTHING, note: toErrorShape(error).message })
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
