/**
 * How the previous host ended. A clean exit removes engine.json, so a remaining file means that the host crashed or was
 * killed.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { EngineStart } from '../../contract/engine-start.ts'
import type { RecorderEnd } from '../../contract/recorder.ts'
import { log } from '../engine/ports/log.ts'
import { readEngineFile } from './engine-file.ts'

const endFile = (dataDir: string): string => join(dataDir, 'last-end.json')

/** Replaces the recorded end. A data folder that is gone or full keeps none. */
export function writeLastEnd(dataDir: string, end: RecorderEnd): void {
  note(endFile(dataDir), end)
}

/** A recorder starts and ends without a note of how the last one ended. */
function note(file: string, value: unknown): void {
  try {
    writeFileSync(file, `${JSON.stringify(value)}\n`, { mode: 0o600 })
  } catch (error) {
    log.warn('the end of the recorder could not be noted', error)
  }
}

/** How the previous recorder ended, null if none is known. */
export function readLastEnd(dataDir: string): RecorderEnd | null {
  const value = readJson(endFile(dataDir)) as Partial<RecorderEnd> | null
  return typeof value?.at === 'number' && typeof value.why === 'string' ? { at: value.at, why: value.why } : null
}

type LastEnd = Required<Pick<EngineStart, 'lastEnd' | 'safeMode'>>

/** After repeated crashes the next host does not watch folders, because watching may be the cause: this many ... */
const CRASHES = 3
/** ... within this time, ms. */
const CRASH_WINDOW_MS = 10 * 60_000

/** Must be called with the host lock held, before engine.json is written. `now` is in ms UTC. */
export function recordLastEnd(dataDir: string, now: number): LastEnd {
  const file = join(dataDir, 'crashes.json')
  if (!readEngineFile(dataDir)) return { lastEnd: 'clean', safeMode: false }
  const recent = [...readTimes(file).filter((at) => now - at < CRASH_WINDOW_MS && at <= now), now]
  note(file, recent)
  writeLastEnd(dataDir, { at: now, why: 'unexpected' })
  return { lastEnd: 'unexpected', safeMode: recent.length >= CRASHES }
}

function readTimes(file: string): number[] {
  const value = readJson(file)
  return Array.isArray(value) ? value.filter((time) => typeof time === 'number') : []
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    // Expected: ENOENT (the first time), SyntaxError (a write that was cut short). Forgetting an end only delays safe
    // mode.
    return null
  }
}
