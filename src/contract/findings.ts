/** What a reviewer should look at first in a run: named kinds, found by rules without a model. No I/O. */

/**
 * In the order of their weight. `secret`: something that looks like a credential. `test-deleted`, `test-skipped`,
 * `test-weakened`: fewer tests or assertions, or ones that cannot fail. `check-removed`: error handling or a security check.
 * `check-disabled`: a linter, a type check or a verification is switched off. `permission`: a file mode, or chmod in code.
 * `ci`, `dependencies`: a pipeline or a lock file was changed. `generated`: a large file that a program wrote.
 */
export const FINDING_KINDS = [
  'secret',
  'test-deleted',
  'test-skipped',
  'test-weakened',
  'check-removed',
  'check-disabled',
  'permission',
  'ci',
  'dependencies',
  'generated'
] as const
export type FindingKind = (typeof FINDING_KINDS)[number]

/** One kind in one file. */
export interface Finding {
  readonly kind: FindingKind
  readonly path: string
  /** The first line it is about, from 1; null for the whole file. */
  readonly line: number | null
  /** Whether `line` counts the version after the run, or that before it. */
  readonly side: 'before' | 'after'
  /** That line; "" where it may contain a secret. */
  readonly text: string
  /** How many lines of the file it is about. */
  readonly count: number
  /** SHA-256 of the version after the run in which it was found; null without one. */
  readonly version: string | null
}
