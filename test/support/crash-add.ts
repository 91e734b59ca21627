/** A program that starts an initial snapshot, reports the process that takes it, and waits to be killed. */
import { createEngine } from '../../src/main/engine/engine.ts'
import { readMeta } from '../../src/main/engine/store/meta.ts'
import { openStore } from '../../src/main/engine/store/open-store.ts'
import { storeFile } from '../../src/main/engine/workspaces/store-file.ts'
import { INGEST_PROGRAM } from './programs.ts'

const [dataDir, folder] = process.argv.slice(2) as [string, string]
const engine = await createEngine({ dataDir, host: 'cli', watch: false, programs: { ingest: INGEST_PROGRAM } })
let reported = false
engine.on('coverage.changed', ({ workspace, copy }) => {
  if (reported || !copy || copy.files === 0) return
  reported = true
  const store = openStore(storeFile(dataDir, workspace))
  const copier = JSON.parse(readMeta(store, 'copier') ?? '{}') as { pid: number }
  store.close()
  process.send?.({ copier: copier.pid })
})
await engine.call('workspaces.add', { folder, wait: true })
