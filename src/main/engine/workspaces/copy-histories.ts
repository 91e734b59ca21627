/**
 * Copies of all histories for a program that takes them elsewhere. Each database is copied as it is at one moment; that
 * the list of folders and the histories are of different moments is repaired when they are opened (folder-list.ts).
 */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { CopiedHistories } from '../../../contract/storage.ts'
import { ifExists } from '../files/fs-errors.ts'
import { removeTree } from '../files/remove.ts'
import { copyClosedDatabase, copyDatabase } from '../store/copy-database.ts'
import type { Registry } from './registry.ts'
import { storeFile } from './store-file.ts'

/** A copy that nobody fetched within this time is of a command that was killed, ms. */
const LEFT_MS = 24 * 60 * 60_000

/** Copies into a new folder inside the data folder, which whoever asked for it deletes. On failure there is none. */
export async function copyHistories(registry: Registry, dataDir: string, now: number): Promise<CopiedHistories> {
  const folder = makeFolder(join(dataDir, 'backup'), now)
  try {
    let bytes = await registry.copyList(join(folder, 'app.db'))
    let histories = 0
    const opened = new Map(registry.opened().map((open) => [open.workspace.id, open.store]))
    for (const { id } of [...registry.list(), ...registry.removed()]) {
      const file = storeFile(dataDir, id)
      if (!existsSync(file)) continue
      const copy = storeFile(folder, id)
      mkdirSync(dirname(copy), { recursive: true, mode: 0o700 })
      const store = opened.get(id)
      bytes += store ? await copyDatabase(store, copy) : await copyClosedDatabase(file, copy)
      histories++
    }
    return { folder, histories, bytes }
  } catch (error) {
    removeTree(folder)
    throw error
  }
}

function makeFolder(parent: string, now: number): string {
  for (const name of ifExists(() => readdirSync(parent)) ?? []) {
    const left = join(parent, name)
    if ((ifExists(() => statSync(left).mtimeMs) ?? now) < now - LEFT_MS) removeTree(left)
  }
  mkdirSync(parent, { recursive: true, mode: 0o700 })
  return mkdtempSync(join(parent, 'copy-'))
}
