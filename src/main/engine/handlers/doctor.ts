/** Verifying stores and agent connections. */
import type { AgentState } from '../../../contract/agents.ts'
import { DriftlineError } from '../../../contract/errors.ts'
import { dataFolderReadersText } from '../../../contract/words/data-folder.ts'
import { NO_EVENTS_YET } from '../agents/connect/agent-states.ts'
import { markBroken } from '../checkpoints/checkpoints.ts'
import type { EngineContext } from '../context.ts'
import { checkStore } from '../doctor/verify.ts'
import { otherReaders } from '../ports/windows-access.ts'
import { toDriftlineError } from '../store/database.ts'
import { blockingRestore } from '../store/restores.ts'
import { agentStatesFor, agentStatesWithTrust } from './agents.ts'
import type { Handlers } from './handler.ts'

interface Problem {
  readonly workspace: string
  readonly code: string
  readonly message: string
}

export const DOCTOR: Handlers<'doctor.run'> = {
  'doctor.run': async (context, { workspace, deep }) => {
    const problems: Problem[] = []
    for (const { id, root } of context.registry.list()) {
      if (workspace === undefined || workspace === id)
        problems.push(...(await checkWorkspace(context, id, root, deep ?? true)))
    }
    if (workspace === undefined) problems.push(...dataFolderProblems(context.options.dataDir))
    if (workspace === undefined)
      problems.push(...agentProblems(deep === false ? agentStatesFor(context) : await agentStatesWithTrust(context)))
    return { ok: problems.length === 0, problems }
  }
}

/** [PR-1] On other systems the folder has a mode, which is set when it is created. */
function dataFolderProblems(dataDir: string): Problem[] {
  const readers = process.platform === 'win32' ? otherReaders(dataDir) : []
  if (readers.length === 0) return []
  return [{ workspace: '', code: 'DataFolder', message: dataFolderReadersText(dataDir, readers) }]
}

/** Connected agents whose hooks are incomplete or do not run: their work is not recorded. */
function agentProblems(states: readonly AgentState[]): Problem[] {
  return states
    .filter((state) => state.connected !== 'no')
    .flatMap(({ id, problems }) =>
      problems
        .filter((sentence) => sentence !== NO_EVENTS_YET)
        .map((sentence) => ({ workspace: '', code: 'Agent', message: `${id}: ${sentence}` }))
    )
}

async function checkWorkspace(
  { registry }: EngineContext,
  id: string,
  root: string,
  deep: boolean
): Promise<Problem[]> {
  const problemOf = (code: string, message: string): Problem => ({ workspace: root, code, message })
  try {
    const open = registry.open(id)
    const { store } = open
    const found = await checkStore(store, deep)
    const damaged = found.flatMap((problem) => problem.content ?? [])
    if (markBroken(store, damaged)) open.notifyChanged(['checkpoints'])
    const problems = found.map((problem) => problemOf(problem.code, problem.message))
    if (blockingRestore(store)?.abandoned)
      problems.push(
        problemOf(
          'InterruptedRestore',
          'A restore was interrupted. Run "driftline recover finish" or "driftline recover undo".'
        )
      )
    return problems
  } catch (error) {
    // A damaged or newer store is a problem to report, and no reason to skip the other workspaces.
    const known = toDriftlineError(error, id)
    if (known instanceof DriftlineError) return [problemOf(known.code, known.message)]
    throw error
  }
}
