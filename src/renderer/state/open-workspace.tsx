/**
 * Provides the store and the actions of an open workspace to its panes. Both are made once per workspace and never
 * change, so the context itself renders nothing: panes render by their selectors.
 */
import { createContext, type DragEvent, type ReactNode, useContext, useMemo, useState } from 'react'
import { useStore } from 'zustand'
import { useShallow } from 'zustand/react/shallow'
import type { LineSelection, RestoreRequest } from '../../contract/restore.ts'
import type { Workspace } from '../../contract/workspace.ts'
import { fragmentOf, readAddress } from '../client/address.ts'
import { useDriftline } from '../client/context.tsx'
import { dragFiles } from '../client/drag-files.ts'
import { useToasts } from '../features/toast/toasts.tsx'
import type { PaneHandles } from './action-deps.ts'
import { createActions, type WorkspaceActions } from './actions.ts'
import { comparisonKey, undoFilesRequest, undoPartsRequest } from './comparison.ts'
import { type Review, reviewOf } from './reviews.ts'
import { createWorkspaceStore, NO_FILES, type WorkspaceState, type WorkspaceStore } from './store.ts'
import { useEditor } from './use-editor.ts'

interface OpenWorkspace {
  readonly workspace: Workspace
  readonly store: WorkspaceStore
  readonly actions: WorkspaceActions
  readonly handles: PaneHandles
}

const Context = createContext<OpenWorkspace | null>(null)

/** Mount it anew for another workspace. */
export function WorkspaceProvider({
  workspace,
  children
}: {
  readonly workspace: Workspace
  readonly children: ReactNode
}) {
  const { client, queries } = useDriftline()
  const toasts = useToasts()
  const [parts] = useState(() => {
    const store = createWorkspaceStore(workspace.id)
    const handles: PaneHandles = { timeline: { current: null }, review: { current: null } }
    return { store, handles, actions: createActions({ id: workspace.id, store, handles, client, queries, toasts }) }
  })
  const value = useMemo(() => ({ workspace, ...parts }), [workspace, parts])
  return <Context value={value}>{children}</Context>
}

/** Throws outside the provider. */
export function useOpenWorkspace(): OpenWorkspace {
  const value = useContext(Context)
  if (!value) throw new Error('useOpenWorkspace needs a WorkspaceProvider above it')
  return value
}

/** Renders again only if the selected part changes. */
export function useWorkspaceState<T>(selector: (state: WorkspaceState) => T): T {
  return useStore(useOpenWorkspace().store, selector)
}

/** Parts of the state by their names. */
export function useWorkspaceFields<K extends keyof WorkspaceState>(...fields: readonly K[]): Pick<WorkspaceState, K> {
  const pick = (state: WorkspaceState) => Object.fromEntries(fields.map((field) => [field, state[field]]))
  return useStore(useOpenWorkspace().store, useShallow(pick)) as Pick<WorkspaceState, K>
}

export function useActions(): WorkspaceActions {
  return useOpenWorkspace().actions
}

/** The review of the diff on screen. */
export function useReview(): Review {
  const { workspace, store } = useOpenWorkspace()
  const scope = useWorkspaceState(({ query }) => `${workspace.id} ${query ? comparisonKey(query) : ''}`)
  const stored = useWorkspaceState(({ reviews }) => reviews.find(([key]) => key === scope))
  const files = useWorkspaceState(({ diff }) => diff?.files ?? NO_FILES)
  return useMemo(
    () => reviewOf(stored, scope, files, (change) => store.setState(({ reviews }) => ({ reviews: change(reviews) }))),
    [stored, scope, files, store]
  )
}

/**
 * Why nothing can be kept now, null if it can. Reviews are stored in this browser, which needs no connection; to keep
 * outside changes is to accept them, which the recorder does.
 */
export function useKeepUnavailable(): string | null {
  return useWorkspaceState(({ selection, offline }) => (selection?.drift ? offline : null))
}

/** What a person does with files of the diff on screen. */
export function useFileActions() {
  const { workspace, store, actions } = useOpenWorkspace()
  const { platform, host } = useDriftline()
  const editor = useEditor()
  const drift = useWorkspaceState(({ selection }) => (selection?.drift ? (selection.run ?? null) : null))
  const { id, root } = workspace
  const canDrag = host === null && !workspace.bundle
  return useMemo(() => {
    const { reveal } = platform
    const preview = (request: RestoreRequest | null) => {
      if (request) actions.openPreview(request)
    }
    const absolute = (path: string) => `${root}/${path}`
    return {
      /** From the root of the disk. */
      absolute,
      undo: (paths: readonly string[]) => preview(undoFilesRequest(store.getState(), paths)),
      /** Undoes one hunk; `n`: its number in the file's `hunks`. */
      undoHunk: (path: string, n: number) => preview(undoPartsRequest(store.getState(), { hunks: { [path]: [n] } })),
      undoLines: (path: string, lines: readonly LineSelection[]) =>
        preview(undoPartsRequest(store.getState(), { lines: { [path]: lines } })),
      /** Accepts the outside changes of files; null if none are under review. */
      accept: drift === null ? null : (paths: readonly string[]) => actions.accept(drift, paths),
      /** Undefined where the host cannot do it. */
      openInEditor: editor && ((path: string, line?: number) => editor(absolute(path), line)),
      reveal: reveal && ((path: string) => void reveal(absolute(path))),
      /** In a window or tab of its own. */
      openApart: (path: string) => {
        const shown = readAddress()
        const entry = shown.entry || (store.getState().selection?.run ?? '')
        platform.openWindow(fragmentOf({ ...shown, open: id, entry, file: path }))
      },
      /** Lets another program have the files that are dragged. Undefined for files that are not on this computer. */
      drag: canDrag
        ? (event: DragEvent, paths: readonly string[]) => dragFiles(platform, event, paths.map(absolute))
        : undefined
    }
  }, [id, root, canDrag, store, actions, platform, editor, drift])
}
