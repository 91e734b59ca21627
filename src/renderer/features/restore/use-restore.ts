/** Everything the restore dialog does: plan, choose, guard against live runs and stale plans, apply, and end. */
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { Client } from '../../../contract/api.ts'
import type { Act, Choice, Choices, RestoreMode, RestorePlan, RestoreResult } from '../../../contract/restore.ts'
import type { WorkspaceId } from '../../../contract/workspace.ts'
import { announce } from '../../ui/live-region.tsx'
import { type Parts, partsOf } from './plan-rows.ts'
import { endingWords, staleWords } from './restore-words.ts'
import { tellsHowToGoOn } from './talk-words.ts'

export interface Progress {
  readonly phase: 'stage' | 'write' | 'verify'
  readonly done: number
  readonly total: number
  readonly path: string
}
/**
 * `ask`: a run is live and nothing was chosen; `wait`: until it stops; `armed`: and then restore what is shown;
 * `override`: restore all the same.
 */
export type LiveAnswer = 'ask' | 'wait' | 'armed' | 'override'

export interface RestoreState {
  /** The plan without choices, which the list is made of; null until it is there. */
  readonly base: RestorePlan | null
  readonly parts: Parts | null
  /** What goes back; its plan is on its way while this is not the one of `base`. */
  readonly mode: RestoreMode
  readonly setMode: (mode: RestoreMode) => void
  readonly choices: Choices
  readonly choose: (paths: readonly string[], choice: Choice | null) => void
  readonly error: string | null
  readonly live: LiveAnswer | null
  readonly answerLive: (answer: LiveAnswer) => void
  /** Set when the plan is another one by now: what moved on, in words. */
  readonly stale: string | null
  readonly refresh: () => void
  readonly progress: Progress | null
  readonly result: RestoreResult | null
  readonly apply: () => void
  readonly retry: () => void
  readonly undoAll: () => void
}

const SETTLE_MS = 300
const MOVED_MEANWHILE = 'Files changed while this was being prepared. Nothing was written; try again.'

export function useRestore(
  client: Client,
  workspace: WorkspaceId,
  act: Act,
  onDone: (result: RestoreResult) => void
): RestoreState {
  const [base, setBase] = useState<RestorePlan | null>(null)
  const [fresh, setFresh] = useState<RestorePlan | null>(null)
  const [choices, setChoices] = useState<Choices>({})
  const [error, setError] = useState<string | null>(null)
  const [answer, setAnswer] = useState<LiveAnswer>('ask')
  const [progress, setProgress] = useState<Progress | null>(null)
  const [result, setResult] = useState<RestoreResult | null>(null)
  const [whileLive, setWhileLive] = useState<RestorePlan['live'] | null>(null)
  const turn = useRef(0)
  const busy = useRef(false)
  const latest = useRef({ base, choices, onDone, answer })
  latest.current = { base, choices, onDone, answer }
  // The act is what the dialog was opened for, in the mode chosen since; its identity must not re-plan.
  const wanted = useRef(act)
  const [mode, setMode] = useState<RestoreMode | null>(null)

  // What was confirmed is what was shown then: anything else is confirmed anew.
  const disarm = useCallback(() => setAnswer((before) => (before === 'armed' ? 'wait' : before)), [])

  const takePlan = useCallback(
    (plan: RestorePlan) => {
      disarm()
      setBase(plan)
      setFresh(null)
      setError(null)
      setWhileLive(plan.live)
      // Without files there is nothing to choose; what was chosen comes back with them.
      if (plan.mode !== 'conversation') setChoices((before) => stillOffered(before, plan))
    },
    [disarm]
  )

  const plan = useCallback(
    async (look: 'take' | 'compare'): Promise<RestorePlan | null> => {
      const mine = ++turn.current
      try {
        const next = await client.call('restore.plan', { workspace, act: wanted.current })
        if (mine !== turn.current) return null
        const shown = latest.current.base
        setWhileLive(next.live)
        if (look === 'take' || !shown) takePlan(next)
        else if (next.plan !== shown.plan) setFresh(next)
        else setFresh(null)
        return next
      } catch (reason) {
        // A plan that cannot be made is said in place; while one is shown, the next event tries again.
        if (mine === turn.current && !latest.current.base) setError(messageOf(reason))
        return null
      }
    },
    [client, workspace, takePlan]
  )

  useEffect(() => {
    void plan('take')
    return () => {
      turn.current++
    }
  }, [plan])

  useEffect(() => {
    let timer = 0
    const look = () => {
      clearTimeout(timer)
      timer = window.setTimeout(() => {
        if (!busy.current) void plan('compare')
      }, SETTLE_MS)
    }
    const off = [
      client.on('workspace.changed', (change) => {
        if (change.workspace === workspace) look()
      }),
      client.on('run.ended', (run) => {
        if (run.workspace === workspace) look()
      }),
      client.on('restore.progress', (step) => {
        if (step.workspace === workspace && busy.current) setProgress(step)
      })
    ]
    return () => {
      clearTimeout(timer)
      for (const stop of off) stop()
    }
  }, [client, workspace, plan])

  const parts = useMemo(() => (base ? partsOf(base, choices) : null), [base, choices])
  const isLive = (whileLive?.length ?? 0) > 0
  const run = useCallback(
    async (act: Act, chosen: Choices, again = false) => {
      if (busy.current) return
      busy.current = true
      setResult(null)
      setProgress({ phase: 'stage', done: 0, total: 0, path: '' })
      const override = latest.current.answer === 'override'
      const attempt = (id: string | null) =>
        client.call('restore.apply', {
          workspace,
          act,
          choices: chosen,
          ...(id === null ? {} : { plan: id }),
          ...(override ? { whileLive: true } : {})
        })
      const { base: shown, choices: made } = latest.current
      try {
        let ended: RestoreResult | null = again ? await attempt(null) : null
        if (!ended && shown && Object.keys(made).length === 0) ended = await attempt(shown.plan).catch(unlessStale)
        if (!ended) {
          // The plan that goes with these choices; what changed on disk since the shown one makes that stale.
          const planned = await client.call('restore.plan', { workspace, act, choices: chosen })
          if (shown && movedOn(shown, planned)) throw new Stale()
          ended = await attempt(planned.plan)
        }
        if (ended.state === 'done' && !tellsHowToGoOn(ended)) {
          latest.current.onDone(ended)
          return
        }
        announce(endingWords(ended).title, 'assertive')
        setResult(ended)
      } catch (reason) {
        // Expected: the disk moved on or a run began, with nothing written; anything else says itself what is safe.
        if (reason instanceof Stale || codeOf(reason) === 'PlanStale' || codeOf(reason) === 'RunIsLive') {
          const next = await plan('compare')
          if (next && next.plan === shown?.plan && next.live.length === 0) setError(MOVED_MEANWHILE)
        } else setError(messageOf(reason))
      } finally {
        busy.current = false
        setProgress(null)
      }
    },
    [client, workspace, plan]
  )

  // biome-ignore lint/correctness/useExhaustiveDependencies: only the end of the run decides, on what is shown then.
  useEffect(() => {
    const { answer: before } = latest.current
    if (isLive || before === 'ask') return
    setAnswer('ask')
    // What the run changed at last is read before it is taken back: then nothing goes on by itself.
    if (before === 'armed' && parts && !fresh) void run(wanted.current, spelledOut(parts, choices))
    else if (before !== 'override') announce('The run has stopped. You can restore now.')
  }, [isLive])

  return {
    base,
    parts,
    mode: mode ?? base?.mode ?? 'files',
    setMode: (next) => {
      if (act.kind !== 'restore' || progress) return
      wanted.current = { ...act, mode: next }
      setMode(next)
      disarm()
      void plan('take')
    },
    choices,
    choose: (paths, choice) => {
      disarm()
      setChoices((before) => withChoice(before, paths, choice))
    },
    error,
    live: isLive ? answer : null,
    answerLive: setAnswer,
    stale: base && fresh ? staleWords(base, fresh) : null,
    refresh: () => {
      setError(null)
      setResult(null)
      if (fresh) takePlan(fresh)
      else void plan('take')
    },
    progress,
    result,
    apply: () => {
      if (!parts || fresh || progress || (mode && mode !== base?.mode)) return
      setError(null)
      if (isLive && answer === 'wait') {
        setAnswer('armed')
        announce('It goes on by itself when the run stops.')
      }
      if (isLive && answer !== 'override') return
      void run(wanted.current, spelledOut(parts, choices))
    },
    retry: () => parts && void run(wanted.current, spelledOut(parts, choices), true),
    undoAll: () => void run({ kind: 'undo' }, {}, true)
  }
}

