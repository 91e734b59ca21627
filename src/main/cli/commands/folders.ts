/** `driftline add`, `folders`, `locate`, `remove`: the recorded folders. None of them changes project files. */
import { resolve } from 'node:path'
import { DriftlineError, type ErrorCode } from '../../../contract/errors.ts'
import { formatNumber, plural } from '../../../contract/words/numbers.ts'
import { formatBytes } from '../../../contract/words/sizes.ts'
import { listSome } from '../../../contract/words/text.ts'
import { formatTime } from '../../../contract/words/times.ts'
import { unwatchedText } from '../../../contract/words/watching.ts'
import type { AddResult, CopyProgress, Workspace, WorkspaceSummary } from '../../../contract/workspace.ts'
import { columns } from '../columns.ts'
import { command, YES } from '../command.ts'
import { canAsk, confirm, confirmDeletion } from '../confirm.ts'
import { type Context, currentFolder, folderArgument } from '../context.ts'
import { folderDocument } from '../documents.ts'
import { escapeLine, escapeText, shownPath } from '../escape.ts'
import type { Paint } from '../paint.ts'
import { notCoveredLines, rebuiltListLines, WATCHING, worktreeLines } from './status.ts'

export const add = command({
  name: 'add',
  usage: ['[FOLDER] [--yes]'],
  summary: 'start recording a folder, or update the coverage of a recorded one',
  options: {
    yes: {
      type: 'boolean',
      short: 'y',
      help: 'record even your home folder or a whole disk; start a new history if the old one is lost'
    }
  },
  positionals: [0, 1],
  run: async (context, { values, positionals: [typed] }) => {
    const { output } = context
    const folder = typed === undefined ? context.folder() : folderArgument(context, typed)
    const result = await addFolder(context, folder, values.yes)
    return output.print(result, [
      `${output.paint('green', 'Recording')} ${escapeLine(result.workspace.root)}`,
      `${plural(result.covered.files, 'file')} protected, ${formatBytes(result.covered.bytes)}.`,
      ...notCoveredLines(result.notCovered, output.paint),
      ...worktreeLines(result.worktrees)
    ])
  }
})

/** What a person is asked after an error that a confirmation overrides. */
const QUESTIONS: Readonly<Partial<Record<ErrorCode, string>>> = {
  NeedsConfirmation: 'Record this folder?',
  HistoryLost: 'Continue without the lost history?'
}

/** Registers a folder and waits for its initial snapshot. Asks when the engine requires confirmation. */
export async function addFolder(context: Context, folder: string, confirmed?: boolean): Promise<AddResult> {
  const { output } = context
  const { client } = await context.open()
  const stop = client.on('coverage.changed', ({ copy }) => {
    if (copy) output.progress(describeProgress(copy))
  })
  try {
    return await context.call('workspaces.add', { folder, wait: true, confirmed })
  } catch (error) {
    const question = error instanceof DriftlineError ? QUESTIONS[error.code] : undefined
    if (question === undefined || confirmed || !canAsk(output)) throw error
    output.note(escapeText((error as DriftlineError).message))
    await output.flush()
    if (!(await confirm(question))) throw error
    return await context.call('workspaces.add', { folder, wait: true, confirmed: true })
  } finally {
    stop()
    output.progress('')
  }
}

function describeProgress(copy: CopyProgress): string {
  const of = copy.counted ? ` of ${formatNumber(copy.filesTotal)}` : ''
  return `Copying ${formatNumber(copy.files)}${of} files, ${formatBytes(copy.bytes)}`
}

export const folders = command({
  name: 'folders',
  usage: ['[--confirm]'],
  summary: 'list the recorded folders with their status and history size',
  options: { confirm: { type: 'boolean', help: 'remove the notice that this list was rebuilt from the histories' } },
  run: async ({ call, output }, { values: { confirm = false } }) => {
    if (confirm) await call('workspaces.confirmList', {})
    const { rebuiltList } = await call('host.state', {})
    const { workspaces, left } = await call('workspaces.list', {})
    return output.print({ folders: workspaces.map(folderDocument), left, ...(rebuiltList && { rebuiltList }) }, [
      ...rebuiltListLines(rebuiltList, output.paint),
      ...foldersLines(workspaces, output.paint),
      ...(left.length > 0 ? ['Removed folders. Adding one again continues its history:'] : []),
      ...left.map((workspace) => `  ${escapeLine(workspace.root)}`)
    ])
  }
})

