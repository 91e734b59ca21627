/** Reports the progress of a restore, so that a person sees it move: an event for each file would take as long as renaming it. */
import type { ApplyOptions } from './apply-state.ts'

type Report = ApplyOptions['progress']

/** How often progress is reported, ms. */
const INTERVAL_MS = 50

/** Passes on the first item of each phase, the last of all, and one in a while between them. */
export function createProgress(total: number, report: Report, now = Date.now): Report {
  let last: { readonly phase: string; readonly at: number } | null = null
  return (phase, done, path) => {
    if (last?.phase === phase && done < total && Math.abs(now() - last.at) < INTERVAL_MS) return
    last = { phase, at: now() }
    report(phase, done, path)
  }
}
