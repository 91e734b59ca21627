/** Empty databases as the product creates them, created once in a process: creating one takes longer than many a test. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { openAppStore } from '../../src/main/engine/store/app-store.ts'
import { openStore } from '../../src/main/engine/store/open-store.ts'
import { tempFolder } from './tmp.ts'

const created = new Map<Opener, Buffer>()

type Opener = (file: string) => { close(): void }

/** Puts an empty app.db where nothing is yet. */
export const putAppStore = (file: string): void => put(file, openAppStore)

/** Puts an empty store.db where nothing is yet. */
export const putStore = (file: string): void => put(file, openStore)

function put(file: string, open: Opener): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  writeFileSync(file, created.get(open) ?? create(open), { mode: 0o600, flag: 'wx' })
}

function create(open: Opener): Buffer {
  using temp = tempFolder()
  const file = join(temp.path, 'empty.db')
  open(file).close()
  const bytes = readFileSync(file)
  created.set(open, bytes)
  return bytes
}
