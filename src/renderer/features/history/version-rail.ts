/** The rail of the version list: file versions as rail rows. Pure. */
import type { PathVersion } from '../../../contract/log.ts'
import { layOutRail, type RailRow, type RailSegment } from '../timeline/rail.ts'

/** Height of a row, px. */
export const VERSION_HEIGHT = 48

/** Rail segments of all versions, newest first. */
export function versionRails(versions: readonly PathVersion[]): RailSegment[] {
  return layOutRail(versions.map(toRailRow), { more: false })
}

function toRailRow({ seq, origin, inForce, drift, back }: PathVersion): RailRow {
  return {
    kind: origin === 'outside' ? 'outside' : origin === 'restore' ? 'restore' : 'node',
    height: VERSION_HEIGHT,
    level: 1,
    seq,
    undone: origin === 'agent' && !inForce,
    expanded: false,
    open: drift === 'open',
    restoredTo: inForce ? back : null
  }
}
