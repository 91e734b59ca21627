/** Sentences about positions and about the search for the edit that broke a command. */
import type { BisectProgress, BisectResult, SkippedPosition, UnavailablePath } from '../bisect.ts'
import { excludedPhrase } from './excluded.ts'
import { formatNumber, plural } from './numbers.ts'
import { clip, listSome } from './text.ts'

/** The command does not run at the folder's own path. */
export function copyNotice(folder: string): string {
  return `This system has no overlay mounts for you, so the command runs in a copy: ${folder}.`
}

/** The same of a search. */
export const SEARCH_IN_COPIES =
  'This system has no overlay mounts for you, so each probe ran in a copy of the folder, at another path.'

/** Paths that stay as they are on disk. */
export function unavailableNotice(paths: readonly UnavailablePath[]): string {
  const names = paths.map(
    ({ path, reason }) => `${path} (${reason === 'unknown' ? 'not covered then' : excludedPhrase(reason)})`
  )
  return `${plural(paths.length, 'path')} cannot be shown as of then, and ${paths.length === 1 ? 'is' : 'are'} as now: ${listSome(names, 3)}.`
}

const PHASES: Readonly<Record<BisectProgress['phase'], string>> = {
  ends: 'Trying the ends',
  search: 'Searching',
  confirm: 'Repeating to be sure',
  hunks: 'Reducing the change'
}

/** "Searching: 7 of 9, about 6 s left". */
export function bisectProgressText({ phase, done, total, leftMs }: BisectProgress): string {
  const left = leftMs === null ? '' : `, about ${durationText(leftMs)} left`
  return `${PHASES[phase]}: ${formatNumber(done)} of ${formatNumber(total)}${left}`
}

/** "seq:412 failed in 1.2 s". */
export function probeText({ seq, result, ms }: NonNullable<BisectProgress['probe']>): string {
  const verb = { good: 'passed', bad: 'failed', skip: 'was skipped' }[result]
  return `seq:${seq} ${verb}${result === 'skip' ? '' : ` in ${durationText(ms)}`}`
}

/** "850 ms", "6 s", "3 min". */
function durationText(ms: number): string {
  if (ms < 1000) return `${Math.max(1, Math.round(ms))} ms`
  return ms < 90_000 ? `${Math.round(ms / 1000)} s` : `${Math.round(ms / 60_000)} min`
}

/** What the search found, as one sentence. */
export function bisectStateText({ state, culprit, confidence, probes, good, bad }: BisectResult): string {
  const count = plural(probes.length, 'probe')
  switch (state) {
    case 'found':
      return `The command fails since seq:${bad}. Found with ${count}, ${percentText(confidence)} sure.`
    case 'never-failed':
      return 'The command passes at the newest of these positions, so no edit broke it.'
    case 'always-failed':
      return 'The command fails at every position that was tried, also at the oldest. Name one where it passes with --good.'
    case 'unclear':
      return culprit
        ? `The command does not always give the same result. Its failure most likely begins with seq:${bad}: ${percentText(confidence)} sure after ${count}.`
        : `The command begins to fail after seq:${good} and no later than seq:${bad}. The positions in between could not be tried.`
  }
}

/** What a search found at the position of an entry, for screen readers. */
export const SEARCH_MARKS = {
  good: 'The command passes here',
  bad: 'The command fails here',
  open: 'Not known yet whether the command fails here',
  cause: 'The command fails since an edit of this entry'
} as const

type Culprit = NonNullable<BisectResult['culprit']>

/** "A change of src/tax.ts by Edit broke it, in “add tax”." */
export function causeText({ toolCall, paths, agent, origin, prompt }: Culprit): string {
  const outside = origin === 'restore' ? ' by a restore' : ' outside of any run'
  const who = toolCall ? ` by ${toolCall.name}` : agent === null ? outside : ''
  return `A change of ${listSome(paths, 2)}${who} broke it${prompt ? `, in “${clip(prompt, 60)}”` : ''}.`
}

/** The comment for the agent whose edit it is. */
export function reportToAgent(command: string, { paths, hunks, toolCall }: Culprit, output: string): string {
  const where = hunks?.length ? hunks.map(({ path, n }) => (n === 0 ? path : `${path}, change ${n}`)) : paths
  const tail = output.trim().split('\n').slice(-15).join('\n')
  const printed = tail === '' ? '' : `\n\n\`\`\`\n${tail}\n\`\`\``
  return `\`${command}\` passes before this change${toolCall ? ` (${toolCall.name})` : ''} and fails after it: ${listSome(where, 5)}.${printed}`
}

/** "Found with 12 probes, 98.4 % sure." Of a flaky command: that it is. */
export function sureText({ state, confidence, probes }: BisectResult): string {
  const count = plural(probes.length, 'probe')
  if (state === 'found') return `Found with ${count}, ${percentText(confidence)} sure.`
  return `The command does not always give the same result: ${percentText(confidence)} sure after ${count}.`
}

/** Never "100 %" of something that is only likely. */
function percentText(confidence: number): string {
  const percent = Math.floor(confidence * 1000) / 10
  return percent >= 99.9 ? 'over 99.9 %' : `${percent} %`
}

/** Why a position was not tried, after "seq:12". */
export function skippedText({ seq, why, path }: SkippedPosition): string {
  const reasons: Readonly<Record<SkippedPosition['why'], string>> = {
    'not-stored': `${path ?? 'a file'} is no longer stored`,
    command: 'the command answered 125',
    'folder-missing': 'the folder where the command starts did not exist',
    'folder-changing': 'the folder kept changing while the command ran'
  }
  return `seq:${seq}: ${reasons[why]}`
}
