/** `driftline add`: registers a folder and waits for its initial snapshot. */
import { resolve } from 'node:path'
import { DriftlineError } from '../../../contract/errors.ts'
import { formatNumber, plural } from '../../../contract/words/numbers.ts'
import { formatBytes } from '../../../contract/words/sizes.ts'
import type { AddResult, CopyProgress } from '../../../contract/workspace.ts'
import { columns } from '../columns.ts'
import { command } from '../command.ts'
import { canAsk, confirm } from '../confirm.ts'
import { type Context, currentFolder } from '../context.ts'
import { escapeLine, escapeText } from '../escape.ts'
import { realFolder } from '../paths.ts'
import { notCoveredLines } from './coverage-lines.ts'

export const add = command({
  name: 'add',
  usage: ['[FOLDER] [--yes]'],
  summary: 'start recording a folder, or update the coverage of a recorded one',
  options: { yes: { type: 'boolean', short: 'y', help: 'record even your home folder or a whole disk' } },
  positionals: [0, 1],
  run: async (context, { values, positionals }) => {
    const result = await addFolder(context, folderToAdd(context, positionals[0]), values.yes === true)
    const { output } = context
    output.document(result)
    output.lines([
      `${output.paint('green', 'Recording')} ${escapeLine(result.workspace.root)}`,
      `${plural(result.covered.files, 'file')} protected, ${formatBytes(result.covered.bytes)}.`,
      ...notCoveredLines(result.notCovered, output.paint),
      ...worktreeLines(result.worktrees)
    ])
    return 0
  }
})

/** Git worktrees that are not recorded, although an agent may be working in one. */
export function worktreeLines(worktrees: AddResult['worktrees']): readonly string[] {
  if (worktrees.length === 0) return []
  const [first, ...rest] = worktrees
  return [
    `${plural(worktrees.length, 'worktree')} of this repository ${rest.length === 0 ? 'is' : 'are'} not recorded:`,
    ...columns(worktrees.slice(0, 10).map(({ folder, branch }) => [`  ${escapeLine(folder)}`, escapeLine(branch)])),
    `  driftline add ${escapeLine(first?.folder ?? '')}   records it with its own history`
  ]
}

function folderToAdd(context: Context, typed: string | undefined): string {
  return typed === undefined ? context.folder() : realFolder(resolve(currentFolder(context.invocation), typed))
}

/** Registers a folder and waits for its initial snapshot. Asks when the engine requires confirmation. */
export async function addFolder(context: Context, folder: string, confirmed: boolean): Promise<AddResult> {
  const { output } = context
  const client = await context.client()
  const stop = client.on('coverage.changed', ({ copy }) => {
    if (copy) output.progress(describeProgress(copy))
  })
  try {
    return await client.call('workspaces.add', { folder, wait: true, ...(confirmed ? { confirmed } : {}) })
  } catch (error) {
    const needsConfirmation = error instanceof DriftlineError && error.code === 'NeedsConfirmation'
    if (!needsConfirmation || confirmed || !canAsk(output)) throw error
    output.note(escapeText(error.message))
    await output.flush()
    if (!(await confirm('Record this folder?'))) throw error
    return await client.call('workspaces.add', { folder, wait: true, confirmed: true })
  } finally {
    stop()
    output.progress('')
  }
}

function describeProgress(copy: CopyProgress): string {
  const of = copy.counted ? ` of ${formatNumber(copy.filesTotal)}` : ''
  return `Copying ${formatNumber(copy.files)}${of} files, ${formatBytes(copy.bytes)}`
}
