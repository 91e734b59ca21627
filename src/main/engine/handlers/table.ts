/** Every method of the contract and who answers it. */
import type { Method } from '../../../contract/api.ts'
import type { EngineContext } from '../context.ts'
import { translate } from '../db/open.ts'
import { AGENTS } from './agents.ts'
import { APP } from './app.ts'
import { CHECKPOINTS } from './checkpoints.ts'
import { DIFF } from './diff.ts'
import { DOCTOR } from './doctor.ts'
import { DRIFT } from './drift.ts'
import { FILES } from './files.ts'
import type { Handlers } from './handler.ts'
import { RESTORE } from './restore.ts'
import { RUNS } from './runs.ts'
import { SEARCH } from './search.ts'
import { SESSIONS } from './sessions.ts'
import { STATUS } from './status.ts'
import { STORAGE } from './storage.ts'
import { TIMELINE } from './timeline.ts'
import { TOOLS } from './tools.ts'
import { WORKSPACES } from './workspaces.ts'

const ANSWERS: Handlers<Method> = {
  ...APP,
  ...WORKSPACES,
  ...STATUS,
  ...TIMELINE,
  ...RUNS,
  ...AGENTS,
  ...TOOLS,
  ...SEARCH,
  ...SESSIONS,
  ...DIFF,
  ...RESTORE,
  ...CHECKPOINTS,
  ...DRIFT,
  ...FILES,
  ...DOCTOR,
  ...STORAGE
}

/** Every handler; what SQLite says about a full disk or a damaged file comes out as a typed error, wherever it was met. */
export const HANDLERS = Object.fromEntries(
  Object.entries(ANSWERS).map(([method, answer]) => [
    method,
    async (context: EngineContext, params: never) => {
      try {
        return await answer(context, params)
      } catch (error) {
        throw translate(error, context.options.dataDir)
      }
    }
  ])
) as unknown as Handlers<Method>
