/** Entry of the `driftline` command. */
import { pathToFileURL } from 'node:url'
import { unfitNode } from './fit-node.ts'

const unfit = unfitNode(process.versions.node)
const isHook = process.argv[2] === 'hook'
if (unfit !== null) {
  if (!isHook) console.error(unfit)
  process.exit(isHook ? 0 : 1)
}

// Loaded only now: an older Node fails in it with a message nobody understands.
const { PROGRAMS } = await import('./programs.ts')
// An agent waits for its hook: what the other commands need is not even read.
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
  // Everything is printed and the engine closed; what might still hold the loop (a socket, a timer) is not waited for.
  process.exit(code)
}
