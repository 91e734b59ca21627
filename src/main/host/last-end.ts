/** How the host before this one ended. Every host that ends well removes its engine.json: one that is still there was cut off. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readEngineFile } from './engine-file.ts'

export interface LastEnd {
  readonly lastEnd: 'clean' | 'unexpected'
  /** It was cut off so often of late that this one had better not do what those did: watch folders. */
  readonly safeMode: boolean
}

/** So many unexpected ends within this time, ms, and the next start is a safe one. */
const CRASHES = 3
const WITHIN = 10 * 60_000

/** Call as the host, before engine.json is written anew. `now` in ms UTC. */
export function noteLastEnd(dataDir: string, now: number): LastEnd {
  const file = join(dataDir, 'crashes.json')
  if (!readEngineFile(dataDir)) return { lastEnd: 'clean', safeMode: false }
  const recent = [...readTimes(file).filter((at) => now - at < WITHIN && at <= now), now]
  writeFileSync(file, `${JSON.stringify(recent)}\n`, { mode: 0o600 })
  return { lastEnd: 'unexpected', safeMode: recent.length >= CRASHES }
}

function readTimes(file: string): number[] {
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'))
    return Array.isArray(value) ? value.filter((one) => typeof one === 'number') : []
  } catch {
    // Expected: ENOENT, the first crash; SyntaxError, a list that a crash cut short. Nothing hangs on it but caution.
    return []
  }
}
