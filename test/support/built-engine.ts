/** The engine of a command line in the process of a test: the built one, which every later command finds loaded. */
import { createRequire } from 'node:module'
import { ENGINE } from './programs.ts'

const built = createRequire(import.meta.url)(ENGINE) as typeof import('../../src/main/cli-engine.ts')

export const { openEngine, problemsOfDatabase } = built
