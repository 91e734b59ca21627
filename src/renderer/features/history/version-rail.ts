/** The versions of a file on the line of the timeline. Pure. */
import type { PathVersion } from '../../../contract/log.ts'
import { type RailPoint, railOf, type Stroke } from '../timeline/rail.ts'

/** Height of a row, px. */
export const VERSION_HEIGHT = 48

/** Strokes of every version, newest first. */
export function versionRails(versions: readonly PathVersion[]): Stroke[][] {
  return railOf(versions.map(pointOf), { more: false })
}

function pointOf({ seq, origin, inForce, drift, back }: PathVersion): RailPoint {
  return {
    kind: origin === 'outside' ? 'outside' : origin === 'restore' ? 'restore' : 'node',
    height: VERSION_HEIGHT,
    level: 1,
    seq,
    takenBack: origin === 'agent' && !inForce,
    unfolded: false,
    open: drift === 'open',
    backTo: inForce ? back : null
  }
}
