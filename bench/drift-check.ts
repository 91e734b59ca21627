/**
 * The drift check: with a live watcher and one dirty file, cold over an unchanged tree, and as the command a person types
 * where no host runs, each against `git status`.
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

const LIVE_WANTED = 0.1
const COLD_WANTED = 1

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

/** A file is edited: never in the tree that was given. */
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
    wanted: `<= ${times(COLD_WANTED)}`,
    reached: ratioOf(pairs) <= COLD_WANTED
  }
}

/** The first check of a process, and all it takes to get there: starting, loading, opening. */
async function command(shadow: ShadowRepository, data: string, tree: string, on: string, rounds: number): Promise<Row> {
  const pairs = await alternating(rounds, {
    ours: () => timed(LAUNCHER, ['status', '--data', data], tree),
    theirs: () => shadow.git('status', '--porcelain')
  })
  return { ...row('`driftline status`, no host', on, pairs), wanted: '', reached: null }
}

interface Pairs {
  readonly ours: readonly Timed[]
  readonly theirs: readonly Timed[]
}

/** The first pair warms up: ours hashes what was too young to trust, and git refreshes its index. */
async function alternating(
  rounds: number,
  sides: { readonly ours: () => Promise<Timed>; readonly theirs: () => Promise<Timed> }
): Promise<Pairs> {
  const ours: Timed[] = []
  const theirs: Timed[] = []
  for (let round = -1; round < rounds; round++) {
    const one = await sides.ours()
    const other = await sides.theirs()
    if (round < 0) continue
    ours.push(one)
    theirs.push(other)
  }
  return { ours, theirs }
}

function ratioOf({ ours, theirs }: Pairs): number {
  return median(ours.map((one, n) => one.wall / (theirs[n] as Timed).wall))
}

/** Seconds of processor a round. */
function processor(side: readonly Timed[]): number {
  return side.reduce((all, { user, system }) => all + user + system, 0) / side.length
}

function row(figure: string, on: string, pairs: Pairs): Omit<Row, 'wanted' | 'reached'> {
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
    note: `processor ${inSeconds(processors.ours)} against ${inSeconds(processors.theirs)}: ${times(processors.ours / processors.theirs)}, which other work beside it changes less`,
    numbers: { ratio, processor: processors.ours / processors.theirs, ours, theirs }
  }
}

async function live(shadow: ShadowRepository, data: string, tree: string, on: string, rounds: number): Promise<Row> {
  const engine = await openEngine(data, true)
  const workspace = await workspaceOf(engine)
  await untilLive(engine, workspace)
  const edited = someFile(tree)
  const asItWas = readFileSync(edited)
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
  writeFileSync(edited, asItWas)
  const ratio = median(ours.map((one, n) => one / (theirs[n] as number)))
  return {
    figure: 'drift check, watcher live',
    on,
    ours: inSeconds(median(ours)),
    theirs: `git status ${inSeconds(median(theirs))}`,
    result: times(ratio),
    wanted: `<= ${times(LIVE_WANTED)}`,
    reached: ratio <= LIVE_WANTED,
    note: 'one file edited before each check; its durable capture is in the time',
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
  if (!next) throw new Error(`${folder} holds no text file`)
  return someFile(join(folder, next.name))
}
