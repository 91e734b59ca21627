/** Who may read a folder on Windows, where modes say nothing. Programs of the system answer, so only when there is time. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, win32 } from 'node:path'

/** What the system says; null when it says nothing. Replaced in tests. */
export interface AccessTools {
  /** The access control list of a folder, in the security descriptor language (SDDL), which has no names in the user's language. */
  readonly sddl: (folder: string) => string | null
  /** The security identifier of this user. */
  readonly ownSid: () => string | null
  /** Leaves access to these identifiers only, for everything below, too. False when that failed. */
  readonly grantOnly: (folder: string, sids: readonly string[]) => boolean
}

const SYSTEM = 'S-1-5-18'
const ADMINISTRATORS = 'S-1-5-32-544'
/** Those who can read every file anyway, and owners: SY, BA, LA, CO and OW of the SDDL, and their identifiers. */
const TRUSTED = new Set(['SY', 'BA', 'LA', 'CO', 'OW', SYSTEM, ADMINISTRATORS, 'S-1-3-0', 'S-1-3-4'])
/** Rights that include reading data, by their names and in a mask: FILE_READ_DATA, GENERIC_ALL, GENERIC_READ. */
const READING = new Set(['FA', 'FR', 'GA', 'GR', 'CC'])
const READING_MASK = 0x1 | 0x10000000 | 0x80000000

/**
 * Who else may read what is in `folder`: groups by their SDDL names (`WD` everyone, `AU` authenticated users, `BU` users of this
 * computer), others by identifier. Empty when nobody may, or the system does not say.
 */
export function otherReaders(folder: string, tools: AccessTools = SYSTEM_TOOLS): string[] {
  const sddl = tools.sddl(folder)
  const own = tools.ownSid()
  if (sddl === null || own === null) return []
  if (sddl.includes('NO_ACCESS_CONTROL')) return ['WD']
  // Type, flags, rights, two ids of objects, and who: ACE strings of the SDDL.
  const readers = [...sddl.matchAll(/\(A;[^;]*;([^;]*);[^;]*;[^;]*;([^;)]*)/g)].flatMap(([, rights = '', who = '']) => {
    const mayRead = rights.startsWith('0x')
      ? (Number(rights) & READING_MASK) !== 0
      : rights.match(/../g)?.some((right) => READING.has(right))
    return mayRead && who !== own && !TRUSTED.has(who) ? [who] : []
  })
  return [...new Set(readers)].sort()
}

/** Leaves access to the user and the system only. False when that failed. */
export function restrictToUser(folder: string, tools: AccessTools = SYSTEM_TOOLS): boolean {
  const own = tools.ownSid()
  return own !== null && tools.grantOnly(folder, [own, SYSTEM, ADMINISTRATORS])
}

const SYSTEM_TOOLS: AccessTools = {
  sddl: (folder) => {
    const place = mkdtempSync(join(tmpdir(), 'driftline-access-'))
    try {
      const file = join(place, 'acl')
      return runTool('icacls.exe', [folder, '/save', file, '/q']) === null ? null : readFileSync(file, 'utf16le')
    } catch {
      // ENOENT: icacls wrote nothing.
      return null
    } finally {
      rmSync(place, { recursive: true, force: true })
    }
  },
  ownSid: () => /S-1-[\d-]+/.exec(runTool('whoami.exe', ['/user', '/fo', 'csv', '/nh']) ?? '')?.[0] ?? null,
  grantOnly: (folder, sids) => {
    const grants = sids.flatMap((sid) => ['/grant:r', `*${sid}:(OI)(CI)F`])
    return runTool('icacls.exe', [folder, '/inheritance:r', ...grants, '/q']) !== null
  }
}

/** The output of a program of Windows; null when it failed. By its path: the current folder may hold another of that name. */
function runTool(name: string, args: readonly string[]): string | null {
  const file = win32.join(process.env.SystemRoot ?? 'C:\\Windows', 'System32', name)
  const { status, stdout } = spawnSync(file, args, { encoding: 'utf8', windowsHide: true, timeout: 10_000 })
  return status === 0 ? stdout : null
}
