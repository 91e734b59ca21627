/**
 * Recording a folder from the welcome screen.
 *
 *   rest --drop--> file | which (the folder's path is unknown) --choice--> adding
 *   rest --folder--> adding --> copying --> (opened)     adding --refused--> asking | failed --> rest
 *                                       --> protected, if the first screen still has a step to show
 */
import { useCallback, useEffect, useRef, useState } from 'react'
import { type ErrorShape, toErrorShape } from '../../../contract/errors.ts'
import type { CopyProgress, ExcludedPath, Workspace } from '../../../contract/workspace.ts'
import { useDriftline } from '../../client/context.tsx'
import { announce } from '../../ui/live-region.tsx'
import type { Dropped } from './drop.ts'

type AddState =
  | { readonly at: 'rest' }
  | { readonly at: 'file'; readonly name: string; readonly path: string }
  | { readonly at: 'which'; readonly name: string; readonly folders: readonly string[] }
  | { readonly at: 'adding'; readonly folder: string }
  | { readonly at: 'asking' | 'failed'; readonly folder: string; readonly error: ErrorShape }
  | {
      readonly at: 'copying'
      readonly workspace: Workspace
      readonly copy: CopyProgress | null
      readonly excluded: readonly ExcludedPath[]
    }
  | { readonly at: 'protected'; readonly workspace: Workspace }

export type AddFolder = ReturnType<typeof useAddFolder>

/** `onAdded` is called when the workspace can open. `stays`: the first screen has another step after the snapshot. */
export function useAddFolder(onAdded: (workspace: string) => void, stays: boolean) {
  const { client } = useDriftline()
  const [state, setState] = useState<AddState>({ at: 'rest' })
  const staying = useRef(stays)
  useEffect(() => {
    staying.current = stays
  }, [stays])
  const finish = useCallback(
    (workspace: Workspace) => {
      if (!staying.current) return onAdded(workspace.id)
      setState({ at: 'protected', workspace })
      announce(`${workspace.name} is protected.`)
    },
    [onAdded]
  )

  const add = async (folder: string, confirmed = false): Promise<void> => {
    setState({ at: 'adding', folder })
    try {
      const result = await client.call('workspaces.add', { folder, wait: false, confirmed })
      if (result.complete) return finish(result.workspace)
      setState({ at: 'copying', workspace: result.workspace, copy: null, excluded: result.notCovered })
      announce(`Creating the initial snapshot of ${result.workspace.name}.`)
    } catch (thrown) {
      const error = toErrorShape(thrown)
      const asks = error.code === 'NeedsConfirmation' || error.code === 'HistoryLost'
      setState({ at: asks ? 'asking' : 'failed', folder, error })
    }
  }

  const dropped = async (reading: Promise<Dropped | null>): Promise<void> => {
    const found = await reading
    if (!found) return
    if (!found.isFolder) return setState({ at: 'file', name: found.name, path: found.path })
    if (found.path) return void add(found.path)
    try {
      const { folders } = await client.call('workspaces.suggest', { name: found.name, children: found.children })
      setState({ at: 'which', name: found.name, folders })
    } catch (thrown) {
      setState({ at: 'failed', folder: found.name, error: toErrorShape(thrown) })
    }
  }

  const workspace = state.at === 'copying' ? state.workspace : null
  const copying = workspace?.id ?? null
  useCopyProgress(workspace, finish, (progress) =>
    setState((now) => (now.at === 'copying' ? { ...now, ...progress } : now))
  )

  return {
    state,
    add: (folder: string, confirmed?: boolean) => void add(folder, confirmed),
    dropped: (reading: Promise<Dropped | null>) => void dropped(reading),
    stopCopy: () => {
      if (copying === null) return
      client.call('workspaces.stopCopy', { workspace: copying }).then(
        () => onAdded(copying),
        (thrown: unknown) => setState({ at: 'failed', folder: copying, error: toErrorShape(thrown) })
      )
    },
    reset: () => setState({ at: 'rest' })
  }
}

type Progress = Partial<Pick<Extract<AddState, { at: 'copying' }>, 'copy' | 'excluded'>>

/** Follows the initial snapshot of `workspace`, if one runs, and calls `onDone` when it is complete or was stopped. */
function useCopyProgress(
  workspace: Workspace | null,
  onDone: (workspace: Workspace) => void,
  onProgress: (progress: Progress) => void
): void {
  const { client } = useDriftline()
  const latest = useRef(onProgress)
  latest.current = onProgress
  useEffect(() => {
    if (workspace === null) return
    const stop = client.on('coverage.changed', (event) => {
      if (event.workspace !== workspace.id) return
      if (event.coverage === 'copying') latest.current({ copy: event.copy })
      else onDone(workspace)
    })
    // The snapshot may have ended before the listener was added.
    client.call('workspace.status', { workspace: workspace.id, check: false }).then(
      (status) => {
        if (status.coverage === 'copying') latest.current({ copy: status.copy, excluded: status.notCovered })
        else onDone(workspace)
      },
      (error: unknown) => {
        // Only the progress is missing; an event still reports the end.
        if (toErrorShape(error).code !== 'Disconnected') console.warn('no status of the initial snapshot', error)
      }
    )
    return stop
  }, [client, workspace, onDone])
}
