/** Which lines of a file in conflict a person wrote after the point it goes back to: the ones a merge keeps. */
import { useEffect, useState } from 'react'
import type { Client } from '../../../contract/api.ts'
import type { BlameLine, Conflict, WorkspaceId } from '../../../contract/domain.ts'
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
    // Where nothing merges, lines of several writers cannot be told apart either.
    if (!conflict?.mergeable) return
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

/** Lines of the outside edits that the conflict is about, with the words of their tag. */
export function ownLines(lines: readonly BlameLine[], conflict: Conflict): OwnLines['lines'] {
  const times = new Set(conflict.by.filter(({ who }) => who === 'outside').map(({ at }) => at))
  return lines.flatMap(({ n, origin, at }) =>
    origin === 'outside' && at !== null && times.has(at) ? [{ line: n, tag: `yours, ${clock(at)}` }] : []
  )
}
