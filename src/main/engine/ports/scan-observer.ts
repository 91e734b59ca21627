import type { Stats } from 'node:fs'

/** Gets each folder of a scan of everything that begins a watch (watch/folder-events.ts). */
export interface ScanObserver {
  /**
   * Called before the folder's stat is taken and it is listed, after the same for its parent. Returns its stat, taken since then;
   * null if it has to be taken.
   */
  enter(folder: string): Stats | null
  /** The folder is not entered. */
  skip(folder: string): void
}
