/** What the history of a run, or a comparison, lacks: as sentences. Pure. */
import type { DiffWarning } from '../diff.ts'
import type { RunWarning } from '../timeline.ts'
import { plural } from './numbers.ts'
import { listSome } from './text.ts'

/** A run begins before the initial snapshot is complete, while a restore is interrupted, or on a nearly full disk. */
export const BEGUN_INCOMPLETE =
  'The folder was not completely recorded when this run began. Earlier versions of some files may be missing.'

/** [RN-2] No hooks reported to a `driftline run`. */
export const ALL_CHANGES =
  'No hooks reported to this run, so every change in the folder during it counts as its own, also those of other programs.'

/** [PR-3] The session's hooks named another file than the agent's own transcript of that session. */
const TRANSCRIPT_NOT_READ =
  'The conversation was not imported: the transcript that the agent named is not at the place or under the name of this session. Files are recorded and can be restored; the conversation cannot. If the agent was updated, update Driftline, too.'

const listed = ({ paths, count }: { readonly paths: readonly string[]; readonly count: number }): string =>
  listSome(paths, paths.length, count)

export function runWarningText(warning: RunWarning): string {
  switch (warning.code) {
    case 'missed-calls':
      return `Earlier versions may be missing: the folder could not be scanned in time before ${plural(warning.count, 'tool call')}.`
    case 'incomplete':
      return 'Earlier versions may be missing: the initial snapshot was not complete, or recording was paused, during this run.'
    case 'not-stored-before':
      return `Content from before the run is not stored: ${listed(warning)}.`
    case 'not-stored-after':
      return `Content written by the run is not stored: ${listed(warning)}.`
    case 'all-changes':
      return ALL_CHANGES
    case 'transcript-not-read':
      return TRANSCRIPT_NOT_READ
    case 'no-call':
      return noCallText(warning)
    case 'shared':
      return `${sharedText(warning)} Undoing this run leaves those changes as they are.`
    case 'elsewhere':
      return warning.count === 1
        ? `Changes in ${listed(warning)} are not part of this history: it is recorded as its own folder.`
        : `Changes in ${listed(warning)} are not part of this history: they are recorded as their own folders.`
  }
}

/** [GW-4] Several runs may have made some changes. */
export function sharedText(warning: { readonly paths: readonly string[]; readonly count: number }): string {
  return `Changed while several runs were active, so it is not known by which: ${listed(warning)}.`
}

/** [RN-2] Some changes of a run were made outside its tool calls. */
export function noCallText(warning: { readonly paths: readonly string[]; readonly count: number }): string {
  return `Changed outside the tool calls of this run, and counted as its own because of the time: ${listed(warning)}.`
}

const DIFF_WARNINGS = {
  'no-start':
    'The checkpoint at the start of this run is missing from the history, so the run cannot be undone as a whole. Its own changes are shown.',
  'start-pruned':
    'Part of the content from before this run was deleted: over the history limits, or on the exclude list. Earlier versions of files may no longer be stored.',
  incomplete:
    'Earlier versions of some files may be missing: the initial snapshot was not complete, or recording was paused, during this run.',
  'no-earlier': 'There is no earlier checkpoint with changes. Compared with the initial snapshot.'
} as const

/** Sentences; "" without a warning. */
export function diffWarningText(warnings: readonly DiffWarning[]): string {
  return warnings.map(diffWarning).join(' ')
}

function diffWarning(warning: DiffWarning): string {
  switch (warning.code) {
    case 'mixed':
      return `This diff includes changes of others that overlap with the run's: ${listed(warning)}.`
    case 'not-in-patch':
      return `Not in the patch, because their content is not stored or too large for one, or git has no patch for them: ${listed(warning)}.`
    case 'patch-full':
      return `Not in the patch, because it would be too large to send with them: ${listed(warning)}. Name these paths to get a patch of them alone.`
    default:
      return DIFF_WARNINGS[warning.code]
  }
}
