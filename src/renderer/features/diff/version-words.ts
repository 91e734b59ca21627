/** The versions of one file, in words. Pure. */
import type { PathVersion } from '../../../contract/log.ts'
import { bytes } from '../../../contract/sizes.ts'
import { clock, dayInText } from '../../ui/format.ts'

/** Who made a version: a run by what it was asked to do. */
export function versionWho({ origin, prompt, kind }: PathVersion): string {
  const gone = kind === 'absent' ? 'deleted, ' : ''
  if (origin === 'baseline') return kind === 'absent' ? 'before it existed' : 'from the first copy'
  if (origin === 'restore') return `${gone}restored`
  if (origin === 'outside') return kind === 'absent' ? 'deleted outside' : 'changed outside'
  return `${gone}${prompt?.split('\n')[0] || 'a run'}`
}

export function versionWhen({ at }: PathVersion, now: number): string {
  const day = dayInText(at, now)
  return day === 'today' ? clock(at) : `${day} ${clock(at)}`
}

/** "14:08 · Round half to even · 1.9 kB" */
export function versionWords(version: PathVersion, now: number): string {
  const size = version.kind === 'file' ? bytes(version.size) : version.kind === 'symlink' ? 'link' : ''
  return [versionWhen(version, now), versionWho(version), size].filter(Boolean).join(' · ')
}

/** Why a version cannot be looked at, null when it can. */
export function whyNotShown({ stored, kind }: PathVersion): string | null {
  return stored || kind === 'absent' ? null : 'Its content is not kept'
}
