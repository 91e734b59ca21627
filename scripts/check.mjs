// `npm run check`: the fast checks: types, lint, architecture and language. `-- --figures` prints structure metrics.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { ensureFitNode, root } from './node-choice.mjs'

ensureFitNode(import.meta.filename ?? process.argv[1])
process.chdir(root)

const module = (path) => join('node_modules', path)
const CHECKS = {
  types: ['scripts/typecheck.mjs'],
  lint: [module('@biomejs/biome/bin/biome'), 'check'],
  structure: [module('vitest/vitest.mjs'), 'run', '--reporter=dot', 'test/architecture.test.ts', 'test/docs.test.ts']
}
const run = (args) => spawnSync(process.execPath, args, { stdio: 'inherit' }).status === 0

if (process.argv.includes('--figures')) {
  process.exitCode = run(['scripts/figures.ts']) ? 0 : 1
} else {
  const failed = Object.keys(CHECKS).filter((name) => !run(CHECKS[name]))
  console.log(failed.length === 0 ? 'All checks passed.' : `Failed: ${failed.join(', ')}`)
  process.exitCode = failed.length === 0 ? 0 : 1
}
