/** Measures the performance targets and prints a table; `--json` prints the numbers as JSON. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { availableParallelism, loadavg, release, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { BISECT } from './bisect.ts'
import { BRAKE } from './brake.ts'
import { CALM } from './calm.ts'
import { CAPTURE } from './capture.ts'
import { CHECKPOINT } from './checkpoint.ts'
import { CONTINUOUS_REVIEW } from './continuous-review.ts'
import { CONVERSATION } from './conversation.ts'
import { DISK } from './disk.ts'
import { DRIFT_CHECK } from './drift-check.ts'
import type { Figure, Row, Setting } from './figure.ts'
import { FINDINGS } from './findings.ts'
import { FIRST_COMMAND } from './first-command.ts'
import { FIRST_DIFF } from './first-diff.ts'
import { FIRST_PROTECTION } from './first-protection.ts'
import { writeTree } from './generated-tree.ts'
import { HOOK } from './hook.ts'
import { HOOK_DEADLINE } from './hook-deadline.ts'
import { HOSTS } from './hosts.ts'
import { LARGE_FILES } from './large-files.ts'
import { LIVE } from './live.ts'
import { LONG_HISTORY } from './long-history.ts'
import { LONG_TIMELINE } from './long-timeline.ts'
import { MEMORY } from './memory.ts'
import { PURE } from './pure.ts'
import { REPLAY } from './replay.ts'
import { RESTORE } from './restore.ts'
import { SWITCHES } from './switches.ts'
import { printTable } from './table.ts'
import { WATCHERS } from './watchers.ts'
import { WORKTREES } from './worktrees.ts'
import { WRITES } from './writes.ts'

const FIGURES: readonly Figure[] = [
  FIRST_PROTECTION,
  CAPTURE,
  CHECKPOINT,
  DRIFT_CHECK,
  HOOK,
  HOOK_DEADLINE,
  CONVERSATION,
  LIVE,
  FIRST_COMMAND,
  BRAKE,
  WORKTREES,
  RESTORE,
  DISK,
  LONG_HISTORY,
  LONG_TIMELINE,
  LARGE_FILES,
  MEMORY,
  WRITES,
  WATCHERS,
  CALM,
  FINDINGS,
  FIRST_DIFF,
  SWITCHES,
  REPLAY,
  CONTINUOUS_REVIEW,
  HOSTS,
  BISECT,
  PURE
]

const SIZES = [10_000, 50_000, 100_000]
const QUICK_SIZES = [2000]

const USAGE = `npm run bench -- [TREE] [options]

  TREE          a real project tree to measure in addition to the generated ones
  --only NAME   only this figure; may be repeated: ${FIGURES.map((figure) => figure.name).join(', ')}
  --quick       smaller trees and fewer pairs, for a quick check
  --files N,N   sizes of the generated trees (default ${SIZES.join(',')})
  --trees DIR   keep generated trees here for the next run
  --json        print JSON on stdout and the table on stderr
`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: 'string', multiple: true },
    quick: { type: 'boolean', default: false },
    files: { type: 'string' },
    trees: { type: 'string' },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false }
  }
})
if (values.help) {
  process.stdout.write(USAGE)
  process.exit(0)
}
const unknown = values.only?.find((name) => !FIGURES.some((figure) => figure.name === name))
if (unknown !== undefined) {
  process.stderr.write(`Unknown figure "${unknown}".\n\n${USAGE}`)
  process.exit(2)
}

const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'driftline-bench-')))
const trees = values.trees === undefined ? join(scratch, 'trees') : resolve(values.trees)
let folders = 0
const setting: Setting = {
  tree: positionals[0] === undefined ? null : realpathSync(positionals[0]),
  quick: values.quick,
  sizes: values.files?.split(',').map(Number) ?? (values.quick ? QUICK_SIZES : SIZES),
  generated: async (files) => {
    const folder = join(trees, `generated-${files}`)
    mkdirSync(folder, { recursive: true })
    await writeTree(folder, files)
    return folder
  },
  folder: (name) => {
    const folder = join(scratch, `${name}-${folders++}`)
    mkdirSync(folder)
    return folder
  },
  log: (sentence) => process.stderr.write(`${sentence}\n`)
}

const machine = {
  node: process.version,
  system: `${process.platform} ${release()}`,
  cores: availableParallelism(),
  loadBefore: loadavg()[0] as number
}
const rows: Row[] = []
let failed = false
try {
  for (const figure of FIGURES) {
    if (values.only && !values.only.includes(figure.name)) continue
    setting.log(`${figure.name} (load ${(loadavg()[0] as number).toFixed(1)}) ...`)
    try {
      rows.push(...(await figure.measure(setting)))
    } catch (error) {
      // A failing figure must not prevent the others; the exit code reports it.
      failed = true
      setting.log(`Couldn’t measure ${figure.name}: ${error instanceof Error ? error.stack : String(error)}`)
    }
  }
} finally {
  rmSync(scratch, { recursive: true, force: true, maxRetries: 3 })
}
const loadAfter = loadavg()[0] as number
printTable(values.json ? process.stderr : process.stdout, { ...machine, loadAfter }, rows)
if (values.json) process.stdout.write(`${JSON.stringify({ machine: { ...machine, loadAfter }, rows }, null, 2)}\n`)
process.exitCode = failed ? 1 : 0
