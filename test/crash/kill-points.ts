/** Chooses before which statements a process is killed, and reads what it had stored until then. */
import { expect } from 'vitest'
import type { Store } from '../../src/main/engine/store/open-store.ts'
import { readStoredContent } from '../../src/main/engine/store/versions.ts'
import type { WriteCount } from '../support/crash-child.ts'
import { KILLED, runCrashChild, type startCrashChild, type Work } from '../support/crash-process.ts'
import { LONG } from '../support/scale.ts'

const MOST_KILLS = LONG ? 60 : 3

/** Runs the work to its end and returns what it wrote. */
export async function countWrites(folder: Parameters<typeof startCrashChild>[0], work: Work): Promise<WriteCount> {
  const { code, errors, message } = await runCrashChild(folder, work)
  expect(code, errors).toBe(0)
  return message as WriteCount
}

/** Runs the work and kills it before a statement, unless it ends with fewer of them than the time it was counted. */
export async function killBefore(folder: Parameters<typeof startCrashChild>[0], work: Work, dieBefore: number) {
  const { errors, ...ended } = await runCrashChild(folder, { ...work, dieBefore } as Work)
  if (ended.code !== 0) expect(ended, errors).toMatchObject(KILLED)
}

/** Before and after COMMITs, and evenly between them; all statements in the long form. */
export function killPoints({ writes, commits }: WriteCount): number[] {
  const half = Math.ceil(MOST_KILLS / 2)
  const edges = [...new Set(commits.flatMap((n) => [n, n + 1]))].filter((n) => n <= writes)
  const between = evenly(
    Array.from({ length: writes }, (_, n) => n + 1),
    half
  )
  const chosen = LONG ? Array.from({ length: writes }, (_, n) => n + 1) : [...evenly(edges, half), ...between]
  return evenly(
    [...new Set(chosen)].sort((a, b) => a - b),
    MOST_KILLS
  )
}

function evenly(numbers: readonly number[], most: number): number[] {
  const count = Math.min(most, numbers.length)
  return Array.from({ length: count }, (_, n) => numbers[Math.floor((n * numbers.length) / count)] as number)
}

/**
 * The bytes of each version that a path had, oldest first; null where they were evicted, and for all but the `newest`. Read
 * from the store itself.
 */
export function storedVersions(store: Store, path: string, newest = Number.POSITIVE_INFINITY): (Buffer | null)[] {
  const { records } = store
  const head = records.head(path)
  if (!head) return []
  const edits = records.editsOf(head.id).toReversed()
  const ids = [edits[0]?.before ?? head.version, ...edits.map(({ after }) => after)]
  return ids.map((id, n) => {
    if (n < ids.length - newest) return null
    const version = records.version(id as number)
    return version.notStored === null ? readStoredContent(store, version) : null
  })
}

/** Compares bytes without printing large ones. */
export function expectSameVersions(stored: readonly (Buffer | null)[], written: readonly Buffer[], of: string): void {
  const differing = stored.flatMap((bytes, n) => (bytes && written[n]?.equals(bytes) ? [] : [n]))
  expect(differing, `versions of ${of}`).toEqual([])
}
