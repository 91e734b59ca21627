/** The engine thread's program with the stand-in engine in it. */
import { parentPort, workerData } from 'node:worker_threads'
import { runEngineThread } from '../../src/main/host/thread-engine-side.ts'
import type { EngineStart } from '../../src/main/host/thread-messages.ts'
import { createEngine, serve } from './stand-in-engine.ts'

if (!parentPort) throw new Error('stand-in-worker is a worker thread.')
runEngineThread(parentPort, workerData as EngineStart, { createEngine, serve })
