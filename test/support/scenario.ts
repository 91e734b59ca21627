/** Tests of one longer story: each step builds on the ones before, so they are one test, which no order can break. */
import { type TestOptions, test } from 'vitest'

/** As long as a test of its own may take, for each step, ms. */
const STEP_MS = 60_000

type Steps = Readonly<Record<string, () => void | Promise<void>>>
type Options = Pick<TestOptions, 'tags'>

/** One test of named steps, in the order given. A failure names its step. */
export function scenario(title: string, ...given: [Steps] | [Options, Steps]): void {
  const [options, steps] = given.length === 2 ? given : [{}, given[0]]
  const named = Object.entries(steps)
  test(title, { ...options, timeout: STEP_MS * named.length }, async () => {
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
