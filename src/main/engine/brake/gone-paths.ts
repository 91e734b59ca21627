/** The paths that are gone or emptied, as comparisons with the disk found them, oldest first, and how many of them are losses. */
import type { Stats } from 'node:fs'

/** A recorded file or link. */
export interface RecordedFile {
  readonly ino: number | null
  /** Bytes; null where its being emptied does not count, as of a link. */
  readonly size: number | null
}

export interface LostPath {
  readonly path: string
  /** When its event arrived, ms UTC. */
  readonly at: number
}

/** What is read of the disk and the log. */
export interface LossSource {
  /** lstat of a path now; null if it is absent, undefined if that cannot be known. */
  statOf(path: string): Stats | null | undefined
  /** The recorded file at a path that is a loss for a run if it is gone; null for folders, ignored files and others. */
  recordedFile(path: string): RecordedFile | null
  /** The recorded files below a folder that was recorded with this inode number or is null, at most `most`. */
  folder(path: string, most: number): { readonly ino: number | null; readonly files: readonly string[] }
}

/** Gone paths that are looked up to estimate how many were recorded. */
const SAMPLE = 64
/** More paths are dropped, oldest first: memory stays bounded. */
const MOST_PATHS = 50_000
/** Files below one folder that are counted. */
const MOST_BELOW = 2000

export function createGonePaths({ statOf, recordedFile, folder }: LossSource) {
  /** When each changed. */
  const gone = new Map<string, number>()
  /** What appeared or was written, by inode number: a file that is gone and has one of them was moved there. */
  const arrived = new Map<number, { readonly path: string; readonly at: number }>()

  const isElsewhere = (ino: number | null, path: string): boolean =>
    ino !== null && (arrived.get(ino)?.path ?? path) !== path
  const isLoss = (path: string): boolean => {
    const file = recordedFile(path)
    if (file === null || isElsewhere(file.ino, path)) return false
    const stats = statOf(path)
    return stats === null || (stats?.isFile() === true && stats.size === 0 && (file.size ?? 0) > 0)
  }

  return {
    count: (): number => gone.size,
    /** Compares a path that changed with the disk. */
    comparePath: (path: string, at: number): void => {
      const stats = statOf(path)
      if (stats === undefined) return
      if (stats) {
        arrived.delete(stats.ino)
        arrived.set(stats.ino, { path, at })
      }
      if (stats === null || (stats.isFile() && stats.size === 0)) putNewest(gone, path, at)
      else gone.delete(path)
    },
    /** A folder that was moved away has one event for all its files; one that was deleted had an event for each. */
    compareFolder: (path: string, at: number): void => {
      if (statOf(path) !== null) return
      const { ino, files } = folder(path, MOST_BELOW)
      if (ino !== null && !isElsewhere(ino, path))
        for (const file of files) if (!gone.has(file)) putNewest(gone, file, at)
    },
    /** `estimate`: how many of all are losses. `lost`: those of the sample from which it comes. */
    sample: (): { readonly estimate: number; readonly lost: readonly LostPath[] } => {
      const paths = [...gone.keys()]
      const step = Math.max(1, paths.length / SAMPLE)
      const length = Math.min(SAMPLE, paths.length)
      const sample = Array.from({ length }, (_, n) => paths[Math.floor(n * step)] as string)
      const lost = sample.filter(isLoss).map((path) => ({ path, at: gone.get(path) ?? 0 }))
      return { estimate: (lost.length / sample.length) * gone.size, lost }
    },
    /** `time`: ms UTC. */
    forgetBefore: (time: number): void => {
      dropBefore(gone, time, (at) => at)
      dropBefore(arrived, time, ({ at }) => at)
    },
    clear: (): void => {
      gone.clear()
      arrived.clear()
    }
  }
}

/** Puts a path at the end of a map that has the oldest first. */
export function putNewest(map: Map<string, number>, path: string, at: number): void {
  map.delete(path)
  map.set(path, at)
  if (map.size > MOST_PATHS) map.delete(map.keys().next().value as string)
}

/** Of a map that has the oldest first. */
export function dropBefore<K, V>(map: Map<K, V>, time: number, atOf: (value: V) => number): void {
  for (const [key, value] of map) {
    if (atOf(value) >= time) return
    map.delete(key)
  }
}
