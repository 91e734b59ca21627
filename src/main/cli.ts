/** Entry of the `driftline` command. */
import { main } from './cli/main.ts'
import { PROGRAMS } from './programs.ts'
import { VERSION } from './version.ts'

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
