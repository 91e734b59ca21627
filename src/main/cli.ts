/** Entry of the `driftline` command. It imports on demand: a hook must not load the other commands. */
import { pathToFileURL } from 'node:url'
import { hookWords } from './cli/hook-words.ts'
import { unsupportedNodeMessage } from './node-version.ts'

const unsupported = unsupportedNodeMessage(process.versions.node)
const isHook = hookWords(process.argv.slice(2)).words[0] === 'hook'
if (unsupported !== null) {
  if (!isHook) console.error(unsupported)
  process.exit(isHook ? 0 : 1)
}

// Imported after the version check: an older Node fails in it with an obscure message.
if (isHook) {
  // Agents wait for their hooks, so a hook is a program of its own.
  const { PROGRAMS } = await import('./programs.ts')
  await import(pathToFileURL(PROGRAMS.hook).href)
} else {
  const { loadCommand } = await import('./load-command.ts')
  const { runCommand, saveCode } = await loadCommand(process.argv.slice(2))
  const code = await runCommand()
  saveCode()
  // Exit without waiting for an open socket or timer.
  process.exit(code)
}
