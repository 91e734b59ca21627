/**
 * Everything between the restore dialog and the engine: loads plans, notices when they go stale, applies the shown one.
 * Invariant: only what was shown is applied (RS-2). A plan that differs from it is offered, never swapped in; of
 * overlapping requests for a plan the last one counts; and while a restore runs, the changes it makes itself are not
 * compared.
 */
import { type Dispatch, useCallback, useEffect, useMemo, useReducer, useRef } from 'react'
import { toErrorShape } from '../../../contract/errors.ts'
import type {
  QueuedRestore,
  Resolution,
  Resolutions,
  RestoreMode,
  RestorePlan,
  RestoreRequest,
  RestoreResult
} from '../../../contract/restore.ts'
import { changesConversation, hasResumeInfo } from '../../../contract/words/conversation.ts'
import { withOtherNames } from '../../../contract/words/plan.ts'
import { hasOwnWarning, resultText, staleText } from '../../../contract/words/restores.ts'
import type { WorkspaceId } from '../../../contract/workspace.ts'
import { useDriftline } from '../../client/context.tsx'
import { takesGit, withLostGit } from '../../model/lost-git.ts'
import { announce } from '../../ui/live-region.tsx'
import { applyPlan, CHANGED_DURING_PREPARATION } from './apply-plan.ts'
import { type DialogEvent, type DialogState, explicitResolutions, nextState, OPENED } from './dialog-state.ts'
import { inRowOrder, type Parts, partsOf, tallyOf } from './plan-rows.ts'

export type RestoreState = ReturnType<typeof useRestore>

const NO_PARTS: Parts = { decisions: [], cannot: [], changes: [] }
/** Changes come in bursts: the plan is compared once they pause. */
const SETTLE_MS = 300

/** How the dialog ends. */
export interface RestoreEnds {
  /** After a restore that wrote something or cannot be retried. */
  readonly onDone: (result: RestoreResult) => void
  /** It waits for the end of the run. */
  readonly onQueued: (queued: QueuedRestore) => void
}

