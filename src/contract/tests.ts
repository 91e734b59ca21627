/** Test results: how commands that run tests, check types or lint ended, each at a position of the log. No I/O. */

/** What a command checks. `tests` also where it checks types or lints as well. */
export type TestKind = 'tests' | 'types' | 'lint'

export interface TestResult {
  /** As it was run, without what does not change its meaning: assignments, redirections, commands beside it. */
  readonly command: string
  readonly kind: TestKind
  readonly result: 'passed' | 'failed'
  /** When it ended, ms UTC. */
  readonly at: number
  /** The position at its end: the folder as it was tested. */
  readonly seq: number
}
