/** Test results in words. Pure. */
import type { TestKind, TestResult } from '../tests.ts'
import { clip } from './text.ts'
import { clock } from './times.ts'

const KINDS: readonly TestKind[] = ['tests', 'types', 'lint']

/** The newest result of each kind, the most telling kind first. */
export function newestOfKinds(tests: readonly TestResult[] | undefined): readonly TestResult[] {
  return KINDS.flatMap((kind) => tests?.findLast((test) => test.kind === kind) ?? [])
}

/** "tests passed", "lint failed". */
export function testText({ kind, result }: Pick<TestResult, 'kind' | 'result'>): string {
  return `${kind} ${result}`
}

/** "npm test failed at 10:02". */
export function testDetail({ command, result, at }: TestResult): string {
  return `${clip(command, 80)} ${result} at ${clock(at)}`
}

/** ", tests passed", for the sentence of a row; "" without results. */
export function testsSentence(tests: readonly TestResult[] | undefined): string {
  return newestOfKinds(tests)
    .map((test) => `, ${testText(test)}`)
    .join('')
}
