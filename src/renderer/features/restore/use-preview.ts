/** What one file of a plan would become. The old preview stays until the new one is there; late replies are dropped. */
import { useEffect, useRef, useState } from 'react'
import type { Client } from '../../../contract/api.ts'
import type { Act, Choice, PreviewSide } from '../../../contract/restore.ts'
import type { WorkspaceId } from '../../../contract/workspace.ts'
import { asPicture } from '../diff/svg.ts'
import type { LoadedDiff } from '../diff/use-file-diff.ts'
import { staying } from './staying.ts'

export interface PreviewState {
  readonly loaded: LoadedDiff | null
  /** Lines that come and go, where they can be counted. */
  readonly counts: { readonly added: number; readonly deleted: number } | null
  readonly loading: boolean
  readonly error: string | null
}

/** `version` changes when the plan does, so that a refreshed plan shows refreshed previews. */
export function usePreview(
  client: Client,
  workspace: WorkspaceId,
  act: Act,
  path: string | null,
  choice: Choice | null,
  side: PreviewSide,
  version: string
): PreviewState {
  const [state, setState] = useState<PreviewState>({ loaded: null, counts: null, loading: false, error: null })
  const turn = useRef(0)
  const fixed = useRef(act).current
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new version of the plan is a new preview.
  useEffect(() => {
    const mine = ++turn.current
    if (path === null) {
      setState({ loaded: null, counts: null, loading: false, error: null })
      return
    }
    setState((before) => ({ ...before, loading: true }))
    client
      .call('restore.preview', {
        workspace,
        act: fixed,
        path,
        side,
        ...(choice === null ? {} : { choices: { [path]: choice } })
      })
      .then(
        (diff) => {
          if (mine !== turn.current) return
          setState({
            loaded: {
              diff: asPicture(choice === 'keep' && side === 'result' ? staying(diff) : diff),
              key: `preview ${mine}`,
              path,
              full: false,
              of: ''
            },
            counts: diff.counts,
            loading: false,
            error: null
          })
        },
        (reason: unknown) => {
          if (mine !== turn.current) return
          setState({
            loaded: null,
            counts: null,
            loading: false,
            error: reason instanceof Error ? reason.message : String(reason)
          })
        }
      )
    return () => {
      turn.current++
    }
  }, [client, workspace, fixed, path, choice, side, version])
  return state
}
