/**
 * Texts of a restore: what it does, to how many files, where the current content is saved, and how it ended, for the
 * dialog and the toast after it. Pure.
 */
import type { PlanItem, RestorePlan, RestoreRequest, RestoreResult } from '../restore.ts'
import { agentIdentity } from './agents.ts'
import { type PathCounts, pathsText, plural } from './numbers.ts'
import { baseName } from './paths.ts'
import { countPaths, outcomeReason } from './plan.ts'
import { listAll, withCurlyQuotes, withFullStop } from './text.ts'
import { clockWithDay } from './times.ts'

/** Verb of the confirming button. */
export function confirmVerb(request: RestoreRequest): string {
  if (request.kind === 'recover') return request.how === 'finish' ? 'Finish' : 'Undo'
  if (request.kind === 'apply') return 'Apply to'
  return request.kind === 'restore' ? 'Restore' : request.kind === 'redo' ? 'Redo' : 'Undo'
}

/** The confirming button repeats verb and count. `paths` are those that would be written. */
export function confirmLabel(request: RestoreRequest, paths: PathCounts, withConversation = false, git = 0): string {
  if (git > 0 && paths.files + paths.folders === 0 && !withConversation)
    return `${confirmVerb(request)} ${plural(git, 'git item')}`
  const withGit = git > 0 ? ` and ${plural(git, 'git item')}` : ''
  return `${confirmVerb(request)} ${confirmObject(request, paths, withConversation)}${withGit}`
}

function confirmObject(request: RestoreRequest, { files, folders }: PathCounts, withConversation: boolean): string {
  if (withConversation && files + folders === 0) return 'the conversation'
  const parts = request.kind === 'undo-run' && files > 0 ? partsText(request) : null
  if (parts !== null) return parts
  const revertsRestore = request.kind === 'undo' || request.kind === 'redo'
  const reverts = revertsRestore || (request.kind === 'recover' && request.how === 'undo')
  return `${reverts ? 'in ' : ''}${files === 0 && folders > 0 ? plural(folders, 'folder') : plural(files, 'file')}`
}

/** The heading. `plan` is null while it is loading. */
export function dialogTitle(request: RestoreRequest, plan: Pick<RestorePlan, 'title' | 'targetAt'> | null): string {
  const target = plan ? (versionName(request, plan) ?? withCurlyQuotes(plan.title)) : '…'
  const hunk = request.kind === 'undo-run' ? Object.entries(request.hunks ?? {})[0] : undefined
  const lines = request.kind === 'undo-run' ? Object.keys(request.lines ?? {})[0] : undefined
  const path = 'paths' in request && request.paths?.length === 1 ? request.paths[0] : null
  switch (request.kind) {
    case 'restore':
      return path ? `Restore ${path} to ${target}` : `Restore to ${target}`
    case 'undo-run':
      if (lines !== undefined) return `Undo ${partsText(request)} of ${target} in ${lines}`
      if (hunk) return `Undo change ${hunk[1].join(', ')} of ${target} in ${hunk[0]}`
      return path ? `Undo ${target} in ${path}` : `Undo ${target}`
    case 'undo':
      return `Undo the restore: ${target}`
    case 'redo':
      return `Redo the restore: ${target}`
    case 'drift':
      return path ? `Undo outside changes in ${path}` : 'Undo outside changes'
    case 'apply':
      return path ? `Apply ${target} to ${path}` : `Apply ${target}`
    case 'worktree':
      return path ? `Restore ${path} from ${target}` : `Restore from ${target}`
    case 'recover':
      return request.how === 'finish'
        ? `Finish the interrupted restore: ${target}`
        : `Undo the interrupted restore: ${target}`
  }
}

/** A version chosen from a file's history is named by its time, since it has no title. */
function versionName(request: RestoreRequest, plan: Pick<RestorePlan, 'targetAt'>): string | null {
  if (request.kind !== 'restore' || !request.target.startsWith('seq:')) return null
  return plan.targetAt === null ? 'the initial snapshot' : `the version of ${clockWithDay(plan.targetAt)}`
}

/** "at 14:02"; "before 14:02" if changes made at that time are undone; "" if the target has no time. */
export function momentText(request: RestoreRequest, { targetAt }: Pick<RestorePlan, 'targetAt'>): string {
  if (targetAt === null) return ''
  const undoesMoment =
    request.kind === 'undo' || request.kind === 'drift' || (request.kind === 'recover' && request.how === 'undo')
  return `${undoesMoment ? 'before' : 'at'} ${clockWithDay(targetAt)}`
}

