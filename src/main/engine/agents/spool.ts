/**
 * The spool: hook events that could not be delivered in time, one file each in `<data>/spool`, with the files they name
 * beside them (spool-event.ts). Whoever opens the engine next ingests them in order. File names begin with the time, so
 * that name order is event order.
 */
import { existsSync, lstatSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { DriftlineError } from '../../../contract/errors.ts'
import { errorCode, ifExists, isNotFound } from '../files/fs-errors.ts'
import { removeFile } from '../files/remove.ts'
import type { Clock } from '../ports/clock.ts'
import { log } from '../ports/log.ts'
import { createTimeSlicer } from '../ports/time-slicer.ts'
import type { FileImage, SpooledEvent } from './hook-event.ts'
import { asFields } from './payload.ts'

/** A larger file was not written by our hook, bytes. */
const MAX_EVENT_BYTES = 64 * 1024 * 1024
/**
 * An event that fails is retried for this long, ms: its history may be damaged or from a newer version. Then it is
 * dropped.
 */
const MAX_RETRY_MS = 7 * 24 * 3600_000

/** A temporary file older than this belongs to a hook that was killed, ms. */
const ABANDONED_MS = 60_000
/** Longest time without yielding to the event loop, ms. */
const SLICE_MS = 12

/** How often a recorder looks for events that a hook spooled beside it, because it did not answer in time, ms. */
const POLL_MS = 1000

/**
 * Calls `replay` when there are events that were not there after the last one: one that fails is not tried again each time.
 * Returns a function that stops it.
 */
export function watchSpool(dataDir: string, clock: Clock, replay: () => Promise<void>): () => void {
  const names = (): string =>
    (ifExists(() => readdirSync(join(dataDir, 'spool'))) ?? []).filter((name) => name.endsWith('.json')).join('/')
  let left = ''
  let stopped = false
  let cancel = (): void => {}
  const schedule = (): void => {
    if (!stopped) cancel = clock.setTimeout(() => void poll(), POLL_MS)
  }
  const poll = async (): Promise<void> => {
    try {
      if (names() !== left) {
        await replay()
        left = names()
      }
    } catch (error) {
      log.error('spooled hook events could not be recorded', error)
    }
    schedule()
  }
  schedule()
  return () => {
    stopped = true
    cancel()
  }
}

/**
 * Ingests every spooled event, oldest first, and returns how many succeeded. A failing event does not stop the
 * others. A file is deleted once its event is ingested, or when it holds no event. `images` of an event are absolute.
 * Events whose ids are in `except` are left alone.
 */
export async function replaySpool(
  dataDir: string,
  ingest: (event: SpooledEvent) => Promise<unknown>,
  except: ReadonlySet<string> = new Set()
): Promise<number> {
  const folder = join(dataDir, 'spool')
  const entries = ifExists(() => readdirSync(folder, { withFileTypes: true })) ?? []
  const names = entries.filter((entry) => entry.isFile()).map((entry) => entry.name)
  let ingested = 0
  // There may be thousands: yield between them, because a hook's reply deadline is a timer on this thread.
  const pause = createTimeSlicer(SLICE_MS)
  for (const name of names.sort()) {
    const file = join(folder, name)
    if (!name.endsWith('.json')) {
      removeAbandoned(file)
      continue
    }
    if (except.has(basename(name, '.json'))) continue
    const event = readEvent(folder, file)
    if (event) {
      try {
        await ingest(event)
        ingested++
      } catch (error) {
        // A history that cannot be opened is reported elsewhere (DriftlineError). Continue with the other events in
        // any case.
        if (!(error instanceof DriftlineError)) log.error(`an event of ${event.agent} was not recorded`, error)
        if (Date.now() - event.at < MAX_RETRY_MS) continue
      }
    }
    removeFile(file)
    for (const image of event?.images ?? []) if (image.file !== null) removeFile(image.file)
    const wait = pause()
    if (wait) await wait
  }
  return ingested
}

/** Removes the partial file of a hook that was killed while writing, and a copied file without its event. */
function removeAbandoned(file: string): void {
  if (IMAGE_NAME.test(basename(file)) && existsSync(eventOfImage(file))) return
  const stats = lstatSync(file, { throwIfNoEntry: false })
  if (stats && Date.now() - stats.mtimeMs > ABANDONED_MS) removeFile(file)
}

/** A file that a hook copied: the id of its event, and a number. */
const IMAGE_NAME = /^[\w.-]+\.\d+\.image$/

function eventOfImage(file: string): string {
  return file.replace(/\.\d+\.image$/, '.json')
}

function readEvent(folder: string, file: string): SpooledEvent | null {
  let value: unknown
  try {
    if (statSync(file).size > MAX_EVENT_BYTES) return null
    value = JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    // Ingested by another process meanwhile, or truncated by a full disk.
    if (isNotFound(error) || error instanceof SyntaxError) return null
    if (errorCode(error) === 'EACCES') return null
    throw error
  }
  if (!isHookEvent(value)) return null
  const { images } = value
  return images ? { ...value, images: images.map((image) => imageIn(folder, image)) } : value
}

function imageIn(folder: string, { path, signature, file }: FileImage): FileImage {
  return { path, signature, file: file === null ? null : join(folder, file) }
}

function isHookEvent(value: unknown): value is SpooledEvent {
  const { id, agent, event, at, payload, project, run, home, process, images, transcriptEnd } = asFields(value)
  const { pid, start } = asFields(process)
  const isText = (field: unknown): boolean => typeof field === 'string'
  return (
    [id, agent, event, start].every(isText) &&
    [project, run, home].every((field) => field === undefined || isText(field)) &&
    [at, pid].every((field) => Number.isSafeInteger(field)) &&
    payload !== undefined &&
    (transcriptEnd === undefined || Number.isSafeInteger(transcriptEnd)) &&
    (images === undefined || (Array.isArray(images) && images.every(isImage)))
  )
}

function isImage(value: unknown): boolean {
  const { path, signature, file } = asFields(value)
  if (typeof path !== 'string') return false
  if (signature === null || file === null) return signature === null && file === null
  const { kind, ...numbers } = asFields(signature)
  return (
    typeof file === 'string' &&
    IMAGE_NAME.test(file) &&
    (kind === 'file' || kind === 'symlink') &&
    ['ino', 'size', 'mtime', 'ctime', 'mode'].every((key) => Number.isFinite(numbers[key]))
  )
}
