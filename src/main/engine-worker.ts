/**
 * Entry of the engine's worker thread. The engine is a program file of its own, because compiling it is most of the time
 * until a recorder answers.
 */
import { parentPort, workerData } from 'node:worker_threads'
import { importProgram, runProgram, saveCodeSoon } from './code-cache.ts'
import type { EngineThreadData, SentProgram } from './host/launch-engine.ts'
import { PROGRAMS } from './programs.ts'

type Engine = typeof import('./cli-engine.ts')

const port = parentPort
if (!port) throw new Error('engine-worker must be started as a worker thread of a host.')
if ((workerData as EngineThreadData).isProgramSent)
  // At once, so that the messages that follow find their listener.
  port.once('message', (sent: SentProgram) => {
    if (sent instanceof Error) throw sent
    const loaded = runProgram(sent)
    saveCodeSoon(loaded)
    const engine = loaded.exports as Engine
    engine.runEngine(port)
  })
else void importProgram(PROGRAMS.engine, null).then(({ exports }) => (exports as Engine).runEngine(port))
