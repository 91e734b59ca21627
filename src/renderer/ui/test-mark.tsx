/** Passed or failed, by shape and colour; the tooltip names the command. Rows say the same in their sentence. */
import type { TestResult } from '../../contract/tests.ts'
import { newestOfKinds, testDetail, testText } from '../../contract/words/tests.ts'
import { capitalized } from '../../contract/words/text.ts'
import { Icon } from './icon.tsx'

export const TEST_ICONS = { passed: 'okc', failed: 'failc' } as const
const TONES = { passed: 'c-ok', failed: 'c-danger' } as const

/** The mark of one row: of the most telling kind. Nothing without results. */
export function TestMark({ test }: { readonly test: TestResult | undefined }) {
  if (!test) return null
  return (
    <span
      className={`test-mark ${TONES[test.result]}`}
      data-tip={`${capitalized(testText(test))}: ${testDetail(test)}`}
    >
      <Icon name={TEST_ICONS[test.result]} size="s" />
    </span>
  )
}

/** "tests passed", "lint failed": the newest result of each kind, as facts of a header. */
export function TestFacts({ tests }: { readonly tests: readonly TestResult[] | undefined }) {
  return newestOfKinds(tests).map((test) => (
    <span key={test.kind} className={`test-fact ${TONES[test.result]}`} data-tip={testDetail(test)}>
      <Icon name={TEST_ICONS[test.result]} size="s" /> {testText(test)}
    </span>
  ))
}
