/** A program that begins a first copy, tells which process copies, and waits to be killed. */
import { createEngine } from '../../src/main/engine/engine.ts'
import { openStore } from '../../src/main/engine/store/open-store.ts'
import { storeFile } from '../../src/main/engine/workspaces/open-workspace.ts'
import { INGEST_PROGRAM } from './recorded.ts'

const [dataDir, folder] = process.argv.slice(2) as [string, string]
const engine = await createEngine({ dataDir, host: 'cli', watch: false, programs: { ingest: INGEST_PROGRAM } })
let told = false
engine.on('coverage.changed', ({ workspace, copy }) => {
  if (told || !copy || copy.files === 0) return
  told = true
  const store = openStore(storeFile(dataDir, workspace))
  const copier = JSON.parse(store.meta('copier') ?? '{}') as { pid: number }
  store.close()
  process.send?.({ copier: copier.pid })
})
await engine.call('workspaces.add', { folder, wait: true })
