/**
 * Entry of the recorder in the background. A caller waits for it, so the engine's thread comes first: it starts while
 * this one loads the rest.
 */
import { importProgram, saveCodeSoon } from './code-cache.ts'
import { codeFolder } from './code-folder.ts'
import { launchEngine } from './host/launch-engine.ts'
import { PROGRAMS } from './programs.ts'

async function run(argv: readonly string[]): Promise<number> {
  const folder = codeFolder(argv)
  const engine = launchEngine(PROGRAMS.engineWorker, folder)
  const loaded = await importProgram(PROGRAMS.recorderHost, folder)
  saveCodeSoon(loaded)
  return (loaded.exports as typeof import('./recorder-host.ts')).runRecorder(argv, engine)
}

// It has written nothing to a pipe, and nothing that is left open may keep it running.
void run(process.argv.slice(2)).then((code) => process.exit(code))
