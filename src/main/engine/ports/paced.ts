/** Work that takes longer the more there is, and is asked for again and again. */

/** How many times as long as the work took its result serves: so it takes a twentieth of the time at most. */
const REST = 19

export interface Paced {
  /** The result of the last work may serve no longer. */
  isDue(): boolean
  do<T>(work: () => T): T
}

export function createPaced(): Paced {
  let due = 0n
  return {
    isDue: () => process.hrtime.bigint() >= due,
    do: (work) => {
      // Not `performance`: its first use loads a module (time-slicer.ts).
      const began = process.hrtime.bigint()
      try {
        return work()
      } finally {
        const ended = process.hrtime.bigint()
        due = ended + (ended - began) * BigInt(REST)
      }
    }
  }
}
