/** Loads one file of a comparison. The old one stays until the new one is there; replies that come late are dropped. */
import { useCallback, useEffect, useRef, useState } from 'react'
import type { Client } from '../../../contract/api.ts'
import type { FileChange, FileDiff } from '../../../contract/diff.ts'
import type { WorkspaceId } from '../../../contract/workspace.ts'
import type { Selection } from '../files/selection.ts'
import type { Part } from './interleaved.tsx'
import { asPicture } from './svg.ts'

type FileName = Pick<FileChange, 'path' | 'oldPath'>

export interface LoadedDiff {
  readonly diff: FileDiff
  /** Names what is shown: it changes with the file and its content, not with what was decided about it. */
  readonly key: string
  readonly path: string
  readonly full: boolean
  /** What it was loaded for. */
  readonly of: string
}

export interface FileDiffState {
  readonly loaded: LoadedDiff | null
  /** What is loaded is what was asked for last, and not the file or comparison before. */
  readonly current: boolean
  readonly loading: boolean
  readonly error: string | null
  /** Edits of this file made since it was loaded; it is never swapped by itself. */
  readonly newer: number
  readonly reload: () => void
  readonly loadFull: () => void
}

/** What the last load was made for; `settled` is false while its positions may still be those of another comparison. */
interface Opened {
  readonly identity: string
  readonly path: string | null
  readonly fromSeq: number
  readonly toSeq: number | null
  readonly settled: boolean
  readonly part: Part
}

const SETTLE_MS = 300

export function useFileDiff(
  client: Client,
  workspace: WorkspaceId,
  selection: Selection,
  file: FileName | null,
  follows: boolean,
  part: Part = 'own'
): FileDiffState {
  const [loaded, setLoaded] = useState<LoadedDiff | null>(null)
  const [loading, setLoading] = useState(false)
  const [error, setError] = useState<string | null>(null)
  const [newer, setNewer] = useState(0)
  const turn = useRef(0)
  const latest = useRef({ client, workspace, selection, file, part })
  latest.current = { client, workspace, selection, file, part }
  const path = file?.path ?? null
  const identity = identityOf(workspace, selection)

  const load = useCallback((full: boolean) => {
    const now = latest.current
    const mine = ++turn.current
    setNewer(0)
    if (!now.file) {
      setLoaded(null)
      setLoading(false)
      setError(null)
      return
    }
    const { path: wanted, oldPath } = now.file
    const { fromSeq, toSeq, run } = now.selection
    setLoading(true)
    now.client
      .call('diff.file', {
        workspace: now.workspace,
        path: wanted,
        fromSeq,
        toSeq,
        ...(oldPath === undefined ? {} : { oldPath }),
        ...(run === undefined || now.part === 'all' ? {} : { run }),
        ...(run !== undefined && now.part === 'others' ? { others: true } : {}),
        ...(full ? { full } : {})
      })
      .then(
        (diff) => {
          if (mine !== turn.current) return
          const next = asPicture(diff)
          // The same content with other marks is not a new text: nothing on screen moves.
          setLoaded((old) => ({
            diff: next,
            key: old?.of === nameOf(now) && old.full === full && sameContent(old.diff, next) ? old.key : `${mine}`,
            path: wanted,
            full,
            of: nameOf(now)
          }))
          setError(null)
          setLoading(false)
        },
        (reason: unknown) => {
          if (mine !== turn.current) return
          setError(reason instanceof Error ? reason.message : String(reason))
          setLoading(false)
        }
      )
  }, [])

  const { fromSeq, toSeq } = selection
  const opened = useRef<Opened | null>(null)
  useEffect(() => {
    const last = opened.current
    const now = { identity, path, fromSeq, toSeq, part }
    if (last && last.identity !== identity && last.fromSeq === fromSeq && last.toSeq === toSeq && path !== null) {
      // A new comparison that still carries the positions of the last one: the list of files is on its way.
      opened.current = { ...now, settled: false }
      setLoading(true)
      const timer = setTimeout(() => load(false), SETTLE_MS)
      return () => clearTimeout(timer)
    }
    const movedOn =
      last?.settled &&
      last.identity === identity &&
      last.path === path &&
      last.fromSeq === fromSeq &&
      last.part === part
    opened.current = { ...now, settled: true }
    // A live run moves its end on and on; what is open stays what it was until a person asks for more.
    if (!movedOn || last.toSeq === toSeq) load(false)
  }, [identity, path, fromSeq, toSeq, part, load])

  useEffect(() => {
    if (path === null) return
    return client.on('workspace.changed', (change) => {
      if (change.workspace !== workspace) return
      const touched = change.paths.includes(path)
      // What a person takes back here is what they want to see at once; of what is over, only the marks can change.
      if (change.kinds.includes('restores') && (touched || !follows)) load(false)
      else if (follows && touched) setNewer((n) => n + 1)
    })
  }, [client, workspace, path, follows, load])

  const reload = useCallback(() => load(false), [load])
  const loadFull = useCallback(() => load(true), [load])
  const current = loaded !== null && loaded.of === nameOf({ workspace, selection, file, part })
  return { loaded, current, loading, error, newer, reload, loadFull }
}

function identityOf(workspace: WorkspaceId, { target, to, run }: Selection): string {
  return `${workspace} ${target} ${to ?? ''} ${run ?? ''}`
}

interface Asked {
  readonly workspace: WorkspaceId
  readonly selection: Selection
  readonly file: FileName | null
  readonly part: Part
}

function nameOf({ workspace, selection, file, part }: Asked): string {
  return `${identityOf(workspace, selection)} ${part} ${file?.path ?? ''}`
}

function sameContent(a: FileDiff, b: FileDiff): boolean {
  const content = ({ takenBack: _taken, ...rest }: FileDiff) =>
    JSON.stringify({ ...rest, hunks: 'hunks' in rest ? rest.hunks?.map(({ takenBack: _, ...hunk }) => hunk) : null })
  return content(a) === content(b)
}
