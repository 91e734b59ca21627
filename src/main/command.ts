/**
 * Every command of `driftline` but the hook. A separate program file: the build bundles what each command needs into one
 * file, and code-cache.ts caches its compiled code, because reading and compiling is most of the time a command takes.
 */
import { main } from './cli/main.ts'
import type { StartedRecorder } from './host/start-recorder.ts'
import { PROGRAMS } from './programs.ts'
import { VERSION } from './version.ts'

/**
 * Resolves with the exit code, when all output is flushed and the engine is closed. `started`: the recorder that was
 * started for it.
 */
export function runCommand(started: StartedRecorder | null): Promise<number> {
  return main(
    {
      argv: process.argv.slice(2),
      env: process.env,
      version: VERSION,
      programs: PROGRAMS,
      started,
      cwd: () => process.cwd()
    },
    process.stdout,
    process.stderr
  )
}
