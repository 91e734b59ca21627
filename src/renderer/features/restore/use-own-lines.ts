/** Lines of a conflicting file that others wrote after the target: merge keeps them, replace removes them. */
import { useEffect, useState } from 'react'
import type { Client } from '../../../contract/api.ts'
import type { BlameLine } from '../../../contract/log.ts'
import type { Conflict } from '../../../contract/restore.ts'
import { clockWithDay } from '../../../contract/words/times.ts'
import type { WorkspaceId } from '../../../contract/workspace.ts'
import type { PreservedLines } from '../diff/preserved-lines.ts'

/** null until loaded, or if the file has no lines. `version` changes with the plan. */
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
