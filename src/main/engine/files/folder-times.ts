/**
 * Whether a folder's times change with the names in it, so that an unchanged folder need not be listed. POSIX requires
 * that, but exFAT keeps the times at a rename or a move into the folder, and network file systems answer from caches.
 */
import { readFileSync } from 'node:fs'
import { errorCode } from './fs-errors.ts'
import { isWithin } from './paths.ts'

/** Names as in /proc/self/mountinfo. Everything through FUSE is unreliable too. */
const UNRELIABLE_FILE_SYSTEMS = new Set([
  'vfat',
  'msdos',
  'exfat',
  '9p',
  'cifs',
  'smb3',
  'nfs',
  'nfs4',
  'afs',
  'ceph',
  'virtiofs',
  'vboxsf'
])

/**
 * Returns a predicate for the folders of one workspace, root-relative: false where every scan must list the folder.
 * Only Linux lists its mounts; elsewhere times are trusted.
 */
export function detectReliableFolderTimes(root: string): (path: string) => boolean {
  let unreliable: readonly string[] | null = null
  return (path) => {
    unreliable ??= unreliableFolders(root)
    return !unreliable.some((folder) => isWithin(path, folder))
  }
}

/** Root-relative mount points; '' if the workspace itself is on such a file system. */
function unreliableFolders(root: string): string[] {
  if (process.platform !== 'linux') return []
  const mounts = readMounts()
  const own = mounts.filter((mount) => isWithin(root, mount.at === '/' ? '' : mount.at))
  // Of several mounts at one path the last one counts.
  const nearest = own.reduce((a, b) => (b.at.length >= a.at.length ? b : a), { at: '', kind: '' })
  const below = mounts.filter((mount) => mount.at !== root && mount.at.startsWith(root === '/' ? '/' : `${root}/`))
  return [
    ...(isUnreliable(nearest.kind) ? [''] : []),
    ...below
      .filter((mount) => isUnreliable(mount.kind))
      .map((mount) => mount.at.slice(root === '/' ? 1 : root.length + 1))
  ]
}

function isUnreliable(kind: string): boolean {
  return UNRELIABLE_FILE_SYSTEMS.has(kind) || kind.startsWith('fuse')
}

/** Parses /proc/self/mountinfo (proc_pid_mountinfo(5)): field 5 is the mount point, with octal escapes. */
function readMounts(): { readonly at: string; readonly kind: string }[] {
  let text: string
  try {
    text = readFileSync('/proc/self/mountinfo', 'utf8')
  } catch (error) {
    // Some sandboxes hide it: times are trusted then.
    if (errorCode(error) === '') throw error
    return []
  }
  return text.split('\n').flatMap((line) => {
    const [mount = '', disk = ''] = line.split(' - ')
    const at = mount.split(' ')[4]
    const kind = disk.split(' ')[0]
    return at && kind
      ? [{ at: at.replace(/\\([0-7]{3})/g, (_, code) => String.fromCharCode(Number.parseInt(code, 8))), kind }]
      : []
  })
}