const CONVERSATION_ONLY = 'Restores only the conversation; no files change. You can undo this.'
const COPY_IS_SAVED = 'A copy is saved first, so you can undo this.'

export function dialogIntro(
  request: RestoreRequest,
  plan: RestorePlan,
  paths: PathCounts,
  withConversation = false,
  git = 0
): string {
  if (paths.files + paths.folders === 0 && !withConversation && git > 0) return `No files change. ${COPY_IS_SAVED}`
  if (paths.files + paths.folders === 0)
    return withConversation ? CONVERSATION_ONLY : 'No files change with these choices.'
  return `${effectText(request, plan, paths)} ${COPY_IS_SAVED}`
}

function effectText(request: RestoreRequest, plan: RestorePlan, paths: PathCounts): string {
  const text = pathsText(paths)
  if (request.kind === 'undo-run') {
    if (request.lines) return 'Undoes only these lines. Everything else stays.'
    if (request.hunks) return 'Undoes only this change. Everything else stays.'
    return `Undoes these edits in ${text}. Other edits stay.`
  }
  if (request.kind === 'recover' && request.how === 'finish') return `${text} left to write.`
  if (request.kind === 'redo') return `Restores ${text} again.`
  if (request.kind === 'apply') return `Makes the changes of this run in ${text}.`
  const moment = momentText(request, plan)
  return `Restores ${text}${moment && ` to the version ${moment}`}.`
}

function nothingText({ items }: RestoreResult): string {
  const why = items.length === 0 ? 'all files already match' : `${pathsText(countPaths(items))} kept`
  return `Nothing to restore: ${why}.`
}

/** Headline and safety sentence of a result. */
export function resultText(result: RestoreResult): { readonly title: string; readonly safe: string } {
  const tried = countPaths(result.items.filter((item) => item.result !== 'kept'))
  const cause = causeText(result)
  const tally = tallyText(result, tried)
  const safe = 'The previous versions are saved.'
  switch (result.state) {
    case 'done':
      return { title: `Restored ${restoredText(result)}.`, safe }
    case 'partial':
      return { title: `${tally} restored.${cause}`, safe }
    case 'failed':
      return { title: `Couldn’t restore any ${tried.files + tried.folders > 0 ? 'file' : 'git item'}.${cause}`, safe }
    case 'refused': {
      const why = result.refusal || `The restore was refused.${cause}`
      return { title: `Nothing was written. ${why}`, safe: 'The files are unchanged.' }
    }
    case 'nothing-to-do':
      return { title: nothingText(result), safe: 'Nothing was written.' }
    case 'interrupted': {
      const title = `The restore was interrupted: ${tally} written.`
      return { title, safe: `${safe} Finish or undo the restore from the workspace.` }
    }
  }
}

const isDone = ({ result }: { readonly result: string }): boolean => result === 'done'

/** "3 files, the conversation and 1 git item": what was restored, in the headline, its announcement and the toast alike. */
export function restoredText(result: Pick<RestoreResult, 'items' | 'git' | 'conversation'>): string {
  const { files, folders } = writtenPaths(result)
  const { superseded = 0, broughtBack = 0 } = result.conversation ?? {}
  const git = result.git.filter(isDone).length
  const parts = [
    ...(files > 0 ? [plural(files, 'file')] : folders > 0 ? [plural(folders, 'folder')] : []),
    ...(superseded + broughtBack > 0 ? ['the conversation'] : []),
    ...(git > 0 ? [plural(git, 'git item')] : [])
  ]
  return parts.length > 0 ? listAll(parts) : plural(0, 'file')
}

/** "1 of 2", with git items "1 of 2 files and 0 of 1 git item". Folders count where there is no file. */
function tallyText({ items, git }: RestoreResult, tried: PathCounts): string {
  const done = countPaths(items.filter(isDone))
  const [written, all] = tried.files > 0 ? [done.files, tried.files] : [done.folders, tried.folders]
  if (git.length === 0) return `${written} of ${all}`
  const ofGit = `${git.filter(isDone).length} of ${plural(git.length, 'git item')}`
  return all === 0 ? ofGit : `${written} of ${plural(all, tried.files > 0 ? 'file' : 'folder')} and ${ofGit}`
}

