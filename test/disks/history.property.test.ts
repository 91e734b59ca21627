/** The random histories of test/property on disks of other systems. */
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { histories, play } from '../property/history.ts'
import { tally } from '../property/tally.ts'
import { type Change, make } from '../property/tree-changes.ts'
import { LONG, limitFor, SEED, scaled } from '../support/scale.ts'
import { type DiskSettings, PROFILES, type Profile, scriptedDisk } from '../support/scripted-disk.ts'
import { tempFolder } from '../support/tmp.ts'

const HISTORIES = LONG ? scaled(40) : 5

/** What the disk refuses (a link, a folder moved into itself under another spelling) is no change. */
function makeIfTaken(root: string, change: Change): void {
  try {
    make(root, change)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error
  }
}

test.for(Object.keys(PROFILES) as Profile[])(
  `[RS-6] [RS-7] [RS-15] ${HISTORIES} random histories are exact on a disk like %s (seed ${SEED})`,
  { tags: 'scripted-disk', timeout: 10 * limitFor(HISTORIES) },
  async (profile) => {
    const settings: DiskSettings = PROFILES[profile]
    const { inUse: _, ...quiet } = settings
    const played = tally()
    using temp = tempFolder()
    await using disk = await scriptedDisk(temp.path, settings)
    let folders = 0
    await fc.assert(
      fc.asyncProperty(histories, (steps) =>
        play(steps, {
          place: join(disk.path, String(++folders)),
          make: makeIfTaken,
          undisturbed: async (work) => {
            await disk.set(quiet)
            await work()
            await disk.set(settings)
          },
          remount: disk.again,
          played
        })
      ),
      { numRuns: HISTORIES, seed: SEED }
    )
    expect(played.never(['restore', 'undo-run', 'undo', 'redo', 'cut-off'])).toEqual(LONG ? [] : expect.any(Array))
  }
)
