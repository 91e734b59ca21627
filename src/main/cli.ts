/**
 * Entry of the `driftline` command. It imports on demand: a hook must not load the other commands. The build makes it
 * CommonJS, because Node's loader of modules takes a tenth of what a command takes.
 */
import { pathToFileURL } from 'node:url'
import { isHookCall } from './cli/hook-words.ts'
import { unsupportedNodeMessage } from './node-version.ts'

const unsupported = unsupportedNodeMessage(process.versions.node)
const isHook = isHookCall(process.argv.slice(2))
if (unsupported !== null) {
  if (!isHook) console.error(unsupported)
  process.exit(isHook ? 0 : 1)
}

/** Imports after the version check: an older Node fails in these with an obscure message. */
async function run(): Promise<void> {
  if (isHook) {
    // Agents wait for their hooks, so a hook is a program of its own.
    const { PROGRAMS } = await import('./programs.ts')
    await import(pathToFileURL(PROGRAMS.hook).href)
    return
  }
  const { startEarly } = await import('./cli/early-start.ts')
  const { PROGRAMS } = await import('./programs.ts')
  const started = startEarly(process.argv.slice(2), PROGRAMS.recorder)
  const { loadCommand } = await import('./load-command.ts')
  const { runCommand, saveCode } = await loadCommand(process.argv.slice(2))
  const code = await runCommand(started)
  saveCode()
  // Exit without waiting for an open socket or timer.
  process.exit(code)
}

void run()
