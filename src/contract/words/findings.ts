/** What each kind of finding means, as sentences. Pure. */
import type { Finding, FindingKind } from '../findings.ts'
import { plural } from './numbers.ts'

export const FINDING_NAMES: Readonly<Record<FindingKind, string>> = {
  secret: 'Secret added',
  'test-deleted': 'Test deleted',
  'test-skipped': 'Test skipped',
  'test-weakened': 'Assertion removed',
  'check-removed': 'Check removed',
  'check-disabled': 'Check disabled',
  permission: 'Permission changed',
  ci: 'CI changed',
  dependencies: 'Dependencies changed',
  generated: 'Large generated file'
}

/** What each kind is looked for by, below its switch. */
export const FINDING_ABOUT: Readonly<Record<FindingKind, string>> = {
  secret: 'Text that looks like a key, a token or a password.',
  'test-deleted': 'A test, or a whole file of tests.',
  'test-skipped': 'A test that is skipped, or the only one that runs.',
  'test-weakened': 'Fewer assertions, or one that cannot fail.',
  'check-removed': 'Error handling, validation or a check of permissions.',
  'check-disabled': 'A linter, a type check or a verification.',
  permission: 'The mode of a file, or chmod in code.',
  ci: 'Files of a pipeline.',
  dependencies: 'Lock files.',
  generated: 'More than 1,000 lines that a program wrote.'
}

/** `src/a.ts:12`; for deleted lines with the note that they are gone. */
export function findingPlaceText({ path, line, side }: Finding): string {
  if (line === null) return path
  return side === 'after' ? `${path}:${line}` : `${path}, line ${line} before the run`
}

/** "Test skipped (3 lines)". */
export function findingText({ kind, count }: Finding): string {
  return count > 1 ? `${FINDING_NAMES[kind]} (${plural(count, 'line')})` : FINDING_NAMES[kind]
}
