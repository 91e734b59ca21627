/** Detects an installed agent: its program, the program's version, and when it last wrote to its own records. */
import { accessSync, constants, existsSync, lstatSync, readdirSync, realpathSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { isNotFound, isUnreadable } from '../../files/fs-errors.ts'
import { readTextIfExists } from './launcher.ts'
import type { Places, Registration } from './registrations.ts'

export interface Presence {
  readonly found: boolean
  /** From the package.json above its program, which is never run for this; null when there is none. */
  readonly version: string | null
}

export function detectPresence(registration: Registration, places: Places): Presence {
  const program = findOnPath(registration.program, places.env.PATH)
  return {
    found: program !== null || existsSync(registration.folder(places)),
    version: program === null ? null : versionOf(program)
  }
}

/** The path of that program, or null. */
export function findOnPath(program: string, path: string | undefined): string | null {
  for (const folder of (path ?? '').split(delimiter)) {
    if (folder === '') continue
    const file = join(folder, program)
    try {
      accessSync(file, constants.X_OK)
      return file
    } catch {
      // Missing, or not executable.
    }
  }
  return null
}

function versionOf(program: string): string | null {
  let at: string
  try {
    at = dirname(realpathSync(program))
  } catch (error) {
    if (isNotFound(error) || isUnreadable(error)) return null
    throw error
  }
  for (let depth = 0; depth < 5 && dirname(at) !== at; depth++, at = dirname(at)) {
    const version = packageVersion(join(at, 'package.json'))
    if (version) return version
  }
  return null
}

function packageVersion(file: string): string | null {
  try {
    const { version } = JSON.parse(readTextIfExists(file) ?? '{}') as { version?: unknown }
    return typeof version === 'string' && /^\d[\w.+-]{0,40}$/.test(version) ? version : null
  } catch (error) {
    // Another program's file: its errors are not ours to report.
    if (error instanceof SyntaxError || isUnreadable(error)) return null
    throw error
  }
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
      for (const name of namesIn(parent)) {
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

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    if (isNotFound(error) || isUnreadable(error)) return []
    throw error
  }
}
