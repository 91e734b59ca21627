/** The data folder: `--data`, else DRIFTLINE_DATA, else the default location of the platform. */
import { chmodSync, mkdirSync, rmdirSync, type Stats, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { isAbsolute, join, relative, resolve, sep } from 'node:path'
import { DriftlineError } from '../../contract/errors.ts'
import { type AccessTools, restrictToUser } from '../engine/ports/windows-access.ts'

interface Platform {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly platform: string
  readonly home: string
}

const CURRENT: Platform = {
  env: process.env,
  platform: process.platform,
  // Asked late: a hook, whose launcher names the data folder, need not load node:os.
  get home() {
    return homedir()
  }
}

/** Absolute path of the data folder; `flag` is the value of `--data`. Does not access the disk. */
export function dataDirOf(flag: string | undefined, system: Platform = CURRENT): string {
  const { env, platform } = system
  const configured = flag || env.DRIFTLINE_DATA
  if (configured) return resolve(configured)
  const { home } = system
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'Driftline')
  if (platform === 'win32') return join(env.APPDATA || join(home, 'AppData', 'Roaming'), 'Driftline')
  // The XDG Base Directory Specification requires relative paths to be ignored.
  const xdg = env.XDG_DATA_HOME
  return join(xdg?.startsWith('/') ? xdg : join(home, '.local', 'share'), 'driftline')
}

/** Where compiled code is kept, in a data folder that only this user can change. */
export const codeFolderOf = (dataDir: string): string => join(dataDir, 'cache')

/**
 * Creates the data folder with mode 0700 if it is missing and checks that it is a folder that only this user can change; on
 * Windows one outside the user's own folder gets an access list of its own [PR-1]. Throws `Usage`.
 */
export function ensureDataDir(
  dataDir: string,
  { platform, home }: Pick<Platform, 'platform' | 'home'> = CURRENT,
  tools?: AccessTools
): void {
  try {
    const created = mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    // chmod, because the umask may have removed bits of the owner, too. Created parents have the same mode.
    if (created !== undefined) chmodSync(dataDir, 0o700)
    const stats = statSync(dataDir)
    if (!stats.isDirectory()) throw new Error('it is not a folder')
    const foreign = foreignAccess(stats)
    if (created === undefined && foreign) throw new Error(foreign)
    if (created === undefined) return
    const isPrivate =
      platform === 'win32' ? isBelow(home, dataDir) || restrictToUser(dataDir, tools) : (stats.mode & 0o077) === 0
    if (!isPrivate) {
      rmdirSync(dataDir)
      throw new Error('its disk has no permissions, so other users could read the history')
    }
  } catch (error) {
    // Expected: EACCES, ENOTDIR, EEXIST (a file is there), EROFS, ENOSPC.
    const reason = error instanceof Error ? error.message : String(error)
    throw unusableDataDir(dataDir, reason)
  }
}

/** [PR-2] Why another user could put a history, a socket or a spooled event into the folder; null if none can. */
export function foreignAccess({ uid, mode }: Pick<Stats, 'uid' | 'mode'>): string | null {
  const user = process.geteuid?.()
  // Windows has access lists instead.
  if (user === undefined) return null
  if (uid !== user) return 'it belongs to another user'
  return (mode & 0o022) === 0 ? null : 'other users can write to it; `chmod go-w` on it changes that'
}

export function unusableDataDir(dataDir: string, reason: string): DriftlineError {
  return new DriftlineError(
    'Usage',
    `The data folder ${dataDir} cannot be used: ${reason}. Nothing was changed. Choose another folder with --data or DRIFTLINE_DATA.`,
    { dataDir }
  )
}

/** The recorder's log; older ones are beside it (log-file.ts). */
export function logFileOf(dataDir: string): string {
  return join(dataDir, 'logs', 'recorder.log')
}

/** Windows keeps other users out of a user's folder. */
function isBelow(folder: string, path: string): boolean {
  const inside = relative(folder, path)
  return inside !== '' && inside !== '..' && !inside.startsWith(`..${sep}`) && !isAbsolute(inside)
}
