/** Where Driftline keeps its data: `--data`, else DRIFTLINE_DATA, else the platform's place. */
import { chmodSync, mkdirSync, rmdirSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { DriftlineError } from '../../contract/errors.ts'

interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly platform: string
  readonly home: string
}

const HERE: Surroundings = { env: process.env, platform: process.platform, home: homedir() }

/** Absolute path of the data folder; `flag` is the value of `--data`, if given. Touches nothing. */
export function dataDirOf(flag: string | undefined, { env, platform, home }: Surroundings = HERE): string {
  const chosen = flag || env.DRIFTLINE_DATA
  if (chosen) return resolve(chosen)
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'Driftline')
  if (platform === 'win32') return join(env.APPDATA || join(home, 'AppData', 'Roaming'), 'Driftline')
  // The XDG rules say a relative path is to be ignored.
  const xdg = env.XDG_DATA_HOME
  return join(xdg?.startsWith('/') ? xdg : join(home, '.local', 'share'), 'driftline')
}

/** Makes the data folder, 0700, and checks that it is a folder we may write. Throws `Usage` with a sentence. */
export function ensureDataDir(dataDir: string): void {
  try {
    const made = mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    // The umask can only take bits away; parents that had to be made too get the same mode.
    if (made !== undefined) chmodSync(dataDir, 0o700)
    const stats = statSync(dataDir)
    if (!stats.isDirectory()) throw new Error('it is not a folder')
    if (made !== undefined && !isPrivate(stats.mode)) {
      rmdirSync(dataDir)
      throw new Error('its disk keeps no permissions, so others could read all that is recorded')
    }
  } catch (error) {
    // Expected: EACCES, ENOTDIR, EEXIST (a file is there), EROFS, ENOSPC.
    const reason = error instanceof Error ? error.message : String(error)
    throw new DriftlineError(
      'Usage',
      `The data folder ${dataDir} cannot be used: ${reason}. Nothing was changed; choose another one with --data or DRIFTLINE_DATA.`,
      { dataDir }
    )
  }
}

/** Windows tells who may read by other means. */
function isPrivate(mode: number): boolean {
  return process.platform === 'win32' || (mode & 0o077) === 0
}
