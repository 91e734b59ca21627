/** Real temporary folders that clean up after themselves. */
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface TempFolder extends Disposable {
  readonly path: string
}

/** A fresh folder, real-pathed (macOS's /tmp is a link). Use with `using`. */
export function tempFolder(prefix = 'driftline-test-'): TempFolder {
  const path = realpathSync(mkdtempSync(join(tmpdir(), prefix)))
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) }
}
