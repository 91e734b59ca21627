/**
 * Entry of `driftline hook AGENT EVENT`. A separate program file, because agents wait for it and loading code costs
 * most.
 */
import { createRequire } from 'node:module'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { hook } from './cli/hook.ts'
import { loadProgram } from './code-cache.ts'
import type { HookEvent } from './engine/agents/hook-event.ts'
import { unsupportedNodeMessage } from './node-version.ts'
import { PROGRAMS } from './programs.ts'

const quiet = (): void => {}
console.log = quiet
console.error = quiet
console.warn = quiet
const exit = (): never => process.exit(0)
// [GW-1] On any failure the agent continues.
process.on('uncaughtException', exit)
if (unsupportedNodeMessage(process.versions.node) !== null) exit()
hook({ argv: process.argv.slice(2), env: process.env, recorder: PROGRAMS.recorder, ingestInProcess }).then(exit, exit)

async function ingestInProcess(dataDir: string, hookEvent: object): Promise<void> {
  const file = PROGRAMS.hookEngine
  const built = file.endsWith('.cjs') ? loadProgram(file, join(dataDir, 'cache')) : null
  const engine = (built?.exports ?? createRequire(file)(file)) as typeof import('./hook-engine.ts')
  await engine.ingestInProcess(dataDir, homedir(), hookEvent as HookEvent)
  built?.saveCode()
}
