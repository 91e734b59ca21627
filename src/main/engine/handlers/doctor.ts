/** Verifying what is kept. */
import type { AgentState } from '../../../contract/agents.ts'
import { DriftlineError } from '../../../contract/errors.ts'
import { UNHEARD } from '../agents/connect/agent-states.ts'
import { markBroken } from '../checkpoints/broken.ts'
import type { EngineContext } from '../context.ts'
import { translate } from '../db/open.ts'
import { checkStore } from '../doctor/verify.ts'
import { openRestore } from '../restore/journal.ts'
import { askedStatesOfAgents, statesOfAgents } from './agents.ts'
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
        problems.push(...(await checkOne(context, id, root, deep ?? true)))
    }
    if (workspace === undefined)
      problems.push(...agentProblems(deep === false ? statesOfAgents(context) : await askedStatesOfAgents(context)))
    return { ok: problems.length === 0, problems }
  }
}

/** Agents that are connected and whose hooks are not as they should be: what they do is not recorded. */
function agentProblems(states: readonly AgentState[]): Problem[] {
  return states
    .filter((state) => state.connected !== 'no')
    .flatMap(({ id, problems }) =>
      problems
        .filter((sentence) => sentence !== UNHEARD)
        .map((sentence) => ({ workspace: '', code: 'Agent', message: `${id}: ${sentence}` }))
    )
}

async function checkOne({ registry }: EngineContext, id: string, root: string, deep: boolean): Promise<Problem[]> {
  const found = (code: string, message: string): Problem => ({ workspace: root, code, message })
  try {
    const open = registry.open(id)
    const { store } = open
    const told = await checkStore(store, deep)
    if (
      markBroken(
        store,
        told.flatMap((problem) => problem.content ?? [])
      )
    )
      open.changed(['checkpoints'])
    const problems = told.map((problem) => found(problem.code, problem.message))
    if (openRestore(store)?.abandoned)
      problems.push(
        found(
          'InterruptedRestore',
          'A restore stopped half way. Run "driftline recover finish" or "driftline recover undo".'
        )
      )
    return problems
  } catch (error) {
    // A damaged or newer store is a finding, not a reason to stop looking at the others.
    const known = translate(error, id)
    if (known instanceof DriftlineError) return [found(known.code, known.message)]
    throw error
  }
}
