/**
 * Counts losses while they happen, from the events of the watcher: the log is brought up to date only after a burst, and
 * by then a fast deletion is over. It only suspects; the log judges afterwards (BR-1).
 *
 * A deletion is faster than anything that is done for each of its events. So an event costs one entry in a map, paths are
 * compared with the disk in portions, and of those that are gone a sample shows how many were recorded. All of it happens
 * in the callback of an event: no timer runs while events flood in.
 */
import type { Stats } from 'node:fs'
import type { Clock } from '../ports/clock.ts'
import { WINDOW_MS } from './judge.ts'

/** A recorded file or link. */
export interface RecordedFile {
  readonly ino: number | null
  /** Bytes; null where its being emptied does not count, as of a link. */
  readonly size: number | null
}

interface MeterOptions {
  readonly clock: Clock
  /** Whether a run may delete files now: without one nothing is compared. */
  isRunOpen(): boolean
  /** How many losses are too many. */
  limit(): number
  /** lstat of a path now; null if it is absent, undefined if that cannot be known. */
  statOf(path: string): Stats | null | undefined
  /** The recorded file at a path that is a loss for a run if it is gone; null for folders, ignored files and others. */
  recordedFile(path: string): RecordedFile | null
  /** The recorded files below a folder that was recorded with this inode number or is null, at most `most`. */
  folder(path: string, most: number): { readonly ino: number | null; readonly files: readonly string[] }
  /**
   * Too many files are gone, such as these. False: it cannot be judged now, ask again soon. True: nothing is counted
   * until `reset`.
   */
  onSuspicion(sample: readonly LostPath[]): boolean
}

export interface LostPath {
  readonly path: string
  /** When its event arrived, ms UTC. */
  readonly at: number
}

/** Paths are compared with the disk in portions of at least so many. */
const LEAST_PORTION = 16
/** Gone paths that are looked up to estimate how many were recorded. */
const SAMPLE = 64
/** More paths are dropped, oldest first: memory stays bounded. */
const MOST_PATHS = 50_000
/** Files below one folder that are counted. */
const MOST_BELOW = 2000
/** The new name of a moved folder is reported right after the old one, ms. */
const FOLDER_MS = 10
/** How soon a suspicion that could not be judged is raised again, ms. */
const RETRY_MS = 100

export function createLossMeter(options: MeterOptions) {
  const { clock } = options
  /** Changed paths that were not compared yet, and when they changed; oldest first, as all maps here. */
  const waiting = new Map<string, number>()
  /** Paths that are absent or empty files now. */
  const gone = new Map<string, number>()
  /** What appeared or was written, by inode number: a file that is gone and has one of them was moved there. */
  const arrived = new Map<number, { readonly path: string; readonly at: number }>()
  const folders = new Map<string, number>()
  /** So many paths wait before they are compared: losses cannot be too many before. */
  let portion = LEAST_PORTION
  /** So many paths must be gone for a sample. */
  let enough = 0
  let cancel: (() => void) | null = null
  /** `waits`: for a new attempt. `raised`: for the reset. */
  let suspicion: 'none' | 'waits' | 'raised' = 'none'

  const pathChanged = (path: string): void => {
    if (suspicion === 'raised') return
    put(waiting, path, clock.now())
    if (suspicion === 'none' && waiting.size >= portion) compare()
  }
  const compareLater = (ms: number): void => {
    cancel ??= clock.setTimeout(() => {
      cancel = null
      if (suspicion === 'raised') return
      suspicion = 'none'
      compare()
    }, ms)
  }
  const compare = (): void => {
    const now = clock.now()
    for (const map of [waiting, gone]) dropBefore(map, now - WINDOW_MS, (at) => at)
    dropBefore(arrived, now - WINDOW_MS, ({ at }) => at)
    if (options.isRunOpen()) {
      for (const [path, at] of waiting) comparePath(path, at)
      for (const [folder, at] of folders) compareFolder(folder, at)
    }
    waiting.clear()
    folders.clear()
    const limit = options.limit()
    if (gone.size < limit) enough = limit
    if (gone.size >= enough) takeSample(limit)
    portion = Math.max(LEAST_PORTION, Math.ceil((enough - gone.size) / 2))
  }
  const comparePath = (path: string, at: number): void => {
    const stats = options.statOf(path)
    if (stats === undefined) return
    if (stats) {
      arrived.delete(stats.ino)
      arrived.set(stats.ino, { path, at })
    }
    if (stats === null || (stats.isFile() && stats.size === 0)) put(gone, path, at)
    else gone.delete(path)
  }
  /** A folder that was moved away has one event for all its files; one that was deleted had an event for each. */
  const compareFolder = (path: string, at: number): void => {
    if (options.statOf(path) !== null) return
    const { ino, files } = options.folder(path, MOST_BELOW)
    if (ino !== null && !isElsewhere(ino, path)) for (const file of files) if (!gone.has(file)) put(gone, file, at)
  }
  const isElsewhere = (ino: number | null, path: string): boolean =>
    ino !== null && (arrived.get(ino)?.path ?? path) !== path
  /** Estimates how many of the gone paths are losses. */
  const takeSample = (limit: number): void => {
    const paths = [...gone.keys()]
    const step = Math.max(1, paths.length / SAMPLE)
    const sample = Array.from(
      { length: Math.min(SAMPLE, paths.length) },
      (_, n) => paths[Math.floor(n * step)] as string
    )
    const lost = sample.filter(isLoss)
    if ((lost.length / sample.length) * gone.size < limit) {
      enough = gone.size * 2
      return
    }
    suspicion = options.onSuspicion(lost.map((path) => ({ path, at: gone.get(path) ?? 0 }))) ? 'raised' : 'waits'
    if (suspicion === 'waits') compareLater(RETRY_MS)
  }
  const isLoss = (path: string): boolean => {
    const file = options.recordedFile(path)
    if (file === null || isElsewhere(file.ino, path)) return false
    const stats = options.statOf(path)
    return stats === null || (stats?.isFile() === true && stats.size === 0 && (file.size ?? 0) > 0)
  }

  return {
    pathChanged,
    /** A folder changed as a whole: it may have been moved away, which has no other event. */
    treeChanged(folder: string): void {
      if (suspicion === 'raised') return
      put(folders, folder, clock.now())
      if (suspicion === 'none') compareLater(FOLDER_MS)
    },
    /** Counts from the beginning. */
    reset(): void {
      for (const map of [waiting, gone, folders]) map.clear()
      arrived.clear()
      suspicion = 'none'
    },
    close(): void {
      cancel?.()
      cancel = null
      suspicion = 'raised'
    }
  }
}

/** As the newest. */
function put(map: Map<string, number>, path: string, at: number): void {
  map.delete(path)
  map.set(path, at)
  if (map.size > MOST_PATHS) map.delete(map.keys().next().value as string)
}

function dropBefore<K, V>(map: Map<K, V>, time: number, atOf: (value: V) => number): void {
  for (const [key, value] of map) {
    if (atOf(value) >= time) return
    map.delete(key)
  }
}
