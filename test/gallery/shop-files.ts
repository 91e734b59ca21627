/** The changed files of the gallery's run. */
import type { FileChange } from '../../src/contract/diff.ts'

function file(
  path: string,
  change: FileChange['change'],
  added: number,
  deleted: number,
  more?: Partial<FileChange>
): FileChange {
  return {
    path,
    change,
    kind: 'text',
    added,
    deleted,
    hunks: 1,
    attribution: 'declared',
    interleaved: false,
    secret: false,
    counted: true,
    ...more
  }
}

export const SHOP_FILES: readonly FileChange[] = [
  file('assets/receipt-logo.png', 'modified', 0, 0, { kind: 'binary' }),
  file('data/tax-rates.csv', 'modified', 0, 0, { notStored: 'too-large', kind: 'large' }),
  file('openapi/shop.json', 'modified', 14, 0, { attribution: 'inferred' }),
  file('src/cart/add.ts', 'renamed', 2, 2, { oldPath: 'src/cart/sum.ts' }),
  file('src/cart/index.ts', 'modified', 2, 1, { attribution: 'shared' }),
  file('src/cart/rounding.ts', 'added', 18, 0),
  file('src/cart/tax.ts', 'added', 61, 0),
  file('src/cart/total.ts', 'modified', 23, 8, { interleaved: true, hunks: 5 }),
  file('test/cart/sum.test.ts', 'deleted', 0, 32),
  file('test/cart/total.test.ts', 'modified', 58, 3)
]

/** What looks like secrets is masked. */
export const ENV: FileChange = file('.env', 'modified', 2, 1, { secret: true })

/** Changed outside, after the run. */
export const README: FileChange = file('README.md', 'modified', 3, 0)
