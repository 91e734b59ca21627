/** The captures of one repository's objects and packs: which of its folders were read, so that each reads only those that changed. */
import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import { dropHeldTwice } from './held-objects.ts'
import { keepObjects } from './kept-objects.ts'

/** `kept`: the folder of kept objects. */
export function createObjectCaptures(kept: () => string) {
  const times = new Map<string, bigint>()
  let packTime: bigint | undefined
  /** Returns whether nothing is left to copy. */
  const keepNew = (gitDir: string): boolean => keepObjects(join(gitDir, 'objects'), kept(), times)
  return {
    keepNew,
    /** Only what git packs anew makes kept objects superfluous. */
    dropHeldTwice: async (gitDir: string): Promise<void> => {
      const now = lstatSync(join(gitDir, 'objects/pack'), { bigint: true, throwIfNoEntry: false })?.mtimeNs
      if (now === packTime) return
      keepNew(gitDir)
      await dropHeldTwice(kept(), gitDir)
      packTime = now
    },
    /** Reads all folders again. */
    forget: (): void => times.clear()
  }
}
