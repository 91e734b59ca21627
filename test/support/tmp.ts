/** Real temporary folders that are removed after use. */
import { chmodSync, lstatSync, mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface TempFolder extends Disposable {
  readonly path: string
}

/** Creates a folder and returns its real path (/tmp is a link on macOS). Use with `using`. */
export function tempFolder(prefix = 'driftline-test-'): TempFolder {
  const path = realpathSync(mkdtempSync(join(tmpdir(), prefix)))
  return { path, [Symbol.dispose]: () => removeAll(path) }
}

/** Removes everything, also folders that a failed test left without permissions. */
function removeAll(path: string): void {
  try {
    // On Windows a program that is about to end keeps its current folder.
    rmSync(path, { recursive: true, force: true, maxRetries: process.platform === 'win32' ? 10 : 0 })
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EACCES')) throw error
    unlock(path)
    rmSync(path, { recursive: true, force: true })
  }
}

function unlock(folder: string): void {
  chmodSync(folder, 0o700)
  for (const name of readdirSync(folder)) {
    if (lstatSync(join(folder, name)).isDirectory()) unlock(join(folder, name))
  }
}
