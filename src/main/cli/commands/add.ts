/** `driftline add`: registers a folder, takes its first copy and waits for it. */
import { resolve } from 'node:path'
import { DriftlineError } from '../../../contract/errors.ts'
import { bytes } from '../../../contract/sizes.ts'
import type { AddResult, CopyProgress } from '../../../contract/workspace.ts'
import { columns } from '../columns.ts'
import { command } from '../command.ts'
import { canAsk, confirm } from '../confirm.ts'
import { type Context, currentFolder } from '../context.ts'
import { escapeLine, escapeText } from '../escape.ts'
import { realFolder } from '../paths.ts'
import { count, grouped } from '../words.ts'
import { notCoveredLines } from './coverage-lines.ts'

export const add = command({
  name: 'add',
  usage: ['[FOLDER] [--yes]'],
  summary: 'record a folder from now on; on a recorded one, bring its coverage up to date',
  options: { yes: { type: 'boolean', short: 'y', help: 'record even your home folder or the whole disk' } },
  positionals: [0, 1],
  run: async (context, { values, positionals }) => {
    const result = await addFolder(context, folderToAdd(context, positionals[0]), values.yes === true)
    const { output } = context
    output.document(result)
    output.lines([
      `${output.paint('green', 'Recording')} ${escapeLine(result.workspace.root)}`,
      `${count(result.covered.files, 'file')} protected, ${bytes(result.covered.bytes)}.`,
      ...notCoveredLines(result.notCovered, output.paint),
      ...worktreeLines(result.worktrees)
    ])
    return 0
  }
})

/** Working trees that an agent may be working in unseen. */
export function worktreeLines(worktrees: AddResult['worktrees']): readonly string[] {
  if (worktrees.length === 0) return []
  const [first, ...rest] = worktrees
  return [
    `${count(worktrees.length, 'worktree')} of this repository ${rest.length === 0 ? 'is' : 'are'} not recorded:`,
    ...columns(worktrees.slice(0, 10).map(({ folder, branch }) => [`  ${escapeLine(folder)}`, escapeLine(branch)])),
    `  driftline add ${escapeLine(first?.folder ?? '')}   records it with a history of its own`
  ]
}

function folderToAdd(context: Context, typed: string | undefined): string {
  return typed === undefined ? context.folder() : realFolder(resolve(currentFolder(context.surroundings), typed))
}

/** Registers a folder and waits for its first copy; asks when the engine wants a person's word for it. */
export async function addFolder(context: Context, folder: string, confirmed: boolean): Promise<AddResult> {
  const { output } = context
  const client = await context.client()
  const stop = client.on('coverage.changed', ({ copy }) => {
    if (copy) output.progress(copyWords(copy))
  })
  try {
    return await client.call('workspaces.add', { folder, wait: true, ...(confirmed ? { confirmed } : {}) })
  } catch (error) {
    const asks = error instanceof DriftlineError && error.code === 'NeedsConfirmation'
    if (!asks || confirmed || !canAsk(output)) throw error
    output.note(escapeText(error.message))
    await output.flush()
    if (!(await confirm('Record it?'))) throw error
    return await client.call('workspaces.add', { folder, wait: true, confirmed: true })
  } finally {
    stop()
    output.progress('')
  }
}

function copyWords(copy: CopyProgress): string {
  const of = copy.counted ? ` of ${grouped(copy.filesTotal)}` : ''
  return `Copying ${grouped(copy.files)}${of} files, ${bytes(copy.bytes)}`
}
