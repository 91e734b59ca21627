/** How the previous host ended. A clean exit removes engine.json, so a remaining file means that the host crashed or was killed. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { EngineStart } from '../../contract/api.ts'
import { readEngineFile } from './engine-file.ts'

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
  writeFileSync(file, `${JSON.stringify(recent)}\n`, { mode: 0o600 })
  return { lastEnd: 'unexpected', safeMode: recent.length >= CRASHES }
}

function readTimes(file: string): number[] {
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'))
    return Array.isArray(value) ? value.filter((time) => typeof time === 'number') : []
  } catch {
    // Expected: ENOENT (the first crash), SyntaxError (a write that was cut short). An empty list only delays safe mode.
    return []
  }
}
