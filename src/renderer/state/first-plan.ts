/**
 * The plan of a preview that is about to open: the engine makes it while the page loads and draws the dialog.
 * Invariant: one that may be older than a change is not handed out, because the dialog observes changes from its start only.
 */
import type { Client } from '../../contract/api.ts'
import type { RestorePlan, RestoreRequest } from '../../contract/restore.ts'
import type { WorkspaceId } from '../../contract/workspace.ts'
import { withLostGit } from '../model/lost-git.ts'

/** A change that no event reports must not become a plan: it is used soon or not at all, ms. */
const MOST_AGE_MS = 5000

interface Asked {
  readonly key: string
  readonly at: number
  readonly plan: Promise<RestorePlan>
  readonly stop: () => void
}

export function createFirstPlans(client: Client, workspace: WorkspaceId) {
  let asked: Asked | null = null
  const drop = () => {
    asked?.stop()
    asked = null
  }
  const isFresh = (key: string) => asked?.key === key && performance.now() - asked.at < MOST_AGE_MS
  return {
    /** Requests the plan, unless it is on its way. */
    ask: (request: RestoreRequest): void => {
      const key = JSON.stringify(request)
      if (isFresh(key)) return
      drop()
      const dropIfHere = (change: { readonly workspace: WorkspaceId }) => {
        if (change.workspace === workspace) drop()
      }
      const listening = [client.on('workspace.changed', dropIfHere), client.on('run.ended', dropIfHere)]
      const plan = client.call('restore.plan', { workspace, request: withLostGit(request) })
      // The dialog reports a failure; without one, nobody waits for it.
      plan.catch(() => {})
      asked = { key, at: performance.now(), plan, stop: () => listening.forEach((stop) => void stop()) }
    },
    /** The plan that was requested, once; null without one, and after a change. */
    take: (request: RestoreRequest): Promise<RestorePlan> | null => {
      const plan = isFresh(JSON.stringify(request)) ? (asked?.plan ?? null) : null
      drop()
      return plan
    }
  }
}
