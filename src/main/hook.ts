/**
 * Entry of `driftline hook AGENT EVENT`. A separate program file, because agents wait for it and loading code costs
 * most.
 */
import { hook } from './cli/hook.ts'
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
// Loaded only for an event that no recorder took, and so is node:module.
const spool: typeof import('./hook-spool.ts').spoolEvent = (...event) => {
  const { createRequire } = process.getBuiltinModule('node:module')
  return (createRequire(PROGRAMS.hookSpool)(PROGRAMS.hookSpool) as typeof import('./hook-spool.ts')).spoolEvent(
    ...event
  )
}
hook({ argv: process.argv.slice(2), env: process.env, recorder: PROGRAMS.recorder, spool }).then(exit, exit)