/** The plan could not say it: the dialog stays open to show it. */
export function hasOwnWarning({ warnings }: Pick<RestoreResult, 'warnings'>): boolean {
  return warnings.some(({ code }) => code === 'no-worktree-link' || code === 'worktree-branch-gone')
}

/** Why the first item that failed did. */
function causeText({ items, git }: RestoreResult): string {
  const file = items.find((item) => item.result === 'failed')
  if (file) return ` ${file.path}: ${withFullStop(outcomeReason(file) || 'it could not be written')}`
  const item = git.find(({ result }) => result === 'failed')
  return item ? ` Git’s ${item.item}: ${withFullStop(item.reason ?? 'it could not be written')}` : ''
}

/** What changed between the shown plan and the current one. */
export function staleText(shown: RestorePlan, current: RestorePlan): string {
  const files = countChangedItems(shown, current)
  const conversationChanged = shown.conversation?.revision !== current.conversation?.revision
  if (files === 0 && conversationChanged) return 'The conversation continued while you were reading.'
  return `${plural(Math.max(1, files), 'file')} changed while you were reading.`
}

/** Number of paths whose step differs between two plans of the same request. */
export function countChangedItems(before: RestorePlan, after: RestorePlan): number {
  const step = (item: PlanItem) => JSON.stringify([item.action, item.before, item.after])
  const unmatched = new Map(before.items.map((item) => [item.path, step(item)]))
  let changed = 0
  for (const item of after.items) {
    if (unmatched.get(item.path) !== step(item)) changed++
    unmatched.delete(item.path)
  }
  return changed + unmatched.size
}

/** Warns that an agent or command may overwrite what is restored now. */
export function liveRunText(live: RestorePlan['live']): string {
  const names = [...new Set(live.map((run) => (run.agent ? agentIdentity(run.agent).name : 'An agent')))]
  if (names.length === 1 && live[0]?.agent === 'command') {
    return 'A command is running here. It may overwrite what you restore.'
  }
  const are = names.length === 1 ? 'is working here. It' : 'are working here. They'
  return `${listAll(names)} ${are} may overwrite what you restore.`
}

/** The paths that a restore has written. */
export function writtenPaths(result: Pick<RestoreResult, 'items'>): PathCounts {
  return countPaths(result.items.filter((item) => item.result === 'done' && item.action !== 'keep'))
}

/** The result of a restore as one sentence for its toast. `request` is null if it is no longer known. */
export function outcomeText(result: RestoreResult, request: RestoreRequest | null): string {
  switch (result.state) {
    case 'done':
      return successText(request, restoredText(result))
    case 'partial':
      return `Restored ${writtenPaths(result).files} of ${plural(countPaths(result.items).files, 'file')}. The previous versions are saved.`
    case 'nothing-to-do':
      return nothingText(result)
    case 'refused':
      return result.refusal || 'The restore was refused. Nothing was written.'
    case 'failed':
      return 'The restore failed. The previous versions are saved.'
    case 'interrupted':
      return 'The restore was interrupted. Finish it or undo it.'
  }
}

function successText(request: RestoreRequest | null, files: string): string {
  switch (request?.kind) {
    case 'undo':
      return `Undid the restore of ${files}`
    case 'redo':
      return `Redid the restore of ${files}`
    case 'drift':
      return `Undid ${placeOfParts(request) ?? `outside changes in ${files}`}`
    case 'apply':
      return `Applied the changes to ${files}`
    case 'undo-run':
      return `Undid ${placeOfParts(request) ?? `changes in ${files}`}`
    default:
      return `Restored ${files}`
  }
}

type PartsRequest = Extract<RestoreRequest, { kind: 'undo-run' | 'drift' }>

/** "1 change in total.ts" if the request names hunks or lines of a single file. */
function placeOfParts(request: PartsRequest): string | null {
  const [file, ...more] = Object.keys({ ...request.hunks, ...request.lines })
  return file !== undefined && more.length === 0 ? `${partsText(request)} in ${baseName(file)}` : null
}

/** "1 change", "3 lines" or both; null if the request names no parts of files. */
function partsText({ hunks, lines }: PartsRequest): string | null {
  const selected = lines && Object.values(lines).flat()
  const parts = [
    ...(hunks ? [plural(Object.values(hunks).flat().length, 'change')] : []),
    ...(selected
      ? [
          plural(
            selected.reduce((sum, { from, to }) => sum + to - from, 0),
            'line'
          )
        ]
      : [])
  ]
  return parts.length > 0 ? parts.join(' and ') : null
}
