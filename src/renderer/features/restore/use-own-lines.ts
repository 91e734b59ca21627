/** Which lines of a file in conflict others wrote after the point it goes back to: a merge keeps them, Replace drops them. */
import { useEffect, useState } from 'react'
import type { Client } from '../../../contract/api.ts'
import type { BlameLine } from '../../../contract/log.ts'
import type { Conflict } from '../../../contract/restore.ts'
import type { WorkspaceId } from '../../../contract/workspace.ts'
import type { OwnLines } from '../diff/own-lines.ts'
import { clock } from './restore-words.ts'

/** Null until it is known, or where lines cannot be told apart. `version` changes when the plan does. */
export function useOwnLines(
  client: Client,
  workspace: WorkspaceId,
  conflict: Conflict | null,
  version: string
): OwnLines | null {
  const [own, setOwn] = useState<OwnLines | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new version of the plan has new conflicts.
  useEffect(() => {
    let gone = false
    setOwn(null)
    if (!conflict) return
    client.call('file.blame', { workspace, path: conflict.path }).then(
      ({ lines }) => {
        if (!gone) setOwn({ path: conflict.path, lines: ownLines(lines, conflict) })
      },
      // Expected: the file is not kept text. The preview does without the tint.
      () => {}
    )
    return () => {
      gone = true
    }
  }, [client, workspace, conflict?.path, version])
  return own
}

/** Lines of the edits that the conflict is about, with the words of their tag. */
export function ownLines(lines: readonly BlameLine[], conflict: Conflict): OwnLines['lines'] {
  return lines.flatMap(({ n, run, at }) => {
    const by = conflict.by.find((writer) => writer.who === (run ?? 'outside') && writer.at === at)
    if (!by || at === null) return []
    const who = run === null ? 'yours' : `“${by.title}”`
    return [{ line: n, tag: `${who}, ${clock(at)}`, yours: run === null }]
  })
}
