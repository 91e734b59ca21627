/**
 * Spellings of names on disks that fold case or Unicode composition (macOS, Windows, exFAT). Invariant: a path exists
 * only in the spelling that its folder lists; otherwise two paths would be one file, and deleting one would delete
 * both. And names that have no spelling as a string.
 */
import { lstatSync, readdirSync } from 'node:fs'
import { ifReadable, isNotFound, isUnreadable } from './fs-errors.ts'
import { lstatSignature } from './signature.ts'

/**
 * Device numbers of disks known to fold names. Kept, because testing again can fail: FUSE caches for a second under
 * which spellings a file was found. A number that is reused for another disk costs only a listing.
 */
const foldingDisks = new Set<number>()

export type Spelling = ReturnType<typeof createSpelling>

/** Caches the listing of one folder; `absolute` is its path. */
export function createSpelling(absolute: string) {
  /** null = unknown. */
  let folds: boolean | null = null
  let names: ReadonlySet<string> | null = null
  const list = (): ReadonlySet<string> => {
    names = new Set(readdirSync(absolute))
    return names
  }
  return {
    /** Whether `name`, which was just found in this folder, is the spelling that the folder lists. */
    isExact: (name: string): boolean => {
      if (folds === null) {
        const spellings = respellings(name)
        // A name with a single spelling (digits) says nothing about the disk.
        if (spellings.length === 0) return true
        folds = isOnFoldingDisk(absolute) || spellings.some((spelling) => exists(`${absolute}/${spelling}`))
      }
      if (!folds) return true
      try {
        // A name that is not in the cached listing may be newer than that.
        const exact = names?.has(name) === true || list().has(name)
        if (!exact) foldingDisks.add(lstatSync(absolute).dev)
        return exact
      } catch (error) {
        // A folder with permission to enter but not to list, or that was just moved: its spellings are unknown.
        if (isUnreadable(error) || isNotFound(error)) return true
        throw error
      }
    },
    /** The listed name that differs from `name` only in spelling; null if there is none. */
    findOther: (name: string): string | null => {
      const others = [...list()].filter((listed) => listed !== name && foldName(listed) === foldName(name))
      // A disk that tells cases apart may have several.
      return others.find((listed) => listed.normalize('NFC') === name.normalize('NFC')) ?? others[0] ?? null
    }
  }
}

/**
 * Equal results: the names may be one on a folding disk. An approximation, because each file system has its own tables.
 */
export function foldName(name: string): string {
  return foldCase(name.normalize('NFC'))
}

function foldCase(name: string): string {
  return name.toUpperCase().toLowerCase()
}

/**
 * The fold of the disk of this folder, as far as its names show: paths with equal folds are one. Null if all
 * names are different, or the folder cannot be listed or is gone. A disk that folds one of case and form is taken to fold the other, too, until a name shows that
 * it does not.
 */
export function foldOf(absolute: string): ((path: string) => string) | null {
  const names = ifReadable(() => new Set(readdirSync(absolute)))
  if (names === null) return null
  const [byCase, byForm] = [recased, reformed].map((spell) => isFoundAs(spell, names, absolute))
  if (byCase !== true && byForm !== true) return null
  if (byCase === false) return (path) => path.normalize('NFC')
  return byForm === false ? foldCase : foldName
}

/** Whether a name is found in another of its spellings, too; null when no name has another. */
function isFoundAs(
  spell: (name: string) => readonly string[],
  names: ReadonlySet<string>,
  absolute: string
): boolean | null {
  let found: boolean | null = null
  for (const name of names)
    for (const spelling of spell(name)) {
      if (spelling === name || names.has(spelling)) continue
      if (exists(`${absolute}/${spelling}`)) return true
      found = false
    }
  return found
}

/** Other spellings that reveal a folding disk. */
function respellings(name: string): string[] {
  return [...recased(name), ...reformed(name)].filter((spelling) => spelling !== name)
}

/** The name in another case. */
function recased(name: string): readonly string[] {
  const upper = name.toUpperCase()
  return [upper === name ? name.toLowerCase() : upper]
}

/** The composed and the decomposed form. */
function reformed(name: string): readonly string[] {
  return /^[\0-\x7f]*$/.test(name) ? [] : [name.normalize('NFC'), name.normalize('NFD')]
}

function isOnFoldingDisk(absolute: string): boolean {
  return foldingDisks.size > 0 && foldingDisks.has(lstatSync(absolute).dev)
}

/** Only existence counts: a disk without inode numbers invents one per spelling, so stats of one file differ. */
function exists(absolute: string): boolean {
  try {
    return lstatSignature(absolute) !== null
  } catch (error) {
    if (isUnreadable(error)) return true
    throw error
  }
}

/**
 * Whether `name`, as readdir returned it, is exactly the name on disk. A path string cannot hold names that are not
 * valid UTF-8, so they cannot be restored. Node decodes invalid bytes as U+FFFD, which can also be part of a valid
 * name, so such names are compared as bytes.
 */
export function isLosslessName(folder: string, name: string): boolean {
  if (!name.includes('\ufffd')) return true
  const raw = Buffer.from(name, 'utf8')
  return readdirSync(folder, { encoding: 'buffer' }).some((listed) => listed.equals(raw))
}
