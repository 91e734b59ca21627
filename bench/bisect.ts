/** A position of a large folder, ready for a command, and the search for one of 500 edits with a test that takes a second. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { removePosition } from '../src/main/cli/bisect/position-copy.ts'
import { chooseMethod, openView, READY, type ViewMethod } from '../src/main/cli/bisect/position-view.ts'
import type { Engine } from '../src/main/engine/engine.ts'
import { ownProcess } from '../src/main/engine/ports/processes.ts'
import type { Figure, Row } from './figure.ts'
import { CLI, openEngine, record, recordRun, workspaceOf } from './recorded.ts'
import { inSeconds, median } from './statistics.ts'

const FILES = 44_000
const POSITIONS = 20
const MANY = 2000
const EDITS = 500

export const BISECT: Figure = {
  name: 'bisect',
  measure: async (setting) => {
    const tree = await setting.generated(setting.quick ? 4000 : FILES)
    const data = await record(setting, tree)
    const engine = await openEngine(data, false)
    const workspace = await workspaceOf(engine)
    await recordRun(engine, workspace, 'edits', () => {
      for (let n = 0; n < POSITIONS; n++) writeFileSync(join(tree, `bench-${n}.ts`), `export const n = ${n}\n`)
    })
    const few = await ready(engine, workspace, tree, setting.folder('trial'))
    const folder = join(tree, 'bench-many')
    await recordRun(engine, workspace, 'many', () => {
      mkdirSync(folder)
      for (let n = 0; n < MANY; n++) writeFileSync(join(folder, `${n}.ts`), `export const n = ${n}\n`.repeat(40))
    })
    await recordRun(engine, workspace, 'deleted', () => rmSync(folder, { recursive: true }))
    const many = await ready(engine, workspace, tree, setting.folder('trial'), MANY / 2)
    await engine.close()
    rmSync(join(tree, 'bench-0.ts'), { force: true })
    return [
      row('position of a folder of 44,000 files, ready', few, 0.05, POSITIONS),
      row('— with 2,000 changed paths', many, 1, 3),
      await search(setting.folder('searched'), setting.folder('history'), setting.quick ? 60 : EDITS)
    ]
  }
}

/** Seconds from the question to the first instruction of a command. `offset`: edits before the newest position. */
async function ready(
  engine: Engine,
  workspace: string,
  root: string,
  trial: string,
  offset?: number
): Promise<number[]> {
  const { good, bad, groups } = await engine.call('bisect.candidates', { workspace })
  const edits = groups.flat()
  const method: ViewMethod = await chooseMethod(trial, root)
  const all: number[] = []
  for (let n = 0; n < (offset === undefined ? POSITIONS : 3); n++) {
    const seq = offset === undefined ? edits[n % edits.length] : bad - MANY - 1 - n
    const started = performance.now()
    const position = await engine.call('position.write', {
      workspace,
      target: `seq:${seq}`,
      owner: ownProcess(),
      ...(offset === undefined ? { between: { good, bad } } : {})
    })
    const { file, args } = (await openView(position, { root, inside: '', method })).wrap(['true'])
    const { stderr } = spawnSync(file, [...args], { stdio: ['ignore', 'ignore', 'pipe', 'pipe'] })
    all.push((performance.now() - started) / 1000)
    if (method !== 'copy' && stderr.toString() !== READY) throw new Error(stderr.toString())
    await removePosition(position)
  }
  return all
}

function row(figure: string, seconds: readonly number[], target: number, count: number): Row {
  const half = median(seconds)
  return {
    figure,
    on: `${count} positions`,
    ours: inSeconds(half),
    theirs: '',
    result: inSeconds(half),
    target: `<= ${inSeconds(target)}`,
    reached: half <= target,
    note: 'written, mounted, command begun and ended',
    numbers: { seconds }
  }
}

/** The real command, with both ends known. */
async function search(root: string, dataFolder: string, edits: number): Promise<Row> {
  writeFileSync(join(root, 'a.txt'), 'start\n')
  const data = await record({ folder: () => dataFolder }, root)
  const engine = await openEngine(data, false)
  const workspace = await workspaceOf(engine)
  const cause = Math.floor(edits * 0.61)
  for (let n = 1; n <= edits; n++)
    await recordRun(engine, workspace, `edit ${n}`, () => {
      writeFileSync(join(root, n === cause ? 'broken.txt' : 'a.txt'), `edit ${n}\n`)
    })
  await engine.close()
  const command = ['sh', '-c', 'sleep 1; ! [ -e broken.txt ]']
  const args = ['bisect', '--json', '--good', 'seq:0', '--bad', `seq:${edits}`, '--folder', root, '--data', data]
  const started = performance.now()
  const { stdout } = spawnSync(process.execPath, [CLI, ...args, '--', ...command], { encoding: 'utf8' })
  const seconds = (performance.now() - started) / 1000
  const { culprit, probes } = JSON.parse(stdout) as {
    culprit: { seq: number } | null
    probes: { repeat?: true; ms: number }[]
  }
  if (culprit?.seq !== cause) throw new Error(`the search found ${culprit?.seq} instead of ${cause}`)
  const searched = probes.filter(({ repeat }) => !repeat).length
  return {
    figure: `search of ${edits} edits, test of 1 s`,
    on: 'ends known',
    ours: `${searched} probes, then ${probes.length - searched} repeated`,
    theirs: '',
    result: inSeconds(seconds),
    target: '<= 9 probes, <= 12 s',
    reached: searched <= 9 && seconds <= 12,
    note: `${inSeconds(seconds - probes.reduce((sum, { ms }) => sum + ms, 0) / 1000)} beside the test`,
    numbers: { seconds, probes: probes.length, searched }
  }
}
