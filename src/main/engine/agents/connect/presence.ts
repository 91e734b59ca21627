/** Detects an installed agent: its program, the program's version, and when it last wrote to its own records. */
import { existsSync, lstatSync, readdirSync, readFileSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { AgentState } from '../../../../contract/agents.ts'
import { ifReadable } from '../../files/fs-errors.ts'
import { findProgram } from '../../ports/programs.ts'
import { asText, parseRecord } from '../payload.ts'
import type { Places, Registration } from './registrations.ts'

/** Its version is that of the package.json above its program, which is never run for this; null when there is none. */
export function detectPresence(registration: Registration, places: Places): Pick<AgentState, 'found' | 'version'> {
  const program = findProgram(registration.program, { cwd: places.home, env: places.env })
  return {
    found: program !== null || existsSync(registration.folder(places)),
    version: program === null ? null : versionOf(program)
  }
}

function versionOf(program: string): string | null {
  const start = ifReadable(() => dirname(realpathSync(program)))
  for (let at = start, depth = 0; at !== null && depth < 5 && dirname(at) !== at; at = dirname(at), depth++) {
    const version = packageVersion(join(at, 'package.json'))
    if (version) return version
  }
  return null
}

/** Another program's file: its errors are not ours to report. */
function packageVersion(file: string): string | null {
  const version = asText(parseRecord(ifReadable(() => readFileSync(file, 'utf8')) ?? '').version)
  return version !== null && /^\d[\w.+-]{0,40}$/.test(version) ? version : null
}

/** How many folders to read on each level (newest first), and how many levels. */
const MAX_BREADTH = 3
const MAX_DEPTH = 5

/**
 * When the agent last wrote to its own records below `folder`, ms UTC; 0 when never. Reads only the newest few
 * folders.
 */
export function lastActivityAt(folder: string): number {
  let newest = 0
  let level = [folder]
  for (let depth = 0; depth < MAX_DEPTH && level.length > 0; depth++) {
    const below: { readonly path: string; readonly at: number }[] = []
    for (const parent of level) {
      for (const name of ifReadable(() => readdirSync(parent)) ?? []) {
        const stats = lstatSync(join(parent, name), { throwIfNoEntry: false })
        if (stats?.isDirectory()) below.push({ path: join(parent, name), at: stats.mtimeMs })
        else if (stats?.isFile() && /\.jsonl?$/.test(name)) newest = Math.max(newest, stats.mtimeMs)
      }
    }
    level = below
      .sort((a, b) => b.at - a.at)
      .slice(0, MAX_BREADTH)
      .map(({ path }) => path)
  }
  return newest
}