/** `firstPlan`: hands out the plan that was requested before the dialog was drawn, if there is one. */
export function useRestore(
  workspace: WorkspaceId,
  request: RestoreRequest,
  ends: RestoreEnds,
  firstPlan?: () => Promise<RestorePlan> | null
) {
  const [state, dispatch] = useReducer(nextState, OPENED)
  // The dialog serves one request, in the chosen mode. A new object with the same request must not plan again.
  const currentRequest = useRef(withLostGit(request))
  const busy = useRef(false)
  const latest = useRef({ state, ends })
  latest.current = { state, ends }

  const loadPlan = useLoadPlan(workspace, currentRequest, dispatch, firstPlan)
  usePlanEvents(workspace, busy, loadPlan, dispatch)
  const run = useRun(workspace, latest, busy, loadPlan, dispatch)

  const { base, newerPlan, resolutions, mode, git, liveChoice, progress } = state
  const ordered = useMemo(() => base && inRowOrder(base), [base])
  const parts = useMemo(() => ordered && partsOf(ordered, resolutions), [ordered, resolutions])
  const isLive = state.liveRuns.length > 0
  const runChosen = (plan: AppliedPlan) => {
    if (parts) void run(currentRequest.current, explicitResolutions(parts, resolutions), plan)
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: only the end of the run matters.
  useEffect(() => {
    if (isLive || liveChoice === 'ask') return
    dispatch({ type: 'live-choice', choice: 'ask' })
    if (liveChoice !== 'override') announce('The run has stopped. You can restore now.')
  }, [isLive])

  return {
    /** The plan without resolutions, which the list shows; null while it is loading. */
    base,
    parts,
    tally: tallyOf(parts ?? NO_PARTS),
    /** The restore changes the conversation. */
    withConversation: changesConversation(base),
    /** The chosen mode; its plan is still loading if it differs from that of `base`. */
    mode: mode ?? base?.mode ?? 'files',
    setMode: (next: RestoreMode) => {
      if (request.kind !== 'restore' || progress) return
      currentRequest.current = { ...currentRequest.current, mode: next } as RestoreRequest
      dispatch({ type: 'mode', mode: next })
      void loadPlan('show')
    },
    /** Items of git to restore, too; their plan is still loading while it differs from that of `base`. */
    git: git ?? chosenGit(base),
    /** null if the choice is fixed. */
    chooseGit: !takesGit(request)
      ? null
      : (items: readonly string[]) => {
          if (progress) return
          currentRequest.current = { ...currentRequest.current, git: items } as RestoreRequest
          dispatch({ type: 'git', git: items })
          void loadPlan('show')
        },
    isLoadingGit: git !== null,
    /** null clears the resolution. [RS-20] Both names of a moved file have the same. */
    resolve: (paths: readonly string[], resolution: Resolution | null) =>
      dispatch({ type: 'resolve', paths: withOtherNames(base?.items ?? [], paths), resolution }),
    error: state.error,
    /** null if no run is live. */
    live: isLive ? liveChoice : null,
    chooseLive: (choice: DialogState['liveChoice']) => dispatch({ type: 'live-choice', choice }),
    /** What changed since the shown plan, null if the plan is current. */
    stale: base && newerPlan ? staleText(base, newerPlan) : null,
    refresh: () => {
      dispatch({ type: 'clear-outcome' })
      // A chosen item may be as it was by now, which no plan can be made of.
      if (state.error !== null) currentRequest.current = withLostGit(request)
      if (newerPlan) dispatch({ type: 'show', plan: newerPlan })
      else void loadPlan('show')
    },
    /** Set while a restore runs. */
    progress,
    result: state.result,
    apply: () => {
      if (!parts || newerPlan || progress || git !== null || (mode && mode !== base?.mode)) return
      dispatch({ type: 'confirmed' })
      if (!isLive || liveChoice !== 'ask') runChosen('shown')
    },
    retry: () => runChosen('newest'),
    undoAll: () => void run({ kind: 'undo' }, {}, 'newest')
  }
}

const chosenGit = (plan: RestorePlan | null): readonly string[] =>
  plan?.git.flatMap(({ item, chosen }) => (chosen ? [item] : [])) ?? []

type LoadPlan = (use: 'show' | 'compare') => Promise<RestorePlan | null>

/**
 * Loads the plan; `compare` keeps the shown one and only notes a difference. null if a later call replaced this one or
 * it failed.
 */
function useLoadPlan(
  workspace: WorkspaceId,
  request: { readonly current: RestoreRequest },
  dispatch: Dispatch<DialogEvent>,
  firstPlan?: () => Promise<RestorePlan> | null
): LoadPlan {
  const { client } = useDriftline()
  const generation = useRef(0)
  const first = useRef(firstPlan)
  const loadPlan = useCallback<LoadPlan>(
    async (use) => {
      const mine = ++generation.current
      const requested = first.current?.()
      first.current = undefined
      try {
        const plan = await (requested ?? client.call('restore.plan', { workspace, request: request.current }))
        if (mine !== generation.current) return null
        dispatch({ type: use, plan })
        return plan
      } catch (reason) {
        if (mine === generation.current) dispatch({ type: 'plan-failed', message: toErrorShape(reason).message })
        return null
      }
    },
    [client, workspace, request, dispatch]
  )
  useEffect(() => {
    void loadPlan('show')
    return () => {
      generation.current++
    }
  }, [loadPlan])
  return loadPlan
}

/** Compares the plan again after changes in the folder and ends of runs, and shows the progress of a restore. */
function usePlanEvents(
  workspace: WorkspaceId,
  busy: { readonly current: boolean },
  loadPlan: LoadPlan,
  dispatch: Dispatch<DialogEvent>
): void {
  const { client } = useDriftline()
  useEffect(() => {
    let timer = 0
    const compareSoon = () => {
      clearTimeout(timer)
      timer = window.setTimeout(() => {
        if (!busy.current) void loadPlan('compare')
      }, SETTLE_MS)
    }
    const unsubscribe = [
      client.on('workspace.changed', (change) => {
        if (change.workspace === workspace) compareSoon()
      }),
      client.on('run.ended', (run) => {
        if (run.workspace === workspace) compareSoon()
      }),
      client.on('restore.progress', (step) => {
        if (step.workspace === workspace && busy.current) dispatch({ type: 'progress', step })
      })
    ]
    return () => {
      clearTimeout(timer)
      for (const stop of unsubscribe) stop()
    }
  }, [client, workspace, busy, loadPlan, dispatch])
}

/** `newest`: the one that the engine makes now, because the shown one was already written in part. */
type AppliedPlan = 'shown' | 'newest'

/** Applies a request. */
function useRun(
  workspace: WorkspaceId,
  latest: { readonly current: { readonly state: DialogState; readonly ends: RestoreEnds } },
  busy: { current: boolean },
  loadPlan: LoadPlan,
  dispatch: Dispatch<DialogEvent>
) {
  const { client } = useDriftline()
  return useCallback(
    async (request: RestoreRequest, resolutions: Resolutions, plan: AppliedPlan) => {
      if (busy.current) return
      busy.current = true
      dispatch({ type: 'started' })
      const { base, resolutions: made, liveChoice, liveRuns } = latest.current.state
      const queues = liveChoice === 'queue' && liveRuns.length > 0 && plan === 'shown'
      let result: RestoreResult | null = null
      let queued: QueuedRestore | null = null
      try {
        const confirmed = {
          workspace,
          request,
          shown: plan === 'shown' ? base : null,
          resolutions,
          asShown:
            Object.keys(made).length === 0 &&
            (base?.conflicts ?? []).every(({ path, choice }) => resolutions[path] === choice)
        }
        const whileLive = liveChoice === 'override' ? { whileLive: true } : {}
        if (queues)
          queued = (await applyPlan(client, confirmed, (agreed) => client.call('restore.queue', agreed))).queued
        else
          result = await applyPlan(client, confirmed, (agreed) =>
            client.call('restore.apply', { ...agreed, ...whileLive })
          )
      } catch (reason) {
        // Expected errors: the disk changed or a run started, and nothing was written. Other messages say what is safe.
        const { code, message } = toErrorShape(reason)
        if (code !== 'PlanStale' && code !== 'RunIsLive') dispatch({ type: 'failed', message })
        else {
          const next = await loadPlan('compare')
          if (next && next.plan === base?.plan && next.live.length === 0)
            dispatch({ type: 'failed', message: CHANGED_DURING_PREPARATION })
        }
      }
      busy.current = false
      const closes = result?.state === 'done' && !hasResumeInfo(result) && !hasOwnWarning(result)
      dispatch({ type: 'ended', result: closes ? null : result })
      if (queued) latest.current.ends.onQueued(queued)
      if (!result) return
      if (closes) latest.current.ends.onDone(result)
      else announce(resultText(result).title, 'assertive')
    },
    [client, workspace, latest, busy, loadPlan, dispatch]
  )
}
