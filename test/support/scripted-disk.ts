/**
 * Disks that behave as those of other systems, or fail at a given call: `scripted-disk.py` shows a folder through FUSE. What is on
 * one lies in `kept` under the names that the disk keeps, and stays there while it is not mounted.
 */
import { type ChildProcessByStdio, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'

/** The system's, for which Debian and Ubuntu package fusepy. */
export const PYTHON = '/usr/bin/python3'
const PROGRAM = resolve(import.meta.dirname, 'scripted-disk.py')

type Call = 'open' | 'create' | 'read' | 'write' | 'fsync' | 'readdir' | 'getattr' | 'rename' | 'unlink' | 'rmdir' | '*'

interface Fault {
  readonly calls: readonly Call[]
  /** A pattern for paths relative to the disk; `*` covers slashes. Of a rename either path counts. */
  readonly path?: string
  /** The first call that meets it, from 1, and of how many. */
  readonly nth?: number
  readonly times?: number
  readonly errno?: string
  readonly waitMs?: number
  /** No answer until the settings are replaced: no signal ends a process that waits for it. */
  readonly hangs?: boolean
  /** A write stores half of its bytes. */
  readonly half?: boolean
}

/** How the disk differs from the Linux disk below it. */
export interface DiskSettings {
  readonly foldsCase?: boolean
  /** Names that differ by their Unicode form are one. */
  readonly foldsForm?: boolean
  /** The form in which new names are stored. */
  readonly storesForm?: 'NFD' | 'NFC'
  /** Bytes. */
  readonly longestName?: number
  /** Refuses what Windows refuses, and drops dots and blanks at the end of a name. */
  readonly windowsNames?: boolean
  /**
   * For so long after it was written, another program has a file open, ms from and to: it cannot be renamed, replaced, deleted
   * or written to, nor read with `reading`, and no folder above it can be renamed. `name`: a pattern; `errno`: default EBUSY.
   */
  readonly inUse?: {
    readonly ms: readonly [number, number]
    readonly errno?: string
    readonly name?: string
    readonly reading?: boolean
  }
  /** A file without write permission cannot be replaced or deleted. */
  readonly readOnlyFiles?: boolean
  /** Keeps no permissions, or with `readOnlyFiles` that one alone. */
  readonly noModes?: boolean
  readonly noLinks?: boolean
  readonly noHardLinks?: boolean
  readonly noChangeTime?: boolean
  readonly noFolderTimes?: boolean
  readonly noFolderSync?: boolean
  readonly timeStepMs?: number
  /** Inode numbers are others at each mount. */
  readonly freshInodes?: boolean
  /** How often NTFS has given each inode number again, which it has in its upper 16 bits. */
  readonly inodeReuses?: number
  /** How long Linux may remember names, as with most FUSE disks; set when it is mounted. */
  readonly namesCachedSeconds?: number
  readonly faults?: readonly Fault[]
}

export const PROFILES = {
  plain: {},
  apfs: { foldsCase: true, foldsForm: true, longestName: 255 },
  'apfs-sensitive': { foldsForm: true, longestName: 255 },
  hfs: { foldsCase: true, foldsForm: true, storesForm: 'NFD', timeStepMs: 1000 },
  windows: {
    foldsCase: true,
    windowsNames: true,
    readOnlyFiles: true,
    noModes: true,
    noLinks: true,
    noFolderSync: true,
    inodeReuses: 0x1234
  },
  antivirus: { foldsCase: true, noModes: true, noLinks: true, noFolderSync: true, inUse: { ms: [50, 500] } },
  fat: {
    foldsCase: true,
    windowsNames: true,
    noModes: true,
    noLinks: true,
    noHardLinks: true,
    noChangeTime: true,
    noFolderTimes: true,
    timeStepMs: 2000,
    freshInodes: true
  },
  // Linux remembers each spelling of a name by itself, unlike any system on a share of its own, so this disk tells them
  // apart.
  share: { freshInodes: true, namesCachedSeconds: 1, faults: [{ calls: ['*'], waitMs: 1 }] }
} as const satisfies Record<string, DiskSettings>

export type Profile = keyof typeof PROFILES

export interface ScriptedDisk extends AsyncDisposable {
  /** Where it is mounted. */
  readonly path: string
  /** Replaces the settings. Files that are in use stay so, or are so again, while `inUse` is set. */
  set(settings: DiskSettings): Promise<void>
  /** Takes the disk out and mounts it again. */
  again(): Promise<void>
}

/** Mounts a disk below `folder`. Tests that use it have the tag `scripted-disk`. */
export async function scriptedDisk(folder: string, settings: DiskSettings): Promise<ScriptedDisk> {
  const [kept, path] = [join(folder, 'kept'), join(folder, 'disk')]
  for (const place of [kept, path]) mkdirSync(place, { recursive: true })
  let server = await mount(kept, path, settings)
  return {
    path,
    set: (next) => server.set(next),
    again: async () => {
      await server.end()
      server = await mount(kept, path, settings)
    },
    [Symbol.asyncDispose]: () => server.end()
  }
}

async function mount(kept: string, path: string, settings: DiskSettings) {
  const server: ChildProcessByStdio<Writable, Readable, null> = spawn(
    PYTHON,
    [PROGRAM, kept, path, JSON.stringify(settings)],
    { stdio: ['pipe', 'pipe', 'inherit'] }
  )
  const lines = createInterface(server.stdout)[Symbol.asyncIterator]()
  const answer = async (): Promise<void> => {
    if ((await lines.next()).done) throw new Error('the scripted disk ended')
  }
  await answer()
  return {
    set: async (next: DiskSettings): Promise<void> => {
      server.stdin.write(`${JSON.stringify(next)}\n`)
      await answer()
    },
    end: async (): Promise<void> => {
      const ended = server.exitCode === null ? once(server, 'exit') : null
      // Not lazily: nobody uses it any more, and a mount that follows must not meet this one.
      execFileSync('umount', [path])
      // It would go on as long as a container or a chroot that was started meanwhile has a copy of the mount.
      server.kill()
      await ended
    }
  }
}
