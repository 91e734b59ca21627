// `npm run test:soak -- [N]`: `npm test` N times (10 unless told), every second time with both cores busy with other work.
// Prints each failure and the time of each run, and keeps what a run that failed printed. The exit code is 1 if one failed.
import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { root } from './node-choice.mjs'

const runs = Number(process.argv[2] ?? 10)
if (!Number.isInteger(runs) || runs < 1) {
  console.error('Usage: npm run test:soak -- [N]; N is the number of runs, 10 unless given.')
  process.exit(2)
}

/** Keeps every core busy until it is stopped. */
function load() {
  const busy = Array.from({ length: availableParallelism() }, () =>
    spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' })
  )
  return {
    [Symbol.dispose]: () => {
      for (const child of busy) child.kill('SIGKILL')
    }
  }
}

function test() {
  const since = Date.now()
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, 'scripts/test.mjs')], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    encoding: 'utf8',
    maxBuffer: 256 * 1024 * 1024
  })
  const lines = stdout.trimEnd().split('\n')
  const from = lines.lastIndexOf('Failed:')
  return {
    passed: status === 0,
    seconds: Math.round((Date.now() - since) / 1000),
    total: lines.at(-1),
    output: stdout + stderr,
    failures: from === -1 ? [] : lines.slice(from + 1).filter((line) => line.startsWith('  '))
  }
}

/** Writes it beside the results of tests, and returns where. */
function keep(name, output) {
  const folder = join(root, 'test-results')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, name), output)
  return join(folder, name)
}

let failed = 0
for (let i = 1; i <= runs; i++) {
  const busy = i % 2 === 0
  const other = busy ? load() : null
  const { passed, seconds, total, output, failures } = test()
  other?.[Symbol.dispose]()
  if (!passed) failed += 1
  console.log(`run ${i} of ${runs}${busy ? ', beside other work' : ''}: ${total} in ${seconds} s`)
  for (const failure of failures) console.log(failure)
  if (!passed) console.log(`  ${keep(`soak-${i}.log`, output)}`)
}
console.log(`${runs - failed} runs passed, ${failed} failed`)
process.exitCode = failed > 0 ? 1 : 0
