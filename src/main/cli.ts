/** Entry of the `driftline` command. */
import { PROGRAMS } from './programs.ts'

// An agent waits for its hook: what the other commands need is not even read.
if (process.argv[2] === 'hook') await runHook()
else await runCommand()

async function runHook(): Promise<void> {
  const quiet = (): void => {}
  console.log = quiet
  console.error = quiet
  console.warn = quiet
  // [GW-1] Whatever fails, the agent goes on.
  process.on('uncaughtException', () => process.exit(0))
  const { hook } = await import('./cli/hook.ts')
  await hook({ words: process.argv.slice(3), env: process.env, ingest: PROGRAMS.ingest })
  process.exit(0)
}

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