/** A plan that is no longer the one in force is made anew; any other failure stays one. */
function unlessStale(reason: unknown): null {
  if (codeOf(reason) === 'PlanStale') return null
  throw reason
}

/** Thrown inside `run` alone: the plan in force is no longer the one that was read. */
class Stale extends Error {}

/** Every decision said in full: what a person saw is what is sent, defaults included. */
export function spelledOut(parts: Parts, choices: Choices): Choices {
  return { ...choices, ...Object.fromEntries(parts.decisions.map((row) => [row.id, row.choice])) }
}

/** True when a path is on disk otherwise than the shown plan saw it, or came or went; choices do not count. */
export function movedOn(shown: RestorePlan, now: RestorePlan): boolean {
  const before = new Map(shown.items.map((item) => [item.path, JSON.stringify(item.before)]))
  if (now.conflicts.length !== shown.conflicts.length) return true
  return now.items.some(
    (item) =>
      item.action !== 'mkdir' && item.action !== 'rmdir' && before.get(item.path) !== JSON.stringify(item.before)
  )
}

function withChoice(before: Choices, paths: readonly string[], choice: Choice | null): Choices {
  const next: Record<string, Choice> = { ...before }
  for (const path of paths) {
    if (choice === null) delete next[path]
    else next[path] = choice
  }
  return next
}

/** Choices for paths that are still there; merge only where it still is clean. */
export function stillOffered(choices: Choices, plan: RestorePlan): Choices {
  const mergeable = new Map(plan.conflicts.map((conflict) => [conflict.path, conflict.mergeable]))
  const paths = new Set(plan.items.map((item) => item.path))
  return Object.fromEntries(
    Object.entries(choices).filter(
      ([path, choice]) =>
        (paths.has(path) || mergeable.has(path)) && (choice !== 'merge' || mergeable.get(path) === true)
    )
  )
}

function messageOf(reason: unknown): string {
  return reason instanceof Error ? reason.message : String(reason)
}

function codeOf(reason: unknown): string {
  return typeof reason === 'object' && reason !== null && 'code' in reason ? String(reason.code) : ''
}
