/**
 * State of the restore dialog: plan, resolutions, live runs, stale plans, and the result.
 * Invariant: only a plan that was shown to the person is applied.
 */
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { EngineEvents } from '../../../contract/api.ts'
import { DriftlineError, toErrorShape } from '../../../contract/errors.ts'
import type {
  Resolution,
  Resolutions,
  RestoreMode,
  RestorePlan,
  RestoreRequest,
  RestoreResult
} from '../../../contract/restore.ts'
import { changesConversation, hasResumeInfo } from '../../../contract/words/conversation.ts'
import { resultText, staleText } from '../../../contract/words/restore-dialog.ts'
import type { WorkspaceId } from '../../../contract/workspace.ts'
import { useDriftline } from '../../client/context.tsx'
import { announce } from '../../ui/live-region.tsx'
import { type Parts, partsOf, tallyOf } from './plan-rows.ts'

export type Progress = Pick<EngineEvents['restore.progress'], 'phase' | 'done' | 'total' | 'path'>

/**
 * What to do while a run is live: `ask` nothing chosen yet; `wait` for its end; `armed` restore the shown preview at
 * its end; `override` restore now.
 */
type LiveChoice = 'ask' | 'wait' | 'armed' | 'override'

export type RestoreState = ReturnType<typeof useRestore>

const NO_PARTS: Parts = { decisions: [], cannot: [], changes: [] }
/** Changes come in bursts: the plan is compared once they pause. */
const SETTLE_MS = 300
const CHANGED_DURING_PREPARATION = 'Files changed during preparation. Nothing was written. Retry.'

export function useRestore(workspace: WorkspaceId, request: RestoreRequest, onDone: (result: RestoreResult) => void) {
  const { client } = useDriftline()
  const [base, setBase] = useState<RestorePlan | null>(null)
  /** A newer plan than the shown one; set only if they differ. */
  const [newerPlan, setNewerPlan] = useState<RestorePlan | null>(null)
  const [resolutions, setResolutions] = useState<Resolutions>({})
  const [error, setError] = useState<string | null>(null)
  const [liveChoice, setLiveChoice] = useState<LiveChoice>('ask')
  const [progress, setProgress] = useState<Progress | null>(null)
  const [result, setResult] = useState<RestoreResult | null>(null)
  const [liveRuns, setLiveRuns] = useState<RestorePlan['live']>([])
  const [mode, setMode] = useState<RestoreMode | null>(null)
  const generation = useRef(0)
  const busy = useRef(false)
  const latest = useRef({ base, resolutions, onDone, liveChoice })
  latest.current = { base, resolutions, onDone, liveChoice }
  // The dialog serves one request, in the chosen mode. A new object with the same request must not plan again.
  const currentRequest = useRef(request)

  // A person confirmed what was shown at that time: any later change needs a new confirmation.
  const disarm = useCallback(() => setLiveChoice((before) => (before === 'armed' ? 'wait' : before)), [])

  const showPlan = useCallback(
    (plan: RestorePlan) => {
      disarm()
      setBase(plan)
      setNewerPlan(null)
      setError(null)
      setLiveRuns(plan.live)
      // In mode `conversation` the plan has no files: the resolutions are kept for when the mode changes back.
      if (plan.mode !== 'conversation') setResolutions((before) => validResolutions(before, plan))
    },
    [disarm]
  )

  /**
   * Loads the plan; `compare` keeps the shown one and only notes a difference. null if a later call replaced this one
   * or it failed.
   */
  const loadPlan = useCallback(
    async (use: 'show' | 'compare'): Promise<RestorePlan | null> => {
      const mine = ++generation.current
      try {
        const next = await client.call('restore.plan', { workspace, request: currentRequest.current })
        if (mine !== generation.current) return null
        const shown = latest.current.base
        setLiveRuns(next.live)
        if (use === 'show' || !shown) showPlan(next)
        else setNewerPlan(next.plan === shown.plan ? null : next)
        return next
      } catch (reason) {
        // An error replaces the preview only if there is none; else the next event loads the plan again.
        if (mine === generation.current && !latest.current.base) setError(toErrorShape(reason).message)
        return null
      }
    },
    [client, workspace, showPlan]
  )

  useEffect(() => {
    void loadPlan('show')
    return () => {
      generation.current++
    }
  }, [loadPlan])

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
        if (step.workspace === workspace && busy.current) setProgress(step)
      })
    ]
    return () => {
      clearTimeout(timer)
      for (const stop of unsubscribe) stop()
    }
  }, [client, workspace, loadPlan])

  const parts = useMemo(() => (base ? partsOf(base, resolutions) : null), [base, resolutions])
  const isLive = liveRuns.length > 0

  /** Applies a request. `retrying` applies the engine's current plan: the shown one was already written in part. */
  const run = useCallback(
    async (applied: RestoreRequest, chosen: Resolutions, retrying = false) => {
      if (busy.current) return
      busy.current = true
      setResult(null)
      setProgress({ phase: 'stage', done: 0, total: 0, path: '' })
      const override = latest.current.liveChoice === 'override'
      const attempt = (plan: string | null) =>
        client.call('restore.apply', {
          workspace,
          request: applied,
          resolutions: chosen,
          ...(plan === null ? {} : { plan }),
          ...(override ? { whileLive: true } : {})
        })
      const { base: shown, resolutions: made } = latest.current
      try {
        let outcome: RestoreResult | null = retrying ? await attempt(null) : null
        if (!outcome && shown && Object.keys(made).length === 0) outcome = await attempt(shown.plan).catch(nullIfStale)
        if (!outcome) {
          // Resolutions make another plan. It is valid only if the disk has not changed since the shown plan.
          const planned = await client.call('restore.plan', { workspace, request: applied, resolutions: chosen })
          if (shown && diskDiffersFrom(shown, planned))
            throw new DriftlineError('PlanStale', CHANGED_DURING_PREPARATION)
          outcome = await attempt(planned.plan)
        }
        if (outcome.state === 'done' && !hasResumeInfo(outcome)) {
          latest.current.onDone(outcome)
          return
        }
        announce(resultText(outcome).title, 'assertive')
        setResult(outcome)
      } catch (reason) {
        // Expected errors: the disk changed or a run started, and nothing was written. Other messages say what is safe.
        const { code, message } = toErrorShape(reason)
        if (code === 'PlanStale' || code === 'RunIsLive') {
          const next = await loadPlan('compare')
          if (next && next.plan === shown?.plan && next.live.length === 0) setError(CHANGED_DURING_PREPARATION)
        } else setError(message)
      } finally {
        busy.current = false
        setProgress(null)
      }
    },
    [client, workspace, loadPlan]
  )

  // biome-ignore lint/correctness/useExhaustiveDependencies: only the end of the run matters, with the preview of that moment.
  useEffect(() => {
    const { liveChoice: before } = latest.current
    if (isLive || before === 'ask') return
    setLiveChoice('ask')
    // A newer plan means that the run changed files the person has not seen: the restore does not start by itself.
    if (before === 'armed' && parts && !newerPlan)
      void run(currentRequest.current, explicitResolutions(parts, resolutions))
    else if (before !== 'override') announce('The run has stopped. You can restore now.')
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
      currentRequest.current = { ...request, mode: next }
      setMode(next)
      disarm()
      void loadPlan('show')
    },
    /** null clears the resolution. */
    resolve: (paths: readonly string[], resolution: Resolution | null) => {
      disarm()
      setResolutions((before) => withResolution(before, paths, resolution))
    },
    error,
    /** null if no run is live. */
    live: isLive ? liveChoice : null,
    chooseLive: setLiveChoice,
    /** What changed since the shown plan, null if the plan is current. */
    stale: base && newerPlan ? staleText(base, newerPlan) : null,
    refresh: () => {
      setError(null)
      setResult(null)
      if (newerPlan) showPlan(newerPlan)
      else void loadPlan('show')
    },
    /** Set while a restore runs. */
    progress,
    result,
    apply: () => {
      if (!parts || newerPlan || progress || (mode && mode !== base?.mode)) return
      setError(null)
      if (isLive && liveChoice === 'wait') {
        setLiveChoice('armed')
        announce('The restore starts when the run stops.')
      }
      if (isLive && liveChoice !== 'override') return
      void run(currentRequest.current, explicitResolutions(parts, resolutions))
    },
    retry: () => void (parts && run(currentRequest.current, explicitResolutions(parts, resolutions), true)),
    undoAll: () => void run({ kind: 'undo' }, {}, true)
  }
}

