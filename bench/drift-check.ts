/**
 * The drift check compared with `git status`: with a live watcher and one dirty file, cold over an unchanged tree, and as
 * `driftline status` without a host.
 */
import { appendFileSync, cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Engine } from '../src/main/engine/engine.ts'
import { countFiles } from './disk-use.ts'
import type { Figure, Row, Setting } from './figure.ts'
import { LAUNCHER, openEngine, record, workspaceOf } from './recorded.ts'
import { type ShadowRepository, shadowRepository } from './shadow-repository.ts'
import { inSeconds, median, times } from './statistics.ts'
import { type Timed, timed } from './timed.ts'

const LIVE_TARGET = 0.1
const COLD_TARGET = 1

export const DRIFT_CHECK: Figure = {
  name: 'drift-check',
  measure: async (setting) => {
    const trees = setting.tree === null ? [] : [setting.tree]
    for (const files of setting.sizes) trees.push(await setting.generated(files))
    const rows: Row[] = []
    for (const tree of trees) rows.push(...(await onTree(setting, tree)))
    return rows
  }
}

async function onTree(setting: Setting, original: string): Promise<Row[]> {
  const tree = original === setting.tree ? await copyOf(setting, original) : original
  const shadow = await shadowRepository(setting.folder('shadow'), tree)
  await shadow.git('add', '-A')
  await shadow.git('commit', '-q', '-m', 'all')
  const data = await record(setting, tree)
  const on = `${basename(tree)} (${countFiles(tree)} files)`
  const rounds = setting.quick ? 3 : 7
  return [
    await cold(shadow, data, on, rounds),
    await command(shadow, data, tree, on, rounds),
    await live(shadow, data, tree, on, rounds)
  ]
}

/** The figure edits a file, so it works on a copy of the user's tree. */
async function copyOf(setting: Setting, original: string): Promise<string> {
  const tree = join(setting.folder('copy'), basename(original))
  cpSync(original, tree, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true })
  await new Promise((resolve) => setTimeout(resolve, 2200))
  return tree
}

async function cold(shadow: ShadowRepository, data: string, on: string, rounds: number): Promise<Row> {
  const engine = await openEngine(data, false)
  const workspace = await workspaceOf(engine)
  const pairs = await alternating(rounds, {
    ours: async () => {
      const before = process.cpuUsage()
      const wall = await check(engine, workspace)
      const { user, system } = process.cpuUsage(before)
      return { wall, user: user / 1e6, system: system / 1e6 }
    },
    theirs: () => shadow.git('status', '--porcelain')
  })
  await engine.close()
  return {
    ...row('drift check, cold scan', on, pairs),
    target: `<= ${times(COLD_TARGET)}`,
    reached: ratioOf(pairs) <= COLD_TARGET
  }
}

/** The first check of a process, and all it takes to get there: starting, loading, opening. */
async function command(shadow: ShadowRepository, data: string, tree: string, on: string, rounds: number): Promise<Row> {
  const pairs = await alternating(rounds, {
    ours: () => timed(LAUNCHER, ['status', '--data', data], tree),
    theirs: () => shadow.git('status', '--porcelain')
  })
  return { ...row('`driftline status`, no host', on, pairs), target: '', reached: null }
}

interface Pairs {
  readonly ours: readonly Timed[]
  readonly theirs: readonly Timed[]
}

/** The first pair is a warm-up: we hash files whose times are too recent to trust, and git refreshes its index. */
async function alternating(
  rounds: number,
  sides: { readonly ours: () => Promise<Timed>; readonly theirs: () => Promise<Timed> }
): Promise<Pairs> {
  const ours: Timed[] = []
  const theirs: Timed[] = []
  for (let round = -1; round < rounds; round++) {
    const ourTime = await sides.ours()
    const theirTime = await sides.theirs()
    if (round < 0) continue
    ours.push(ourTime)
    theirs.push(theirTime)
  }
  return { ours, theirs }
}

function ratioOf({ ours, theirs }: Pairs): number {
  return median(ours.map(({ wall }, n) => wall / (theirs[n] as Timed).wall))
}

/** Processor time per round, seconds. */
function processor(side: readonly Timed[]): number {
  return side.reduce((all, { user, system }) => all + user + system, 0) / side.length
}

function row(figure: string, on: string, pairs: Pairs): Omit<Row, 'target' | 'reached'> {
  const ours = pairs.ours.map(({ wall }) => wall)
  const theirs = pairs.theirs.map(({ wall }) => wall)
  const ratio = ratioOf(pairs)
  const processors = { ours: processor(pairs.ours), theirs: processor(pairs.theirs) }
  return {
    figure,
    on,
    ours: inSeconds(median(ours)),
    theirs: `git status ${inSeconds(median(theirs))}`,
    result: times(ratio),
    note: `processor ${inSeconds(processors.ours)} against ${inSeconds(processors.theirs)}: ${times(processors.ours / processors.theirs)}, which depends less on other load`,
    numbers: { ratio, processor: processors.ours / processors.theirs, ours, theirs }
  }
}

async function live(shadow: ShadowRepository, data: string, tree: string, on: string, rounds: number): Promise<Row> {
  const engine = await openEngine(data, true)
  const workspace = await workspaceOf(engine)
  await untilLive(engine, workspace)
  const edited = someFile(tree)
  const original = readFileSync(edited)
  const ours: number[] = []
  const theirs: number[] = []
  for (let round = -1; round < rounds; round++) {
    appendFileSync(edited, `// edit ${round}\n`)
    const spent = await check(engine, workspace)
    const git = await shadow.git('status', '--porcelain')
    if (round < 0) continue
    ours.push(spent)
    theirs.push(git.wall)
  }
  await engine.close()
  writeFileSync(edited, original)
  const ratio = median(ours.map((time, n) => time / (theirs[n] as number)))
  return {
    figure: 'drift check, watcher live',
    on,
    ours: inSeconds(median(ours)),
    theirs: `git status ${inSeconds(median(theirs))}`,
    result: times(ratio),
    target: `<= ${times(LIVE_TARGET)}`,
    reached: ratio <= LIVE_TARGET,
    note: 'one file edited before each check; the time includes its durable capture',
    numbers: { ratio, ours, theirs }
  }
}

async function check(engine: Engine, workspace: string): Promise<number> {
  const started = performance.now()
  await engine.call('drift.list', { workspace, check: true })
  return (performance.now() - started) / 1000
}

async function untilLive(engine: Engine, workspace: string): Promise<void> {
  const until = performance.now() + 120_000
  for (;;) {
    const { watcher } = await engine.call('workspace.status', { workspace, check: true })
    if (watcher.state === 'live') return
    if (performance.now() > until) throw new Error(`the watcher is ${watcher.state}: ${watcher.why}`)
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}

function someFile(folder: string): string {
  const entries = readdirSync(folder, { withFileTypes: true })
  const file = entries.find((entry) => entry.isFile() && /\.(ts|js|md|json)$/.test(entry.name))
  if (file) return join(folder, file.name)
  const next = entries.find((entry) => entry.isDirectory() && existsSync(join(folder, entry.name)))
  if (!next) throw new Error(`${folder} contains no text file`)
  return someFile(join(folder, next.name))
}
