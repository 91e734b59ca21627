/**
 * Loads the preview of one planned file. The old preview stays until the new one is loaded; late replies are dropped.
 */
import { useEffect, useRef, useState } from 'react'
import type { Client } from '../../../contract/api.ts'
import type { FileDiff } from '../../../contract/diff.ts'
import type { BlameLine } from '../../../contract/log.ts'
import type { Conflict, PreviewSide, Resolution, RestoreRequest } from '../../../contract/restore.ts'
import { clockWithDay } from '../../../contract/words/times.ts'
import type { WorkspaceId } from '../../../contract/workspace.ts'
import type { PreservedLines } from '../diff/preserved-lines.ts'
import { svgAsImage } from '../diff/svg.ts'
import type { LoadedDiff } from '../diff/use-file-diff.ts'

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

/** The diff of a file that a restore does not change: the version on disk on both sides. Pure. */
export function unchangedDiff(diff: FileDiff): FileDiff {
  const { oldPath: _, ...rest } = diff
  const same = { change: 'none', after: diff.before } as const
  switch (rest.view) {
    case 'text':
      return { ...rest, ...same, afterText: rest.beforeText, eolOnly: null }
    case 'image':
      return { ...rest, ...same, afterBase64: rest.beforeBase64 }
    default:
      return { ...rest, ...same }
  }
}

/**
 * Lines of a conflicting file that others wrote after the target: merge keeps them, replace removes them. null until
 * loaded, or if the file has no lines. `version` changes with the plan.
 */
export function useOwnLines(
  client: Client,
  workspace: WorkspaceId,
  conflict: Conflict | null,
  version: string
): PreservedLines | null {
  const [own, setOwn] = useState<PreservedLines | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new version of the plan has new conflicts.
  useEffect(() => {
    let stale = false
    setOwn(null)
    if (!conflict) return
    client.call('file.blame', { workspace, path: conflict.path }).then(
      ({ lines }) => {
        if (!stale) setOwn({ path: conflict.path, lines: ownLines(lines, conflict) })
      },
      // Expected for files that are not stored text: the preview then marks no lines.
      () => {}
    )
    return () => {
      stale = true
    }
  }, [client, workspace, conflict?.path, version])
  return own
}

/** Lines of the conflicting edits, each with a tag that names the writer and the time. */
export function ownLines(lines: readonly BlameLine[], conflict: Conflict): PreservedLines['lines'] {
  return lines.flatMap(({ n, run, at }) => {
    const writer = conflict.by.find((candidate) => candidate.who === (run ?? 'outside') && candidate.at === at)
    if (!writer || at === null) return []
    const name = run === null ? 'yours' : `“${writer.title}”`
    return [{ line: n, tag: `${name}, ${clockWithDay(at)}`, yours: run === null }]
  })
}
