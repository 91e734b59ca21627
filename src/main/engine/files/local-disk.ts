/** The file systems of which Linux itself writes the files and their times; no server does, as of FUSE or a network. */
import { statfsSync } from 'node:fs'
import { ifReadable } from './fs-errors.ts'

/** Their numbers in statfs(2): ext2 to ext4, XFS, Btrfs, F2FS, tmpfs. */
const FILE_SYSTEMS = new Set([0xef53, 0x58465342, 0x9123683e, 0xf2f52010, 0x01021994])

/** Whether a path is on one of them; false if it is gone or cannot be reached. */
export function isLocalDisk(absolute: string): boolean {
  const fileSystem = process.platform === 'linux' ? ifReadable(() => statfsSync(absolute).type) : null
  return fileSystem !== null && FILE_SYSTEMS.has(fileSystem)
}