/** Turns a stale plan into null, so that the caller plans again. */
function nullIfStale(reason: unknown): null {
  if (toErrorShape(reason).code === 'PlanStale') return null
  throw reason
}

/** Resolutions with the shown defaults added: the engine must not apply a default that the person did not see. */
export function explicitResolutions(parts: Parts, resolutions: Resolutions): Resolutions {
  return { ...resolutions, ...Object.fromEntries(parts.decisions.map((row) => [row.id, row.resolution])) }
}

/** Whether the disk differs from what the shown plan started from. Resolutions do not count. */
export function diskDiffersFrom(shown: RestorePlan, now: RestorePlan): boolean {
  const before = new Map(shown.items.map((item) => [item.path, JSON.stringify(item.before)]))
  if (now.conflicts.length !== shown.conflicts.length) return true
  return now.items.some(
    (item) =>
      item.action !== 'mkdir' && item.action !== 'rmdir' && before.get(item.path) !== JSON.stringify(item.before)
  )
}

function withResolution(before: Resolutions, paths: readonly string[], resolution: Resolution | null): Resolutions {
  const next: Record<string, Resolution> = { ...before }
  for (const path of paths) {
    if (resolution === null) delete next[path]
    else next[path] = resolution
  }
  return next
}

/** Resolutions that are still possible: of paths in the plan, and merges that are still clean. */
export function validResolutions(resolutions: Resolutions, plan: RestorePlan): Resolutions {
  const mergeable = new Map(plan.conflicts.map((conflict) => [conflict.path, conflict.mergeable]))
  const paths = new Set(plan.items.map((item) => item.path))
  return Object.fromEntries(
    Object.entries(resolutions).filter(
      ([path, resolution]) =>
        (paths.has(path) || mergeable.has(path)) && (resolution !== 'merge' || mergeable.get(path) === true)
    )
  )
}
