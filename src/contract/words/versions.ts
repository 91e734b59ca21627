/** The versions of one file, in words. Pure. */
import type { PathVersion } from '../log.ts'
import { agentIdentity } from './agents.ts'
import { formatNumber, plural } from './numbers.ts'
import { splitPath } from './paths.ts'
import { formatBytes } from './sizes.ts'
import { testText } from './tests.ts'
import { withCurlyQuotes } from './text.ts'
import { DRIFT_STATES } from './timeline.ts'
import { clock, dayInText } from './times.ts'

/** The first line: the prompt of a run, else what happened. */
export function versionTitle({ origin, prompt, change }: PathVersion): string {
  if (origin === 'baseline') return 'Initial snapshot'
  if (origin === 'restore') return 'Restored'
  if (origin === 'agent') return prompt?.split('\n')[0] || 'Run without a prompt'
  return OUTSIDE[change]
}

const OUTSIDE: Readonly<Record<PathVersion['change'], string>> = {
  added: 'Added outside',
  deleted: 'Deleted outside',
  renamed: 'Renamed outside',
  modified: 'Changed outside',
  none: 'Changed outside'
}

/** The second line: the author, or the state of an outside change. */
export function versionAuthor({ origin, agent, turn, title, drift }: PathVersion): string {
  if (origin === 'baseline') return 'when recording started'
  if (origin === 'restore') return title === '' ? '' : `to ${withCurlyQuotes(title)}`
  if (origin === 'outside') return drift ? DRIFT_STATES[drift] : 'during a run'
  return `${agentIdentity(agent ?? '').name}${turn === null ? '' : `, turn ${turn}`}`
}

/** The time if it was today, else the day. */
export function versionWhen({ at }: Pick<PathVersion, 'at'>, now: number): string {
  const day = dayInText(at, now)
  return day === 'today' ? clock(at) : day
}

/** The status at the end of a row, beside the line counts. */
export function versionState({ origin, inForce, change, oldPath }: PathVersion): string {
  if (!inForce) return 'undone'
  if (oldPath !== undefined) return `was ${splitPath(oldPath).name}`
  if (origin === 'restore' || origin === 'baseline') return ''
  return change === 'added' ? 'added' : change === 'deleted' ? 'deleted' : ''
}

/** A version as one sentence for screen readers. */
export function versionSentence(version: PathVersion, now: number): string {
  const { at, added, deleted } = version
  return [
    versionTitle(version),
    versionAuthor(version),
    `${dayInText(at, now)} ${clock(at)}`,
    versionState(version),
    ...(added > 0 ? [`${plural(added, 'line')} added`] : []),
    ...(deleted > 0 ? [`${deleted} deleted`] : []),
    ...(version.tests?.slice(0, 1).map(testText) ?? [])
  ]
    .filter(Boolean)
    .join(', ')
}

/** Versions worth listing: an initial snapshot in which the file did not exist, or was not covered, is left out. */
export function listedVersions(versions: readonly PathVersion[]): readonly PathVersion[] {
  return versions.filter(({ origin, kind }) => origin !== 'baseline' || (kind !== 'absent' && kind !== 'unknown'))
}

/** "9 versions since 12 Nov", "3 agents", …: a summary of the history in short parts. */
export function historySummary(versions: readonly PathVersion[], now: number): readonly string[] {
  const first = versions.at(-1)
  const newest = versions[0]
  if (!first || !newest) return []
  const agents = new Set(versions.flatMap(({ agent }) => agent ?? [])).size
  const outside = versions.filter(({ origin }) => origin === 'outside').length
  return [
    `${plural(versions.length, 'version')} since ${dayInText(first.at, now)}`,
    ...(agents > 0 ? [plural(agents, 'agent')] : []),
    ...(outside > 0 ? [plural(outside, 'outside change')] : []),
    newest.kind === 'file'
      ? `on disk now, ${formatBytes(newest.size)}`
      : newest.kind === 'absent'
        ? 'does not exist now'
        : 'not a file now'
  ]
}

/** Why a version cannot be restored, null if it can. */
export function restoreDisabledReason({ stored, kind }: PathVersion): string | null {
  return stored || kind === 'absent' ? null : 'Its content is not stored'
}

/** Above the lines of a large file of which the window shows the first ones. */
export function blameRestText(shown: number, total: number): string {
  return `Lines 1 – ${formatNumber(shown)} of ${formatNumber(total)}. \`driftline blame\` prints all of them.`
}
