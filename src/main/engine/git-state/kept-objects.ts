/**
 * Keeps git's objects and packs, which are never rewritten, by hard links in the data folder: they take no space until
 * git deletes its own name. On another disk they are copied, except for large packs.
 */
import {
  constants,
  copyFileSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  type Stats,
  utimesSync
} from 'node:fs'
import { dirname, join } from 'node:path'
import { errorCode, ifExists, ifReadable, isNotFound } from '../files/fs-errors.ts'
import { whenFreeSync } from '../files/in-use.ts'
import { removeFile } from '../files/remove.ts'

/** Folder of loose objects, or of packs; and the files in them that are complete. */
const FOLDER = /^(?:[0-9a-f]{2}|pack)$/
const OBJECT = /^(?:[0-9a-f]{38}|[0-9a-f]{62}|pack-[0-9a-f]+\.(?:pack|idx|rev|promisor|mtimes|keep))$/

/** A larger pack is not copied to another disk, bytes: it would use up the space of the histories. */
const LARGEST_COPY = 32 * 1024 * 1024
/** Copied by one call, bytes: the recorder waits for it. The next call continues. */
const COPIED_AT_ONCE = 64 * 1024 * 1024

/**
 * Links what is new in folders whose time changed. `known`: their times of the last call, by folder. Returns whether nothing is
 * left to copy, where it cannot be linked.
 */
export function keepObjects(objects: string, kept: string, known: Map<string, bigint>): boolean {
  let copied = 0
  for (const folder of namesIn(objects).filter((name) => FOLDER.test(name))) {
    const stats = lstatSync(join(objects, folder), { bigint: true, throwIfNoEntry: false })
    const time = stats?.mtimeNs
    if (!stats?.isDirectory() || time === undefined || known.get(folder) === time) continue
    const have = new Set(namesIn(join(kept, folder)))
    const fresh = namesIn(join(objects, folder)).filter((name) => OBJECT.test(name) && !have.has(name))
    if (fresh.length > 0) mkdirSync(join(kept, folder), { recursive: true, mode: 0o700 })
    for (const name of fresh) {
      const from = join(objects, folder, name)
      linkOrCopy(from, join(kept, folder, name), () => {
        const size = sizeToCopy(from)
        const isCopied = size <= LARGEST_COPY && copied + size <= COPIED_AT_ONCE
        if (isCopied) copied += size
        return isCopied
      })
    }
    // An object that is added within the tick of this time does not change it.
    if (copied === 0 && time < BigInt(Date.now() - 50) * 1_000_000n) known.set(folder, time)
  }
  return copied === 0
}

/** Bytes of a file; of one that belongs to a pack, those of the pack, because it is of no use without. */
function sizeToCopy(file: string): number {
  const pack = file.replace(/(?<=pack-[0-9a-f]+)\.\w+$/, '.pack')
  return lstatSync(pack, { throwIfNoEntry: false })?.size ?? 0
}

/** Whether a pack of the repository is not kept, because it is large and the data folder is on another disk. */
export function lacksPack(objects: string, kept: string): boolean {
  const have = new Set(namesIn(join(kept, 'pack')))
  return namesIn(join(objects, 'pack')).some((name) => name.endsWith('.pack') && OBJECT.test(name) && !have.has(name))
}

/** Whether the name of an object or pack has the length of the repository's object ids. */
export function isOfForm(folder: string, name: string, idBytes: number): boolean {
  const hex = folder === 'pack' ? (/^pack-([0-9a-f]+)/.exec(name)?.[1] ?? '') : folder + name
  return hex.length === 2 * idBytes
}

/** Gives the repository each kept file in `folder` that `isWanted` accepts and that it lacks; returns how many. */
export function returnObjects(
  kept: string,
  objects: string,
  isWanted: (folder: string, name: string) => boolean
): number {
  let returned = 0
  for (const folder of namesIn(kept).filter((name) => FOLDER.test(name))) {
    const wanted = namesIn(join(kept, folder)).filter((name) => OBJECT.test(name) && isWanted(folder, name))
    if (wanted.length === 0) continue
    const have = new Set(namesIn(join(objects, folder)))
    mkdirSync(join(objects, folder), { recursive: true })
    // A pack is found by its index, which therefore comes last.
    for (const name of wanted.filter((name) => !have.has(name)).sort((a, b) => rank(a) - rank(b))) {
      linkOrCopy(join(kept, folder, name), join(objects, folder, name))
      returned++
    }
  }
  return returned
}

const rank = (name: string): number => (name.endsWith('.idx') ? 1 : 0)

/** Whether a loose object is kept. */
export function isKeptLoose(kept: string, id: string): boolean {
  return lstatSync(join(kept, id.slice(0, 2), id.slice(2)), { throwIfNoEntry: false }) !== undefined
}

/** The objects of one repository. */
export interface KeptObjects {
  /** The folder of the kept ones. */
  readonly kept: string
  /** That of its own; null when the repository is gone. */
  readonly objects: string | null
}

/**
 * Deletes what git deleted before `before` (ms UTC), and the oldest of it beyond `budget` bytes: a link that is the last
 * one has the time at which git deleted its own.
 */
export function evictObjects(all: readonly KeptObjects[], before: number, budget: number): void {
  const released = all.flatMap(({ kept, objects }) => releasedFiles(kept, objects)).sort((a, b) => b.at - a.at)
  let bytes = 0
  for (const { file, at, size } of released) {
    bytes += size
    if (at < before || bytes > budget) removeFile(file)
  }
}

/** A kept file that git has no more. */
export interface ReleasedFile {
  readonly folder: string
  readonly name: string
  /** Absolute. */
  readonly file: string
  /** When git deleted its own, ms UTC. */
  readonly at: number
  readonly size: number
}

export function releasedFiles(kept: string, objects: string | null): ReleasedFile[] {
  const folders = namesIn(kept).filter((name) => FOLDER.test(name))
  return folders.flatMap((folder) =>
    namesIn(join(kept, folder)).flatMap((name) => {
      const file = join(kept, folder, name)
      const stats = ifReadable(() => lstatSync(file))
      if (!stats?.isFile() || stats.nlink > 1) return []
      if (objects !== null && isCopyOf(join(objects, folder, name), stats)) {
        // A copy: its time is when git was last known to have the object.
        const now = new Date()
        utimesSync(file, now, now)
        return []
      }
      return [{ folder, name, file, at: stats.ctimeMs, size: stats.size }]
    })
  )
}

function isCopyOf(path: string, { size }: Stats): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.size === size
}

function namesIn(folder: string): string[] {
  return ifReadable(() => readdirSync(folder)) ?? []
}

/** Links, or copies where the disk is another one and `mayCopy` agrees; git may delete the file meanwhile. */
function linkOrCopy(from: string, to: string, mayCopy: () => boolean = () => true): void {
  try {
    linkSync(from, to)
  } catch (error) {
    if (isNotFound(error) || errorCode(error) === 'EEXIST') return
    if (!['EXDEV', 'EPERM', 'EMLINK', 'ENOTSUP', 'ENOSYS', 'EACCES'].includes(errorCode(error))) throw error
    const partial = join(dirname(to), `tmp_obj_${process.pid}`)
    if (!mayCopy()) return
    ifExists(() => {
      copyFileSync(from, partial, constants.COPYFILE_FICLONE)
      whenFreeSync(() => renameSync(partial, to))
    })
  }
}
