// `npm test`: types, lint, build, then every suite. The last line is the total; the exit code is 1 if a test failed.
// Paths run only those tests. `--long` runs the random and the large tests at length, `--disks` those on scripted disks,
// `--times` lists the slowest files.
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { buildIfNeeded } from './build-if-needed.mjs'
import { ensureFitNode, root } from './node-choice.mjs'
import { printSkipped } from './print-skipped.mjs'

ensureFitNode(import.meta.filename ?? process.argv[1])
process.chdir(root)
// As npm sets it: tests that start `node` get the supported version.
process.env.PATH = [join(root, 'node_modules/.bin'), process.env.PATH].join(delimiter)

const { ensureBrowser } = await import('./ensure-browser.mjs')

const program = (path) => join(root, 'node_modules', path)
/** Checks that come before the tests, at once: the build, which is one thread, is the last to begin and blocks this process. */
const CHECKS = {
  types: () => run(['scripts/typecheck.mjs']),
  lint: () => run([program('@biomejs/biome/bin/biome'), 'check']),
  build: buildIfNeeded
}
const DISKS = ['test/disks']

const options = process.argv.slice(2)
const paths = options.filter((option) => !option.startsWith('--'))
if (options.includes('--long')) process.env.DRIFTLINE_TESTS = 'long'
const disks = options.includes('--disks')
if (disks) process.env.DRIFTLINE_DISKS = '1'
const browser = ensureBrowser()
const scratch = mkdtempSync(join(tmpdir(), 'driftline-tests-'))
process.on('exit', () => rmSync(scratch, { recursive: true, force: true }))

function run(args, env = {}) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, { stdio: 'inherit', env: { ...process.env, ...env } })
    child.on('error', () => resolve(1))
    child.on('exit', (code) => resolve(code ?? 1))
  })
}

const NOT_RUN = { suites: {}, skipped: {}, failures: [], times: [] }

/** Runs vitest. A failing run without a failed test in its report counts as one failure. */
async function vitest(selected) {
  const report = join(scratch, 'totals.json')
  const reporters = ['--reporter=default', `--reporter=${join(root, 'scripts/totals-reporter.mjs')}`]
  const code = await run([program('vitest/vitest.mjs'), 'run', '--passWithNoTests', ...reporters, ...selected], {
    DRIFTLINE_BROWSER: browser.path ?? process.env.DRIFTLINE_BROWSER ?? '',
    DRIFTLINE_TOTALS: report
  })
  const totals = existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : { ...NOT_RUN, suites: {} }
  if (code !== 0 && totals.failures.length === 0) totals.suites.vitest = { passed: 0, failed: 1, skipped: 0 }
  return totals
}

console.error(`${Object.keys(CHECKS).join(', ')} ...`)
const codes = await Promise.all(Object.values(CHECKS).map((check) => check()))
const checks = Object.fromEntries(
  Object.keys(CHECKS).map((name, i) => [
    name,
    { passed: codes[i] === 0 ? 1 : 0, failed: codes[i] === 0 ? 0 : 1, skipped: 0 }
  ])
)
// Without a build, tests of programs would fail one by one, or test programs that are no longer there.
const { suites, skipped, failures, times } = checks.build.failed
  ? NOT_RUN
  : await vitest(paths.length > 0 ? paths : disks ? DISKS : [])

const total = { passed: 0, failed: 0, skipped: 0 }
console.log()
for (const [name, suite] of Object.entries({ ...checks, ...suites })) {
  for (const state of Object.keys(total)) total[state] += suite[state]
  console.log(
    `${name.padEnd(14)} ${suite.passed} passed, ${suite.failed} failed${suite.skipped ? `, ${suite.skipped} skipped` : ''}`
  )
}
if (options.includes('--times')) {
  console.log('\nSlowest files, seconds:')
  for (const { file, ms } of times.slice(0, 40)) console.log(`${(ms / 1000).toFixed(1).padStart(7)}  ${file}`)
}
printSkipped(skipped)
if (failures.length > 0) console.log(`\nFailed:\n${failures.map((failure) => `  ${failure}`).join('\n')}`)
if (!browser.path) {
  console.log(`\nBROWSER TESTS SKIPPED: ${browser.why}`)
  console.log('Install Chromium or Chrome, or name one with DRIFTLINE_BROWSER, and run npm test again.')
}
if (checks.build.failed) console.log('\nThe build failed, so no suite was run. The errors above say why.')
console.log()
console.log(`${total.passed} passed, ${total.failed} failed${total.skipped ? `, ${total.skipped} skipped` : ''}`)
process.exitCode = total.failed > 0 ? 1 : 0
