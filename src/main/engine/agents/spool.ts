/** Events nobody could take in time: one file each in `<data>/spool`, taken in order by whoever opens the engine next. */
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DriftlineError } from '../../../contract/errors.ts'
import { errorCode, isNotFound } from '../ports/fs-errors.ts'
import { createTimeSlicer } from '../ports/time-slicer.ts'
import type { HookEvent } from './hook-event.ts'
import { asFields } from './payload.ts'

/** Larger ones were not written by a hook of ours, bytes. */
const MAX_EVENT_BYTES = 64 * 1024 * 1024
/** What could not be taken for this long, because a history is damaged or newer or we are at fault, is let go, ms. */
const MAX_RETRY_MS = 7 * 24 * 3600_000

/** No hook takes this long to write a file, ms. */
const ABANDONED_MS = 60_000
/** How long others of this thread wait for it, ms. */
const SLICE_MS = 12

/** Takes every spooled event, oldest first; one that fails stops no other. A file goes when its event was taken, or is no event. */
export async function replaySpool(dataDir: string, take: (told: HookEvent) => Promise<unknown>): Promise<number> {
  const folder = join(dataDir, 'spool')
  let names: string[]
  try {
    names = readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => entry.name)
  } catch (error) {
    if (isNotFound(error)) return 0
    throw error
  }
  let taken = 0
  // There may be thousands, and a hook's own deadline is a timer.
  const pause = createTimeSlicer(SLICE_MS)
  for (const name of names.sort()) {
    const file = join(folder, name)
    if (!name.endsWith('.json')) {
      removeAbandoned(file)
      continue
    }
    const told = readHookEvent(file)
    if (told) {
      try {
        await take(told)
        taken++
      } catch (error) {
        // A history that cannot be opened now is told elsewhere. Whatever it is, the others' events are taken all the same.
        if (!(error instanceof DriftlineError))
          console.error(
            `driftline: an event of ${told.agent} was not recorded: ${error instanceof Error ? error.message : error}`
          )
        if (Date.now() - told.at < MAX_RETRY_MS) continue
      }
    }
    rmSync(file, { force: true })
    const wait = pause()
    if (wait) await wait
  }
  return taken
}

/** Half of an event whose hook was killed while it wrote. */
function removeAbandoned(file: string): void {
  const there = file.endsWith('.tmp') ? statSync(file, { throwIfNoEntry: false }) : undefined
  if (there && Date.now() - there.mtimeMs > ABANDONED_MS) rmSync(file, { force: true })
}

function readHookEvent(file: string): HookEvent | null {
  let value: unknown
  try {
    if (statSync(file).size > MAX_EVENT_BYTES) return null
    value = JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    // Taken by another process meanwhile, or half a file of a disk that was full.
    if (isNotFound(error) || error instanceof SyntaxError) return null
    if (errorCode(error) === 'EACCES') return null
    throw error
  }
  return isHookEvent(value) ? value : null
}

function isHookEvent(value: unknown): value is HookEvent {
  const { id, agent, event, at, payload, project, run, home, process } = asFields(value)
  const { pid, start } = asFields(process)
  const isText = (one: unknown): boolean => typeof one === 'string'
  return (
    [id, agent, event, start].every(isText) &&
    [project, run, home].every((one) => one === undefined || isText(one)) &&
    [at, pid].every((one) => Number.isSafeInteger(one)) &&
    payload !== undefined
  )
}
