/** The folders of positions in the data folder. Each is named by the process that uses it, and goes when that has ended. */
import { mkdirSync, mkdtempSync, readdirSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { ifExists } from '../files/fs-errors.ts'
import { log } from '../ports/log.ts'
import { isAlive, type ProcessId } from '../ports/processes.ts'

const PARENT = 'positions'

/** A new, empty folder for a process. */
export function makePositionFolder(dataDir: string, { pid, start }: ProcessId): string {
  const parent = join(dataDir, PARENT)
  mkdirSync(parent, { recursive: true, mode: 0o700 })
  return mkdtempSync(join(parent, `${pid}-${start === '' ? 'x' : start}-`))
}

/** Deletes the folders of processes that were killed before they could. Never rejects. */
export async function removeLeftPositions(dataDir: string): Promise<void> {
  const parent = join(dataDir, PARENT)
  for (const name of ifExists(() => readdirSync(parent)) ?? []) {
    const [pid = '', start = ''] = name.split('-')
    if (isAlive({ pid: Number(pid), start: start === 'x' ? '' : start })) continue
    try {
      await rm(join(parent, name), { recursive: true, force: true })
    } catch (error) {
      log.warn(`${join(parent, name)} could not be deleted`, error)
    }
  }
}