function foldersLines(all: readonly WorkspaceSummary[], paint: Paint): readonly string[] {
  if (all.length === 0) return ['No recorded folders. Add one with `driftline add FOLDER`.']
  const rows = all.map((summary) => [
    paint('bold', escapeLine(summary.name)),
    escapeLine(summary.root),
    describeState(summary, paint),
    summary.store ? `${formatBytes(summary.store.bytes)} of history` : '',
    summary.store === null
      ? ''
      : summary.lastEditAt === null
        ? 'no changes yet'
        : `changed ${formatTime(summary.lastEditAt)}`
  ])
  const unwatched = all.filter((summary) => summary.watcher.why !== null)
  const reasons = [...Map.groupBy(unwatched, (summary) => unwatchedText(summary.watcher.why))].map(
    ([why, summaries]) => {
      const names = summaries.map((summary) => escapeLine(summary.name))
      return `${listSome(names, 3)}: ${escapeLine(why)}`
    }
  )
  const moved = all
    .filter((summary) => summary.folder === 'missing')
    .map((summary) => `  driftline locate ${shownPath(summary.root)} NEW   if the folder was moved`)
  return [...columns(rows), ...reasons, ...moved]
}

function describeState(summary: WorkspaceSummary, paint: Paint): string {
  if (summary.folder === 'missing') return paint('red', 'missing')
  if (summary.store === null) return paint('red', 'history unreadable')
  if (summary.coverage !== 'complete') return summary.copy ? 'copying' : paint('yellow', 'initial snapshot incomplete')
  if (!summary.recording) return 'not watching'
  return summary.watcher.state === 'live' ? 'watching' : WATCHING[summary.watcher.state]
}

/** Points a recorded folder that was moved to its new location; the history continues there. */
export const locate = command({
  name: 'locate',
  usage: ['OLD NEW'],
  summary: 'set the new location of a recorded folder that was moved or renamed',
  positionals: [2, 2],
  run: async (context, { positionals: [from = '', to = ''] }) => {
    const { output } = context
    const workspace = await recordedFolder(context, from)
    const folder = folderArgument(context, to)
    const located = await context.call('workspaces.locate', { workspace: workspace.id, folder })
    return output.print(located, [
      `${output.paint('green', 'Recording')} ${escapeLine(located.workspace.root)} with the history of ${escapeLine(workspace.root)}.`
    ])
  }
})

/** The recorded folder that a person names by its path or its id. Fails with NotAWorkspace, also for a folder inside one. */
async function recordedFolder(context: Context, typed: string): Promise<Workspace> {
  const { workspaces } = await context.call('workspaces.list', {})
  // The path as it was recorded, too: a folder that was moved may have left a link behind, which leads to another path.
  const path = context.host === null ? resolve(currentFolder(context.invocation), typed) : typed
  const named = workspaces.find(({ id, root }) => id === typed || root === path)
  if (named) return named
  const folder = folderArgument(context, typed)
  const { workspace, inside } = await context.call('workspaces.find', { folder })
  if (inside === '') return workspace
  throw new DriftlineError(
    'NotAWorkspace',
    `${folder} is inside the recorded folder ${workspace.root}. Nothing was changed. Name the recorded folder itself.`
  )
}

export const remove = command({
  name: 'remove',
  usage: ['[FOLDER] [--delete-history] [--yes]', '--all [--delete-history] [--yes]'],
  summary: 'stop recording a folder; its history is kept unless --delete-history is given',
  options: {
    all: { type: 'boolean', help: 'all folders, including removed ones when deleting' },
    'delete-history': { type: 'boolean', help: 'delete the history; this cannot be undone' },
    yes: YES
  },
  positionals: [0, 1],
  run: async (context, { values, positionals: [typed] }) => {
    const { output } = context
    const deleteHistory = values['delete-history'] === true
    if (values.all && typed !== undefined)
      throw new DriftlineError('Usage', 'Name a folder, or use --all. Nothing was changed.')
    const named = () => (typed === undefined ? context.workspace() : recordedFolder(context, typed))
    const workspaces = values.all ? await allFolders(context, deleteHistory) : [await named()]
    const [first] = workspaces
    const single = workspaces.length === 1
    const names = single ? escapeLine(first?.root ?? '') : plural(workspaces.length, 'folder')
    if (deleteHistory && first && !values.yes) {
      const warning = `The history of ${names} will be deleted permanently. Project files are not changed. \`driftline export --all\` saves the history as plain files first.`
      if (!(await confirmDeletion(output, warning, { question: 'Delete the history?' }))) return 3
    }
    for (const { id } of workspaces) await context.call('workspaces.remove', { workspace: id, deleteHistory })
    const removed = workspaces.map(({ id, root }) => ({ id, root }))
    return output.print({ removed, deletedHistory: deleteHistory }, [
      !first
        ? 'No recorded folders.'
        : `${names} ${single ? 'is' : 'are'} no longer recorded. ${deleteHistory ? 'The history is deleted.' : 'The history is kept; adding the folder again continues it. `driftline remove --all --delete-history` deletes it.'}`
    ])
  }
})

/** All recorded folders; when deleting, also the removed ones, whose history is still stored. */
async function allFolders({ call }: Context, deleteHistory: boolean) {
  const { workspaces, left } = await call('workspaces.list', {})
  return deleteHistory ? [...workspaces, ...left] : workspaces
}
