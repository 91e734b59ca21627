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
const { PROGRAMS } = await import('./programs.ts')
// Agents wait for their hooks, so a hook is a program of its own.
if (isHook) await import(pathToFileURL(PROGRAMS.hook).href)
else await runCommand()

async function runCommand(): Promise<void> {
  const [{ main }, { VERSION }] = await Promise.all([import('./cli/main.ts'), import('./version.ts')])
  const code = await main(
    {
      argv: process.argv.slice(2),
      env: process.env,
      version: VERSION,
      programs: PROGRAMS,
      cwd: () => process.cwd()
    },
    process.stdout,
    process.stderr
  )
  // All output is flushed and the engine is closed. Exit without waiting for an open socket or timer.
  process.exit(code)
}
