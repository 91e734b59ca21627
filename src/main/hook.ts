/** Entry of `driftline hook AGENT EVENT`, which agents wait for: a program of its own, so that nothing else is read. */
import { createRequire } from 'node:module'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { hook } from './cli/hook.ts'
import { loadProgram } from './code-cache.ts'
import type { Told } from './engine/agents/told.ts'
import { unfitNode } from './fit-node.ts'
import { PROGRAMS } from './programs.ts'

const quiet = (): void => {}
console.log = quiet
console.error = quiet
console.warn = quiet
const leave = (): never => process.exit(0)
// [GW-1] Whatever fails, the agent goes on.
process.on('uncaughtException', leave)
if (unfitNode(process.versions.node) !== null) leave()
hook({ words: process.argv.slice(3), env: process.env, takeHere }).then(leave, leave)

async function takeHere(dataDir: string, told: object): Promise<void> {
  const file = PROGRAMS.hookEngine
  const built = file.endsWith('.cjs') ? loadProgram(file, join(dataDir, 'cache')) : null
  const engine = (built?.exports ?? createRequire(file)(file)) as typeof import('./hook-engine.ts')
  await engine.takeHere(dataDir, homedir(), told as Told)
  built?.keep()
}
