/** Tests of one longer story: each step builds on the ones before, so they are one test, which no order can break. */
import { test } from 'vitest'

/** As long as a test of its own may take, for each step, ms. */
const STEP_MS = 60_000

/** One test of named steps, in the order given. A failure names its step. */
export function scenario(title: string, steps: Readonly<Record<string, () => void | Promise<void>>>): void {
  const named = Object.entries(steps)
  test(title, { timeout: STEP_MS * named.length }, async () => {
    for (const [name, act] of named) {
      try {
        await act()
      } catch (error) {
        if (error instanceof Error) error.message = `in the step "${name}": ${error.message}`
        throw error
      }
    }
  })
}
