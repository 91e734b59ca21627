/**
 * What the restore dialog knows, as data: the plan it shows, the person's choices, live runs, and the restore that
 * runs. Pure: `use-restore.ts` calls the engine and hands in what came of it.
 */
import type { EngineEvents } from '../../../contract/api.ts'
import type { Resolution, Resolutions, RestoreMode, RestorePlan, RestoreResult } from '../../../contract/restore.ts'
import type { Parts } from './plan-rows.ts'

export type Progress = Pick<EngineEvents['restore.progress'], 'phase' | 'done' | 'total' | 'path'>

/** What to do while a run is live: `ask` nothing chosen yet; `queue` the restore until its end; `override` restore now. */
type LiveChoice = 'ask' | 'queue' | 'override'

export interface DialogState {
  /** The plan without resolutions, which the list shows; null while it is loading. */
  readonly base: RestorePlan | null
  /** A newer plan than the shown one; set only if they differ. */
  readonly newerPlan: RestorePlan | null
  readonly resolutions: Resolutions
  /** The chosen mode; null for the plan's own. */
  readonly mode: RestoreMode | null
  /** Chosen items of git whose plan is loading; null for the plan's own. */
  readonly git: readonly string[] | null
  readonly liveRuns: RestorePlan['live']
  readonly liveChoice: LiveChoice
  readonly error: string | null
  /** Set while a restore runs. */
  readonly progress: Progress | null
  readonly result: RestoreResult | null
}

export const OPENED: DialogState = {
  base: null,
  newerPlan: null,
  resolutions: {},
  mode: null,
  git: null,
  liveRuns: [],
  liveChoice: 'ask',
  error: null,
  progress: null,
  result: null
}

export type DialogEvent =
  /** A plan arrived: to be shown, or to be compared with the shown one. */
  | { readonly type: 'show' | 'compare'; readonly plan: RestorePlan }
  /** No plan could be loaded. An error replaces the preview only if there is none; the next change loads it again. */
  | { readonly type: 'plan-failed'; readonly message: string }
  /** null clears the resolution. */
  | { readonly type: 'resolve'; readonly paths: readonly string[]; readonly resolution: Resolution | null }
  | { readonly type: 'mode'; readonly mode: RestoreMode }
  /** null: the choice is the plan's own again. */
  | { readonly type: 'git'; readonly git: readonly string[] | null }
  | { readonly type: 'live-choice'; readonly choice: LiveChoice }
  | { readonly type: 'clear-outcome' | 'confirmed' | 'started' }
  | { readonly type: 'progress'; readonly step: Progress }
  | { readonly type: 'ended'; readonly result: RestoreResult | null }
  | { readonly type: 'failed'; readonly message: string }

/** What follows from an event. */
export function nextState(state: DialogState, event: DialogEvent): DialogState {
  switch (event.type) {
    case 'show':
      return shown(state, event.plan)
    case 'compare':
      return state.base
        ? {
            ...state,
            liveRuns: event.plan.live,
            newerPlan: event.plan.plan === state.base.plan ? null : event.plan
          }
        : shown(state, event.plan)
    case 'plan-failed':
      return state.base ? state : { ...state, error: event.message }
    case 'resolve':
      return { ...state, resolutions: withResolution(state.resolutions, event.paths, event.resolution) }
    case 'mode':
      return { ...state, mode: event.mode }
    case 'git':
      return { ...state, git: event.git }
    case 'live-choice':
      return { ...state, liveChoice: event.choice }
    case 'confirmed':
      return { ...state, error: null }
    case 'clear-outcome':
      return { ...state, error: null, result: null }
    case 'started':
      return { ...state, result: null, progress: { phase: 'stage', done: 0, total: 0, path: '' } }
    case 'progress':
      return { ...state, progress: event.step }
    case 'ended':
      return { ...state, progress: null, result: event.result }
    case 'failed':
      return { ...state, progress: null, error: event.message }
  }
}

function shown(state: DialogState, plan: RestorePlan): DialogState {
  return {
    ...state,
    base: plan,
    newerPlan: null,
    git: null,
    error: null,
    liveRuns: plan.live,
    // In mode `conversation` the plan has no files: the resolutions are kept for when the mode changes back.
    resolutions: plan.mode === 'conversation' ? state.resolutions : validResolutions(state.resolutions, plan)
  }
}

/** Resolutions with the shown defaults added: the engine must not apply a default that the person did not see. */
export function explicitResolutions(parts: Parts, resolutions: Resolutions): Resolutions {
  return { ...resolutions, ...Object.fromEntries(parts.decisions.map((row) => [row.id, row.resolution])) }
}

/** Whether the disk differs from what the shown plan started from, where it is written. Resolutions do not count. */
export function diskDiffersFrom(shown: RestorePlan, now: RestorePlan): boolean {
  const before = new Map(shown.items.map((item) => [item.path, JSON.stringify(item.before)]))
  if (now.conflicts.length !== shown.conflicts.length) return true
  return now.items.some(({ path, action, before: version }) => {
    if (action === 'keep') return !before.has(path)
    return action !== 'mkdir' && action !== 'rmdir' && before.get(path) !== JSON.stringify(version)
  })
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
