/** The versions of one file, in words. Pure. */
import type { PathVersion } from '../../../contract/log.ts'
import { bytes } from '../../../contract/sizes.ts'
import { agentLook } from '../../ui/agent.tsx'
import { clock, curly, dayInText, plural } from '../../ui/format.ts'

/** What happened: a run by what it was asked to do. */
export function versionTitle({ origin, prompt, change }: PathVersion): string {
  if (origin === 'baseline') return 'First copy'
  if (origin === 'restore') return 'Restored'
  if (origin === 'agent') return prompt?.split('\n')[0] || 'Run without a prompt'
  return change === 'deleted' ? 'Deleted outside' : change === 'added' ? 'Added outside' : 'Changed outside'
}

const DRIFT = { open: 'not reviewed', accepted: 'accepted', 'put-back': 'put back' } as const

/** Who did it, or what became of it. */
export function versionBy({ origin, agent, turn, title, drift }: PathVersion): string {
  if (origin === 'baseline') return 'when recording began'
  if (origin === 'restore') return title === '' ? '' : `to ${curly(title)}`
  if (origin === 'outside') return drift ? DRIFT[drift] : 'during a run'
  return `${agentLook(agent ?? '').name}${turn === null ? '' : `, turn ${turn}`}`
}

/** The time of today, else the day. */
export function versionWhen({ at }: Pick<PathVersion, 'at'>, now: number): string {
  const day = dayInText(at, now)
  return day === 'today' ? clock(at) : day
}

/** What a version says at the end of its row besides line counts. */
export function versionState({ origin, inForce, change }: PathVersion): string {
  if (!inForce) return origin === 'restore' ? 'undone' : 'taken back'
  if (origin === 'restore' || origin === 'baseline') return ''
  return change === 'added' ? 'added' : change === 'deleted' ? 'deleted' : ''
}

/** A version as one sentence, for assistive technology. */
export function versionSentence(version: PathVersion, now: number): string {
  const { at, added, deleted } = version
  return [
    versionTitle(version),
    versionBy(version),
    `${dayInText(at, now)} ${clock(at)}`,
    versionState(version),
    ...(added > 0 ? [`${plural(added, 'line')} added`] : []),
    ...(deleted > 0 ? [`${deleted} deleted`] : [])
  ]
    .filter(Boolean)
    .join(', ')
}

/** Versions a person can look at: before the first one there may have been nothing, or nobody looked. */
export function listed(versions: readonly PathVersion[]): readonly PathVersion[] {
  return versions.filter(({ origin, kind }) => origin !== 'baseline' || (kind !== 'absent' && kind !== 'unknown'))
}

/** "9 versions since 12 Nov", "3 agents", …: what there is to a file, part by part. */
export function historyParts(versions: readonly PathVersion[], now: number): readonly string[] {
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
      ? `on disk now, ${bytes(newest.size)}`
      : newest.kind === 'absent'
        ? 'not there now'
        : 'no file now'
  ]
}

/** Why a version cannot be restored, null when it can. */
export function whyNotRestored({ stored, kind }: PathVersion): string | null {
  return stored || kind === 'absent' ? null : 'Its content is not kept'
}
