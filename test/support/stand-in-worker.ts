/** The program of the engine thread with the fake engine. */
import { parentPort } from 'node:worker_threads'
import { runEngineThread } from '../../src/main/host/thread-engine-side.ts'
import { createEngine, serve } from './fake-engine.ts'

if (!parentPort) throw new Error('stand-in-worker is a worker thread.')
runEngineThread(parentPort, { createEngine, serve })
