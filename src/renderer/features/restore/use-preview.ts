/**
 * Loads the preview of one planned file. The old preview stays until the new one is loaded; late replies are dropped.
 */
import { useEffect, useRef, useState } from 'react'
import type { Client } from '../../../contract/api.ts'
import type { PreviewSide, Resolution, RestoreRequest } from '../../../contract/restore.ts'
import type { WorkspaceId } from '../../../contract/workspace.ts'
import { svgAsImage } from '../diff/svg.ts'
import type { LoadedDiff } from '../diff/use-file-diff.ts'
import { unchangedDiff } from './unchanged-diff.ts'

export interface PreviewState {
  readonly loaded: LoadedDiff | null
  /** Changed lines, null if they cannot be counted. */
  readonly counts: { readonly added: number; readonly deleted: number } | null
  readonly loading: boolean
  readonly error: string | null
}

/** `version` changes with the plan, so that a new plan reloads the preview. */
export function usePreview(
  client: Client,
  workspace: WorkspaceId,
  request: RestoreRequest,
  path: string | null,
  choice: Resolution | null,
  side: PreviewSide,
  version: string
): PreviewState {
  const [state, setState] = useState<PreviewState>({ loaded: null, counts: null, loading: false, error: null })
  const generation = useRef(0)
  const fixedRequest = useRef(request).current
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new version of the plan is a new preview.
  useEffect(() => {
    const mine = ++generation.current
    if (path === null) {
      setState({ loaded: null, counts: null, loading: false, error: null })
      return
    }
    setState((before) => ({ ...before, loading: true }))
    client
      .call('restore.preview', {
        workspace,
        request: fixedRequest,
        path,
        side,
        ...(choice === null ? {} : { resolutions: { [path]: choice } })
      })
      .then(
        (diff) => {
          if (mine !== generation.current) return
          setState({
            loaded: {
              diff: svgAsImage(choice === 'keep' && side === 'result' ? unchangedDiff(diff) : diff),
              key: `preview ${mine}`,
              path,
              full: false
            },
            counts: diff.counts,
            loading: false,
            error: null
          })
        },
        (reason: unknown) => {
          if (mine !== generation.current) return
          setState({
            loaded: null,
            counts: null,
            loading: false,
            error: reason instanceof Error ? reason.message : String(reason)
          })
        }
      )
    return () => {
      generation.current++
    }
  }, [client, workspace, fixedRequest, path, choice, side, version])
  return state
}
