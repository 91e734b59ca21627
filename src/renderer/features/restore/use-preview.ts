/** What the preview of one planned file shows: its diff, and the lines in it that others wrote. */
import { hashKey } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, useState } from 'react'
import type { Params } from '../../../contract/api.ts'
import type { FileDiff } from '../../../contract/diff.ts'
import type { BlameLine, BlamePage } from '../../../contract/log.ts'
import type { Conflict } from '../../../contract/restore.ts'
import { clip } from '../../../contract/words/text.ts'
import { clockWithDay } from '../../../contract/words/times.ts'
import type { WorkspaceId } from '../../../contract/workspace.ts'
import { useDriftline } from '../../client/context.tsx'
import { useQuery } from '../../client/use-query.ts'
import type { PreservedLines } from '../diff/preserved-lines.ts'
import { type FileDiffState, useLoadedDiff } from '../diff/use-file-diff.ts'

interface Preview extends FileDiffState {
  /** Changed lines, null if they cannot be counted, and until they are. */
  readonly counts: { readonly added: number; readonly deleted: number } | null
}

/** `version` changes with the plan, so that a new plan reloads the preview. `params` null: no file is selected. */
export function usePreview(params: Params<'restore.preview'> | null, version: string): Preview {
  const { data, current, loading, error, refetch } = useQuery('restore.preview', params, { keep: true })
  const loadedVersion = useRef(version)
  useEffect(() => {
    if (loadedVersion.current !== version) refetch()
    loadedVersion.current = version
  }, [version, refetch])
  const unchanged = params?.side === 'result' && params.resolutions?.[params.path] === 'keep'
  const diff = useMemo(() => data && (unchanged ? unchangedDiff(data) : data), [data, unchanged])
  const loaded = useLoadedDiff(diff, current, params ? hashKey([params]) : '', false)
  return {
    loaded,
    current,
    loading,
    error: error?.message ?? null,
    newerEdits: 0,
    reload: refetch,
    counts: current ? (data?.counts ?? null) : null
  }
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
export function useOwnLines(workspace: WorkspaceId, conflict: Conflict | null, version: string): PreservedLines | null {
  const { client } = useDriftline()
  const [own, setOwn] = useState<PreservedLines | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new version of the plan has new conflicts.
  useEffect(() => {
    let stale = false
    setOwn(null)
    if (!conflict) return
    allLines((from) => client.call('file.blame', { workspace, path: conflict.path, from })).then(
      (lines) => {
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

async function allLines(read: (from: number) => Promise<BlamePage>): Promise<BlameLine[]> {
  const lines: BlameLine[] = []
  for (let from: number | null = 1; from !== null; ) {
    const page: BlamePage = await read(from)
    lines.push(...page.lines)
    from = page.next
  }
  return lines
}

/** Monaco divides more than 50 characters, and each part would be a tag of its own. */
const TITLE_WIDTH = 28

/** Lines of the conflicting edits, each with a tag that names the writer and the time. */
export function ownLines(lines: readonly BlameLine[], conflict: Conflict): PreservedLines['lines'] {
  return lines.flatMap(({ n, run, at }) => {
    const writer = conflict.by.find((candidate) => candidate.who === (run ?? 'outside') && candidate.at === at)
    if (!writer || at === null) return []
    const name = run === null ? 'yours' : `“${clip(writer.title, TITLE_WIDTH)}”`
    return [{ line: n, tag: `${name}, ${clockWithDay(at)}`, yours: run === null }]
  })
}
