/** Verifying stores and agent connections. */
import { join } from 'node:path'
import type { AgentState } from '../../../contract/agents.ts'
import type { DoctorFinding, DoctorProblem } from '../../../contract/doctor.ts'
import { DriftlineError } from '../../../contract/errors.ts'
import type { SessionContext } from '../agents/agent-workspace.ts'
import { repairMessages } from '../agents/repair-messages.ts'
import type { EngineContext } from '../context.ts'
import { checkGitState } from '../doctor/git-state.ts'
import { findTemporaryFiles } from '../doctor/temporary-files.ts'
import { checkStore } from '../doctor/verify.ts'
import type { GitKeeper } from '../git-state/git-keeper.ts'
import { otherReaders } from '../ports/windows-access.ts'
import { toDriftlineError } from '../store/database.ts'
import { blockingRestore } from '../store/restores.ts'
import type { Registry } from '../workspaces/registry.ts'
import type { OpenWorkspace } from '../workspaces/workspace.ts'
import { agentStatesFor, agentStatesWithTrust } from './agents.ts'
import type { Handlers } from './handler.ts'

export const DOCTOR: Handlers<'doctor.run'> = {
  'doctor.run': async (context, { workspace, deep }) => {
    const problems: DoctorProblem[] = []
    for (const { id, root } of context.registry.list()) {
      if (workspace === undefined || workspace === id)
        problems.push(...(await checkWorkspace(context, id, root, deep ?? true)))
    }
    if (workspace === undefined)
      problems.push(...folderListProblems(context.registry), ...dataFolderProblems(context.options.dataDir))
    if (workspace === undefined)
      problems.push(...agentProblems(deep === false ? agentStatesFor(context) : await agentStatesWithTrust(context)))
    return { ok: problems.length === 0, problems }
  }
}

/** [ST-6] */
function folderListProblems({ rebuiltList, unlisted }: Registry): DoctorProblem[] {
  const list = rebuiltList()
  return [
    ...(list ? [{ workspace: '', code: 'RebuiltList' as const, list }] : []),
    ...unlisted.map((history) => ({ workspace: '', code: 'UnlistedHistory' as const, ...history }))
  ]
}

/** [PR-1] On other systems the folder has a mode, which is set when it is created. */
function dataFolderProblems(dataDir: string): DoctorProblem[] {
  const readers = process.platform === 'win32' ? otherReaders(dataDir) : []
  if (readers.length === 0) return []
  return [{ workspace: '', code: 'DataFolder', folder: dataDir, readers }]
}

/** Connected agents whose hooks are incomplete or do not run: their work is not recorded. */
function agentProblems(states: readonly AgentState[]): DoctorProblem[] {
  return states
    .filter((state) => state.connected !== 'no')
    .flatMap(({ id, problems }) =>
      problems
        .filter(({ code }) => code !== 'no-events')
        .map((problem) => ({ workspace: '', code: 'Agent', agent: id, problem }))
    )
}

async function checkWorkspace(
  { registry }: EngineContext,
  id: string,
  root: string,
  deep: boolean
): Promise<DoctorProblem[]> {
  let opened: OpenWorkspace | null = null
  try {
    const open = registry.open(id)
    opened = open
    const found: DoctorFinding[] = (await checkStore(open.store, deep)).map((finding) => withRepaired(open, finding))
    if (found.some(({ code }) => code === 'Content')) open.notifyChanged(['checkpoints'])
    for (const keeper of open.repositories.all()) found.push(...(await gitProblems(keeper, deep)))
    if (blockingRestore(open.store)?.abandoned) found.push({ code: 'InterruptedRestore' })
    if (deep) found.push(...(await findTemporaryFiles(open.store, root)))
    return found.map((finding) => ({ ...finding, workspace: root }))
  } catch (error) {
    // Removed meanwhile, as a worktree by git.
    if (opened && !registry.opened().includes(opened)) return []
    // A damaged or newer store is a problem to report, and no reason to skip the other workspaces.
    const { code, message } = asDriftlineError(error, id)
    return [{ workspace: root, code: 'Unopened', error: code, message }]
  }
}

/** Of a worktree, the main folder's history has it. */
async function gitProblems(git: GitKeeper, deep: boolean): Promise<DoctorFinding[]> {
  if (git.isWorktree()) return []
  try {
    const store = git.store()
    return store ? await checkGitState(store, deep) : []
  } catch (error) {
    const file = join(git.folder, 'git.db')
    const { code, message } = asDriftlineError(error, file)
    return [{ code: 'Unopened', error: code, message }]
  }
}

/** Messages whose text the agent still has are stored again. */
function withRepaired(open: SessionContext, finding: DoctorFinding): DoctorFinding {
  if (finding.code !== 'Conversation' || finding.session === null || finding.messages === 0) return finding
  return { ...finding, repaired: repairMessages(open, finding.session.id) }
}

/** Throws any other error. */
function asDriftlineError(error: unknown, id: string): DriftlineError {
  const known = toDriftlineError(error, id)
  if (known instanceof DriftlineError) return known
  throw error
}
