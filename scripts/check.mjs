// `npm run check`: the fast checks: types, lint, architecture, documents, language and styles. `-- --figures` prints
// what the structure is measured by.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { ensureFitNode, root } from './node-choice.mjs'

ensureFitNode(import.meta.filename ?? process.argv[1])
process.chdir(root)

const module = (path) => join('node_modules', path)
const CHECKS = {
  types: ['scripts/typecheck.mjs'],
  lint: [module('@biomejs/biome/bin/biome'), 'check'],
  structure: [
    module('vitest/vitest.mjs'),
    'run',
    '--reporter=dot',
    'test/architecture.test.ts',
    'test/docs.test.ts',
    'test/language.test.ts',
    'test/styles.test.ts'
  ]
}
/** Prints the output at the end, because the checks run at once. */
async function run(args) {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  const output = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes) => output.push(bytes))
  const [code] = await once(child, 'close')
  process.stdout.write(Buffer.concat(output))
  return code === 0
}

if (process.argv.includes('--figures')) {
  process.exitCode = (await run(['scripts/figures.ts'])) ? 0 : 1
} else {
  const names = Object.keys(CHECKS)
  const passed = await Promise.all(names.map((name) => run(CHECKS[name])))
  const failed = names.filter((_, i) => !passed[i])
  console.log(failed.length === 0 ? 'All checks passed.' : `Failed: ${failed.join(', ')}`)
  process.exitCode = failed.length === 0 ? 0 : 1
}
