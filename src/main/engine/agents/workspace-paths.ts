/** Maps an event to its workspace, and the paths a tool names to root-relative paths. */
import { isAbsolute, join, resolve } from 'node:path'
import { missingReason } from '../capture/presence.ts'
import { spelledOnDisk } from '../files/workspace-fs.ts'
import { worktreeContaining } from '../git/git-worktrees.ts'
import { liveRuns } from '../store/runs.ts'
import type { AgentWorkspace, AgentWorkspaces } from './agent-workspace.ts'
import { pathInside, resolveParentLinks } from './path-inside.ts'
import { isUsablePath } from './tool-use.ts'

/**
 * The nearest recorded folder that contains the agent's project, else its current folder. Null when neither is
 * recorded, or the folder is missing. A git worktree inside a recorded folder is a workspace of its own, recorded or
 * not.
 */
export function findWorkspace(registry: AgentWorkspaces, project: string | null, cwd: string): AgentWorkspace | null {
  for (const folder of [project, cwd]) {
    if (!folder || !isAbsolute(folder) || !isUsablePath(folder)) continue
    const found = registry.findContaining(resolveParentLinks(join(folder, 'x')).slice(0, -2))
    if (found && worktreeContaining(found.workspace.root, found.inside) === null)
      return presentOrWorking(registry, found.workspace)
  }
  return null
}

/** [RS-19] A folder that is missing while a run is live may have been deleted by it. */
function presentOrWorking(registry: AgentWorkspaces, { id, root }: { readonly id: string; readonly root: string }) {
  const isPresent = missingReason(root, null) === null
  const open = registry.open(id)
  return isPresent || liveRuns(open.store).length > 0 ? open : null
}

/**
 * Paths as the log names them: root-relative, with the spelling on disk (case, Unicode form). Paths outside the
 * folder are dropped (CP-4).
 */
export function toWorkspacePaths(root: string, cwd: string, named: readonly string[]): string[] {
  const found = new Set<string>()
  for (const path of named) {
    if (!isUsablePath(path)) continue
    const name = pathInside(root, resolveParentLinks(resolve(cwd, path)))
    if (name) found.add(spelledOnDisk(root, name))
  }
  return [...found].sort()
}
