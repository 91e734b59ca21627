// `npm test`: types, lint, build, then every suite. The last line is the total; the exit code is 1 if a test failed.
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join, relative } from 'node:path'
import { buildIfNeeded } from './build-if-needed.mjs'
import { ensureFitNode, root } from './node-choice.mjs'

ensureFitNode(import.meta.filename ?? process.argv[1])
process.chdir(root)
// As npm sets it: tests that start `node` get the supported version.
process.env.PATH = [join(root, 'node_modules/.bin'), process.env.PATH].join(delimiter)

const { ensureBrowser } = await import('./ensure-browser.mjs')

const program = (path) => join(root, 'node_modules', path)
const PROGRAMS = {
  types: ['scripts/typecheck.mjs'],
  lint: [program('@biomejs/biome/bin/biome'), 'check']
}
const scratch = mkdtempSync(join(tmpdir(), 'driftline-tests-'))
process.on('exit', () => rmSync(scratch, { recursive: true, force: true }))

const total = { passed: 0, failed: 0, skipped: 0 }
const suites = new Map()

function count(suite, passed, failed, skipped) {
  const sum = suites.get(suite) ?? { passed: 0, failed: 0, skipped: 0 }
  suites.set(suite, { passed: sum.passed + passed, failed: sum.failed + failed, skipped: sum.skipped + skipped })
  total.passed += passed
  total.failed += failed
  total.skipped += skipped
}

function run(args, env = {}) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, { stdio: 'inherit', env: { ...process.env, ...env } })
    child.on('error', () => resolve(1))
    child.on('exit', (code) => resolve(code ?? 1))
  })
}

/** The suite of a file is its folder below test/; all others are unit tests. */
const SUITES = ['holes', 'hostile', 'property', 'crash', 'contract', 'e2e', 'pack', 'architecture']
function suiteOf(file) {
  const [, first = ''] = relative(root, file).split(/[\\/]/)
  return SUITES.find((name) => first === name || first.startsWith(`${name}.`)) ?? 'unit'
}

/** Runs vitest once. A failing run without a failed test in its report counts as one failure. */
async function vitest(label, args) {
  const report = join(scratch, `${label}.json`)
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const code = await run([program('vitest/vitest.mjs'), 'run', '--passWithNoTests', ...reporters, ...args], {
    DRIFTLINE_BROWSER: browser.path ?? process.env.DRIFTLINE_BROWSER ?? ''
  })
  let failures = 0
  if (existsSync(report)) {
    for (const { name, status, assertionResults } of JSON.parse(readFileSync(report, 'utf8')).testResults) {
      const countOf = (state) => assertionResults.filter((test) => test.status === state).length
      const passed = countOf('passed')
      // A file that fails to load has no tests in the report, but counts as a failure.
      const failed = countOf('failed') || (status === 'failed' ? 1 : 0)
      failures += failed
      count(suiteOf(name), passed, failed, assertionResults.length - passed - countOf('failed'))
    }
  }
  if (code !== 0 && failures === 0) count(label, 0, 1, 0)
}

const only = process.argv.slice(2)
const browser = ensureBrowser()

for (const [name, args] of Object.entries(PROGRAMS)) {
  const ok = (await run(args)) === 0
  count(name, ok ? 1 : 0, ok ? 0 : 1, 0)
}
const built = buildIfNeeded() === 0
count('build', built ? 1 : 0, built ? 0 : 1, 0)

if (only.length > 0) {
  await vitest('selected', only)
} else {
  await vitest('unit', ['--exclude', 'test/e2e/**'])
  // One file at a time: each starts a browser, and a build machine may have only two cores.
  if (built) await vitest('e2e', ['--no-file-parallelism', 'test/e2e/'])
}

console.log()
for (const [name, { passed, failed, skipped }] of suites) {
  console.log(`${name.padEnd(14)} ${passed} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ''}`)
}
if (!browser.path) {
  console.log(`\nBROWSER TESTS SKIPPED: ${browser.why}`)
  console.log('Install Chromium or Chrome, or name one with DRIFTLINE_BROWSER, and run npm test again.')
}
console.log()
console.log(`${total.passed} passed, ${total.failed} failed${total.skipped ? `, ${total.skipped} skipped` : ''}`)
process.exitCode = total.failed > 0 ? 1 : 0
