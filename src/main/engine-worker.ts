/**
 * Entry of the engine's worker thread. The engine is a program file of its own, because compiling it is most of the time
 * until a recorder answers.
 */
import { parentPort, workerData } from 'node:worker_threads'
import { importProgram, saveCodeSoon } from './code-cache.ts'
import type { EngineThreadData } from './host/launch-engine.ts'
import { PROGRAMS } from './programs.ts'

const port = parentPort
if (!port) throw new Error('engine-worker must be started as a worker thread of a host.')
void importProgram(PROGRAMS.engine, (workerData as EngineThreadData).codeFolder).then((loaded) => {
  saveCodeSoon(loaded)
  const engine = loaded.exports as typeof import('./cli-engine.ts')
  engine.runEngine(port)
})
