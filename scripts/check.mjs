// `npm run check`: what can be known in seconds: types, lint and the architecture rules.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { ensureFitNode, root } from './node-choice.mjs'

ensureFitNode(import.meta.filename ?? process.argv[1])
process.chdir(root)

const CHECKS = [
  ['types', 'typescript/bin/tsc', '--noEmit'],
  ['lint', '@biomejs/biome/bin/biome', 'check'],
  ['architecture', 'vitest/vitest.mjs', 'run', '--reporter=dot', 'test/architecture.test.ts']
]

const failed = CHECKS.filter(([, program, ...args]) => {
  const { status } = spawnSync(process.execPath, [join('node_modules', program), ...args], { stdio: 'inherit' })
  return status !== 0
}).map(([name]) => name)

console.log(failed.length === 0 ? 'All checks passed.' : `Failed: ${failed.join(', ')}`)
process.exitCode = failed.length === 0 ? 0 : 1
