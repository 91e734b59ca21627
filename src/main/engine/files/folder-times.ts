/**
 * Whether a folder's times tell that a name in it came, went or changed. Not every disk keeps that promise: on exFAT a rename,
 * or a move into a folder, leaves the folder's times alone; others answer from what they remember.
 */
import { readFileSync } from 'node:fs'
import { errorCode } from '../ports/fs-errors.ts'
import { isWithin } from './workspace-fs.ts'

/** As /proc/self/mountinfo names them; everything through FUSE too. */
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
 * Answers for folders of one workspace, root-relative: false where every look has to list the folder. Only Linux tells what
 * is mounted where; elsewhere times are trusted.
 */
export function detectReliableFolderTimes(root: string): (path: string) => boolean {
  let silent: readonly string[] | null = null
  return (path) => {
    silent ??= unreliableFolders(root)
    return !silent.some((place) => isWithin(path, place))
  }
}

/** Root-relative: '' when the workspace itself lies on such a disk. */
function unreliableFolders(root: string): string[] {
  if (process.platform !== 'linux') return []
  const mounts = readMounts()
  const own = mounts.filter((mount) => isWithin(root, mount.at === '/' ? '' : mount.at))
  // Of several at one place the last one is seen.
  const nearest = own.reduce((a, b) => (b.at.length >= a.at.length ? b : a), { at: '', kind: '' })
  const below = mounts.filter((mount) => mount.at !== root && mount.at.startsWith(root === '/' ? '/' : `${root}/`))
  return [
    ...(isUnreliable(nearest.kind) ? [''] : []),
    ...below.filter((mount) => isUnreliable(mount.kind)).map((mount) => mount.at.slice(root === '/' ? 1 : root.length + 1))
  ]
}

function isUnreliable(kind: string): boolean {
  return UNRELIABLE_FILE_SYSTEMS.has(kind) || kind.startsWith('fuse')
}

function readMounts(): { readonly at: string; readonly kind: string }[] {
  let text: string
  try {
    text = readFileSync('/proc/self/mountinfo', 'utf8')
  } catch (error) {
    // Not every sandbox shows it.
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
