// Prints what was skipped, by reason: `node scripts/print-skipped.mjs FILE`, with the totals of totals-reporter.mjs in the file.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** `skipped`: the number of tests by reason. */
export function printSkipped(skipped) {
  const reasons = Object.entries(skipped)
  if (reasons.length > 0) console.log('\nSkipped, because it needs:')
  for (const [reason, count] of reasons) console.log(`${String(count).padStart(7)}  ${reason}`)
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  printSkipped(JSON.parse(readFileSync(process.argv[2], 'utf8')).skipped)
