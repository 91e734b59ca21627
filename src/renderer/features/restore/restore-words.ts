/** The sentences of the restore dialog: what it does, to how many files, and where the current bytes went. Pure. */
import type { Act, Conflict, RestorePlan, RestoreResult } from '../../../contract/restore.ts'
import { agentLook } from '../../ui/agent.tsx'
import { curly } from '../../ui/format.ts'
import { count } from '../files/file-words.ts'
import { changedBetween } from './changed-between.ts'

/** The verb and noun of the confirming button: it repeats the act and the count. */
export function buttonWords(act: Act, files: number, talk = false): string {
  const n = talk && files === 0 ? 'the conversation' : count(files, 'file')
  switch (act.kind) {
    case 'restore':
      return `Restore ${n}`
    case 'undo-run':
      return act.hunks && files > 0 ? `Undo ${count(Object.values(act.hunks).flat().length, 'change')}` : `Undo ${n}`
    case 'undo':
      return `Undo in ${n}`
    case 'redo':
      return `Redo in ${n}`
    case 'drift':
      return `Put back ${n}`
    case 'recover':
      return act.how === 'finish' ? `Finish ${n}` : `Undo in ${n}`
  }
}

/** The verb alone, for while the count is not known. */
export function verbOf(act: Act): string {
  return buttonWords(act, 1).replace(/( in)? [\d,]+ (file|change)s?$/, '')
}

/** The heading. `plan` is null until it is there. */
export function titleWords(act: Act, plan: RestorePlan | null): string {
  const of = plan ? (versionOf(act, plan) ?? curly(plan.title)) : '…'
  const change = act.kind === 'undo-run' ? Object.entries(act.hunks ?? {})[0] : undefined
  const one = 'paths' in act && act.paths?.length === 1 ? act.paths[0] : null
  switch (act.kind) {
    case 'restore':
      return one ? `Restore ${one} to ${of}` : `Restore to ${of}`
    case 'undo-run':
      if (change) return `Undo change ${change[1].join(', ')} of ${of} in ${change[0]}`
      return one ? `Undo ${of} in ${one}` : `Undo ${of}`
    case 'undo':
      return `Undo the restore: ${of}`
    case 'redo':
      return `Redo the restore: ${of}`
    case 'drift':
      return `Put back to ${of}`
    case 'recover':
      return act.how === 'finish' ? `Finish the interrupted restore: ${of}` : `Undo the interrupted restore: ${of}`
  }
}

/** A version picked from the list of a file: by its time, since it has no name. */
function versionOf(act: Act, plan: RestorePlan): string | null {
  if (act.kind !== 'restore' || !act.target.startsWith('seq:')) return null
  return plan.targetAt === null ? 'the first copy' : `the version of ${clock(plan.targetAt)}`
}

/** "14:02" today, "20 Nov, 14:02" otherwise. */
export function clock(at: number, now = Date.now()): string {
  const date = new Date(at)
  const time = date.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' })
  if (date.toDateString() === new Date(now).toDateString()) return time
  return `${date.toLocaleDateString('en-GB', { day: 'numeric', month: 'short' })}, ${time}`
}

/** "at 14:02"; "before 14:02" for what is taken back to before it was made; "" when no time is known. */
export function momentWords(act: Act, { targetAt }: Pick<RestorePlan, 'targetAt'>): string {
  if (targetAt === null) return ''
  const made = act.kind === 'undo' || act.kind === 'drift' || (act.kind === 'recover' && act.how === 'undo')
  return `${made ? 'before' : 'at'} ${clock(targetAt)}`
}

const TALK_ONLY = 'Only the conversation goes back; no file changes. This can be undone.'
const KEPT = 'What is on disk now is kept first, so this can be undone.'

