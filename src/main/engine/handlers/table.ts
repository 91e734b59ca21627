/** All handlers by method: one file per area of the contract. Handlers hold no rules; they call the modules that do. */
import type { Method } from '../../../contract/api.ts'
import type { EngineContext } from '../context.ts'
import { toDriftlineError } from '../store/database.ts'
import { AGENTS } from './agents.ts'
import { APP } from './app.ts'
import { BISECT } from './bisect.ts'
import { BRAKE } from './brake.ts'
import { BUNDLES, MAKE_BUNDLE } from './bundles.ts'
import { CHECKPOINTS } from './checkpoints.ts'
import { withoutDamaged } from './damaged-content.ts'
import { DIFF } from './diff.ts'
import { DOCTOR } from './doctor.ts'
import { DRIFT } from './drift.ts'
import { EDITOR } from './editor.ts'
import { EVENTS } from './events.ts'
import { FILES } from './files.ts'
import { GIT } from './git.ts'
import { type Handlers, inWorkspace } from './handler.ts'
import { HOSTS } from './hosts.ts'
import { REPLAY } from './replay.ts'
import { RESTORE } from './restore.ts'
import { REVIEW } from './review.ts'
import { RUNS } from './runs.ts'
import { SEARCH } from './search.ts'
import { SESSIONS } from './sessions.ts'
import { STATUS } from './status.ts'
import { STORAGE } from './storage.ts'
import { TIMELINE } from './timeline.ts'
import { TOOLS } from './tools.ts'
import { WORKSPACES } from './workspaces.ts'
import { WORKTREES } from './worktrees.ts'

const IN_WORKSPACE = {
  ...STATUS,
  ...withoutDamaged(TIMELINE),
  ...RUNS,
  ...TOOLS,
  ...SEARCH,
  ...SESSIONS,
  ...withoutDamaged(DIFF),
  ...REPLAY,
  ...withoutDamaged(RESTORE),
  ...CHECKPOINTS,
  ...DRIFT,
  ...REVIEW,
  ...withoutDamaged(EVENTS),
  ...withoutDamaged(FILES),
  ...MAKE_BUNDLE,
  ...GIT,
  ...BISECT,
  ...WORKTREES,
  ...BRAKE,
  ...STORAGE
}

const BY_METHOD: Handlers<Method> = {
  ...APP,
  ...EDITOR,
  ...HOSTS,
  ...WORKSPACES,
  ...AGENTS,
  ...DOCTOR,
  ...BUNDLES,
  ...inWorkspace(IN_WORKSPACE)
}

/** Errors of SQLite, such as a full disk or a damaged file, become typed errors wherever they occur. */
export const HANDLERS = Object.fromEntries(
  Object.entries(BY_METHOD).map(([method, handler]) => [
    method,
    async (context: EngineContext, params: never) => {
      try {
        return await handler(context, params)
      } catch (error) {
        throw toDriftlineError(error, context.options.dataDir)
      }
    }
  ])
) as unknown as Handlers<Method>
