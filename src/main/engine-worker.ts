/** Entry of the engine's worker thread. */
import { parentPort, workerData } from 'node:worker_threads'
import type { EngineStart } from '../contract/api.ts'
import { createEngine } from './engine/engine.ts'
import { serve } from './engine/serve.ts'
import { runEngineThread } from './host/thread-engine-side.ts'

if (!parentPort) throw new Error('engine-worker must be started as a worker thread of a host.')
runEngineThread(parentPort, workerData as EngineStart, { createEngine, serve })
