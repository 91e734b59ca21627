/** Events nobody could take in time: one file each in `<data>/spool`, taken in order by whoever opens the engine next. */
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DriftlineError } from '../../../contract/errors.ts'
import { errorCode, isAbsence } from '../ports/fs-errors.ts'
import type { Told } from './told.ts'

/** Larger ones were not written by a hook of ours, bytes. */
const LARGEST = 64 * 1024 * 1024
/** What could not be taken for this long, because a history is damaged or newer, is let go, ms. */
const OLDEST_MS = 7 * 24 * 3600_000

/** Takes every spooled event, oldest first. A file goes when its event was taken, or is no event. */
export async function replaySpool(dataDir: string, take: (told: Told) => Promise<unknown>): Promise<number> {
  const folder = join(dataDir, 'spool')
  let names: string[]
  try {
    names = readdirSync(folder).filter((name) => name.endsWith('.json'))
  } catch (error) {
    if (isAbsence(error)) return 0
    throw error
  }
  let taken = 0
  for (const name of names.sort()) {
    const file = join(folder, name)
    const told = readTold(file)
    if (told) {
      try {
        await take(told)
        taken++
      } catch (error) {
        // A history that cannot be opened now; the others' events are taken all the same.
        if (!(error instanceof DriftlineError)) throw error
        if (Date.now() - told.at < OLDEST_MS) continue
      }
    }
    rmSync(file, { force: true })
  }
  return taken
}

function readTold(file: string): Told | null {
  let value: unknown
  try {
    if (statSync(file).size > LARGEST) return null
    value = JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    // Taken by another process meanwhile, or half a file of a disk that was full.
    if (isAbsence(error) || error instanceof SyntaxError) return null
    if (errorCode(error) === 'EACCES') return null
    throw error
  }
  return isTold(value) ? value : null
}

function isTold(value: unknown): value is Told {
  if (typeof value !== 'object' || value === null) return false
  const { id, agent, event, at, process } = value as Partial<Record<keyof Told, unknown>>
  const pid = (process as { pid?: unknown } | null | undefined)?.pid
  return (
    typeof id === 'string' &&
    typeof agent === 'string' &&
    typeof event === 'string' &&
    typeof at === 'number' &&
    typeof pid === 'number'
  )
}
