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

export const FINDING_MEANINGS: Readonly<Record<FindingKind, string>> = {
  secret: 'This looks like a credential.',
  'test-deleted': 'There are fewer tests in this file than before.',
  'test-skipped': 'This test does not run, or only this one does.',
  'test-weakened': 'There are fewer assertions than before, or this one cannot fail.',
  'check-removed': 'Error handling or a security check is gone, or an error is ignored.',
  'check-disabled': 'A linter, a type check or a verification is switched off here.',
  permission: 'Others may write this file now, it may be run, or a command gives such permissions.',
  ci: 'This file says what runs when code is pushed.',
  dependencies: 'This file says which code of others is installed.',
  generated: 'A program wrote this file, so its lines need no review one by one.'
}

/** `src/a.ts:12`; for deleted lines with the note that they are gone. */
export function findingPlaceText({ path, line, side }: Finding): string {
  if (line === null) return path
  return side === 'after' ? `${path}:${line}` : `${path}:${line} before the run`
}

/** "Test skipped (3 lines)". */
export function findingText({ kind, count }: Finding): string {
  return count > 1 ? `${FINDING_NAMES[kind]} (${plural(count, 'line')})` : FINDING_NAMES[kind]
}
