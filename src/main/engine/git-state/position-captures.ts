/**
 * The captures of one repository at positions, and between them, with the marks that say which run and checkpoint has which
 * state. A state that cannot be kept must not stop a run: where a caller does not need it, a failure is only in the log of the
 * recorder.
 */
import { log as logger } from '../ports/log.ts'
import type { GitStore } from '../store/git-store.ts'
import type { Store } from '../store/open-store.ts'
import type { createCaptures } from './git-captures.ts'
import { createGitMarks, type Position } from './git-marks.ts'
import type { ReportedNames } from './ref-files.ts'

export interface PositionCaptureOptions {
  /** The folder with the files of the repository. */
  readonly root: string
  readonly store: Store
  isOn(): boolean
  /** After the state of the repository was stored, if it may have changed. */
  onCaptured(): void
}

/** `open`: the states; null while none is kept. */
export function createPositionCaptures(
  options: PositionCaptureOptions,
  captures: ReturnType<typeof createCaptures>,
  open: () => GitStore | null
) {
  const marks = createGitMarks(options.store, open)

  const captureNow = (): void => {
    marks.settle()
    const store = captures.all()
    if (store) marks.write(store)
    options.onCaptured()
  }
  const attempt = (work: () => void): void => {
    try {
      if (options.isOn()) work()
    } catch (error) {
      captures.forget()
      logger.error(options.root, error)
    }
  }
  const capture = (): void => {
    attempt(captureNow)
    marks.giveUp()
  }

  return {
    /** Like `capture`, for a caller that needs the present state. Throws what kept it from being stored. */
    captureNow: (): void => {
      if (options.isOn()) captureNow()
    },
    /** At a position that was just marked. Never throws. */
    capture,
    /** The same in steps of some milliseconds, whatever the number of refs: between them nothing is incomplete for a reader. */
    captureInSteps: function* (): Generator<void> {
      const parts = captures.storeInParts()
      for (let isMore = options.isOn(); isMore; ) {
        attempt(() => {
          isMore = false
          isMore = !parts.next().done
        })
        yield
      }
      capture()
    },
    /** The same, at the cost of a few stats while nothing changed. What it may miss, the watch reports. Never throws. */
    captureMoved: (position: Position): void => {
      let isSame = false
      attempt(() => {
        isSame = captures.isUnmoved()
        if (isSame) marks.wait(position)
        else captureNow()
      })
      if (!isSame) marks.giveUp()
    },
    /** [GT-6] [GT-14] The same for small files and objects alone, whenever one was written. */
    captureRefs: (reported: ReportedNames): void => {
      // What is reported while it is off is not read later.
      if (!options.isOn()) captures.forget()
      attempt(() => {
        marks.settle()
        captures.refs(reported)
        options.onCaptured()
      })
    },
    /** Marks the positions at which nothing had changed. Never throws. */
    settle: (): void => attempt(marks.settle)
  }
}
