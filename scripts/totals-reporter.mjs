// A vitest reporter that writes the totals as JSON: per suite, what failed, what was skipped and why, and the slowest files.
import { writeFileSync } from 'node:fs'
import { relative } from 'node:path'

/** The suite of a file is its folder below test/; all others are unit tests. */
const SUITES = ['holes', 'hostile', 'property', 'crash', 'contract', 'e2e', 'pack', 'architecture']
function suiteOf(file) {
  const [, first = ''] = file.split('/')
  return SUITES.find((name) => first === name || first.startsWith(`${name}.`)) ?? 'unit'
}

export default class TotalsReporter {
  #vitest

  onInit(vitest) {
    this.#vitest = vitest
  }

  onTestRunEnd(modules, errors) {
    const { root, tags } = this.#vitest.config
    // The tags that skip first: of two conditions, the one that is not met is the reason.
    const conditions = tags.toSorted((a, b) => Number(Boolean(b.skip)) - Number(Boolean(a.skip)))
    const suites = {}
    const skipped = {}
    const failures = []
    const times = []
    for (const module of modules) {
      const file = relative(root, module.moduleId).replaceAll('\\', '/')
      const name = suiteOf(file)
      suites[name] ??= { passed: 0, failed: 0, skipped: 0 }
      const suite = suites[name]
      times.push({ file, ms: Math.round(module.diagnostic().duration) })
      for (const test of module.children.allTests()) {
        const { state, note } = test.result()
        suite[state] += 1
        if (state === 'failed') failures.push(`${file} > ${test.fullName}`)
        if (state !== 'skipped') continue
        const reason = note ?? conditions.find(({ name }) => test.tags.includes(name))?.description ?? 'no reason given'
        skipped[reason] = (skipped[reason] ?? 0) + 1
      }
      // A file that cannot be loaded has no tests, but counts as a failure; so does a hook that fails.
      if (module.state() === 'failed' && !failures.some((failure) => failure.startsWith(`${file} > `))) {
        suite.failed += 1
        failures.push(file)
      }
    }
    for (const error of errors) failures.push(`outside of tests: ${error.message}`)
    if (errors.length > 0) {
      suites.unit ??= { passed: 0, failed: 0, skipped: 0 }
      suites.unit.failed += errors.length
    }
    times.sort((a, b) => b.ms - a.ms)
    writeFileSync(process.env.DRIFTLINE_TOTALS, JSON.stringify({ suites, skipped, failures, times }))
  }
}
