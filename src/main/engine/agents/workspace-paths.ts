/** Which recorded folder an event belongs to, and where in it the paths lie that a tool names. */
import { realpathSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { checkRelative, spelledOnDisk } from '../files/workspace-fs.ts'
import { worktreeContaining } from '../workspaces/git-worktrees.ts'
import { missingReason } from '../workspaces/presence.ts'
import type { OpenWorkspace } from '../workspaces/recorder.ts'
import type { Registry } from '../workspaces/registry.ts'
import { isUsablePath } from './tool-use.ts'

/**
 * The nearest recorded folder around the agent's project, else around its present folder; null when neither is recorded
 * or it is gone. A git worktree inside a recorded folder is one of its own, recorded or not.
 */
export function findWorkspace(registry: Registry, project: string | null, cwd: string): OpenWorkspace | null {
  for (const folder of [project, cwd]) {
    if (!folder || !isAbsolute(folder) || !isUsablePath(folder)) continue
    const held = registry.findContaining(resolveParentLinks(join(folder, 'x')).slice(0, -2))
    if (held && worktreeContaining(held.workspace.root, held.inside) === null)
      return missingReason(held.workspace.root, null) === '' ? registry.open(held.workspace.id) : null
  }
  return null
}

/** Named paths as the log names them, which is how the disk spells them; what lies outside the folder is left out (CP-4). */
export function toWorkspacePaths(root: string, cwd: string, named: readonly string[]): string[] {
  const found = new Set<string>()
  for (const path of named) {
    if (!isUsablePath(path)) continue
    const inside = relative(root, resolveParentLinks(resolve(cwd, path)))
    const name = checkRelative(sep === '/' ? inside : inside.replaceAll(sep, '/'))
    if (name && !isAbsolute(inside)) found.add(spelledOnDisk(root, name))
  }
  return [...found].sort()
}

/** An absolute path with the links above its last name resolved: a link that is written to keeps its own name. */
function resolveParentLinks(path: string): string {
  let tail = basename(path)
  let parent = dirname(path)
  if (parent === path) return path
  for (;;) {
    try {
      return join(realpathSync.native(parent), tail)
    } catch {
      // Not there yet, or not ours to read: its nearest existing parent decides.
      const above = dirname(parent)
      if (above === parent) return path
      tail = join(basename(parent), tail)
      parent = above
    }
  }
}