export function introWords(act: Act, plan: RestorePlan, files: number, talk = false): string {
  const many = `${count(files, 'file')} ${files === 1 ? 'goes' : 'go'} back`
  if (files === 0) return talk ? TALK_ONLY : 'No file would change with these choices.'
  if (act.kind === 'undo-run' && act.hunks) return `Only this change goes back; everything else stays. ${KEPT}`
  if (act.kind === 'undo-run') return `${many} to before these edits; everybody else’s edits stay. ${KEPT}`
  if (act.kind === 'recover' && act.how === 'finish') return `${count(files, 'file')} left to write. ${KEPT}`
  if (act.kind === 'redo') return `${count(files, 'file')} ${files === 1 ? 'is' : 'are'} restored again. ${KEPT}`
  const when = momentWords(act, plan)
  return `${many}${when && ` to how ${files === 1 ? 'it was' : 'they were'} ${when}`}. ${KEPT}`
}

/** What came of it, for every ending that is not plain success. */
export function endingWords(result: RestoreResult): { readonly title: string; readonly safe: string } {
  const tried = result.items.filter(
    (item) => item.result === 'done' || item.result === 'failed' || item.result === 'skipped'
  )
  const done = result.items.filter((item) => item.result === 'done')
  const failed = result.items.filter((item) => item.result === 'failed')
  const first = failed[0]
  const why = first ? ` ${first.path}: ${sentence(first.reason ?? 'it could not be written')}` : ''
  switch (result.state) {
    case 'done':
      return { title: `Restored ${count(done.length, 'file')}.`, safe: 'What was on disk is kept.' }
    case 'partial':
      return {
        title: `${done.length} of ${tried.length} restored.${why}`,
        safe: 'Everything that was on disk is kept.'
      }
    case 'failed':
      return { title: `Nothing could be restored.${why}`, safe: 'Everything that was on disk is kept.' }
    case 'refused':
      return {
        title: `Nothing was written. ${result.refusal || `It was refused.${why}`}`,
        safe: 'The files are as they were.'
      }
    case 'nothing-to-do':
      return { title: 'There was nothing to restore: every file is already so.', safe: 'Nothing was written.' }
    case 'interrupted':
      return {
        title: `The restore stopped half way: ${done.length} of ${tried.length} written.`,
        safe: 'Everything that was on disk is kept. Finish or undo it from the workspace.'
      }
  }
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`
}

/** What moved on while a person was reading. */
export function staleWords(shown: RestorePlan, now: RestorePlan): string {
  const files = changedBetween(shown, now)
  const talked = shown.conversation?.revision !== now.conversation?.revision
  if (files === 0 && talked) return 'The conversation went on while you were reading.'
  return `${count(Math.max(1, files), 'file')} changed while you were reading.`
}

/** Why a file needs a decision, with the time of the last such change in front: "14:31 · changed outside after this run". */
export function reasonWords(conflict: Conflict, now = Date.now()): string {
  const last = conflict.by.reduce<Conflict['by'][number] | null>((a, b) => (a && a.at >= b.at ? a : b), null)
  const reason = conflict.reason.replace('by somebody else', whoWords(conflict))
  return last ? `${clock(last.at, now)} · ${reason}` : reason
}

/** Who wrote later: runs by what they were asked to do, e.g. "by “Round half to even” and outside", or "outside". */
function whoWords({ by }: Conflict): string {
  const names = [
    ...new Set(by.map(({ who, title }) => (title ? `“${title}”` : who.startsWith('run_') ? 'a run' : who)))
  ]
  if (names.length === 0) return 'by somebody else'
  if (names.length === 1) return names[0] === 'outside' ? 'outside' : `by ${names[0]}`
  // Outside comes last, or "by outside" would be read.
  const runs = names.filter((name) => name !== 'outside')
  const all = runs.length < names.length ? [...runs, 'outside'] : runs
  return `by ${all.slice(0, -1).join(', ')} and ${all.at(-1)}`
}

/** Who is at work in the folder, for the guard against a live run. */
export function liveWords(live: RestorePlan['live']): string {
  const names = [...new Set(live.map((run) => (run.agent ? agentLook(run.agent).name : 'An agent')))]
  if (names.length === 1 && live[0]?.agent === 'command') {
    return 'A command is running here now. It may overwrite what you restore.'
  }
  const who = names.length === 1 ? `${names[0]} is` : `${names.slice(0, -1).join(', ')} and ${names.at(-1)} are`
  return `${who} working here now. It may overwrite what you restore.`
}
