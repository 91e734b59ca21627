/**
 * Two agents with hooks and a person in one folder, their work interleaved: whatever happens, each run's diff is what git
 * takes both ways, and taking a run back changes what the layers of the paths say and nothing else.
 */
import { chmodSync, existsSync, linkSync, lstatSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import '../support/in-memory.ts'
import { takenByGit } from '../support/back-and-forth.ts'
import { type HookedAgent, hookedAgent } from '../support/hooked-agent.ts'
import { type Recorded, recordedFolder } from '../support/recorded.ts'
import { type Heads, Layers } from './layers.ts'

const PATHS = ['a', 'A', 'b', 'c', 'd/x', 'd/y']
const path = fc.constantFrom(...PATHS)
const agent = fc.constantFrom(0, 1)

type Change =
  | { readonly do: 'write'; readonly path: string; readonly text: string }
  | { readonly do: 'delete' | 'recreate'; readonly path: string }
  | { readonly do: 'link'; readonly path: string; readonly to: string }
  | { readonly do: 'mode'; readonly path: string; readonly mode: number }
  | { readonly do: 'move' | 'swap' | 'hard-link'; readonly path: string; readonly to: string }
  /** Each goes to the place of the next, the last to the first's. */
  | { readonly do: 'chain'; readonly paths: readonly string[] }

const text = fc.constantFrom('one\n', 'two\n', 'one\ntwo\n', 'crlf\r\n', 'no end', '', '\0bin\xff')
const write = fc.record({ do: fc.constant('write' as const), path, text })
const change: fc.Arbitrary<Change> = fc.oneof(
  { weight: 4, arbitrary: write },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('delete' as const, 'recreate' as const), path }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('link' as const), path, to: fc.constantFrom('a', 'b', '../x') })
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('mode' as const), path, mode: fc.constantFrom(0o755, 0o600) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constantFrom('move' as const, 'swap' as const, 'hard-link' as const),
      path,
      to: path
    })
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('move' as const), path: fc.constant('a'), to: fc.constant('A') })
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('chain' as const),
      paths: fc.uniqueArray(path, { minLength: 2, maxLength: 4 })
    })
  }
)
const changes = fc.array(change, { minLength: 1, maxLength: 3 })

type Step =
  | { readonly step: 'tool'; readonly agent: number; readonly change: Extract<Change, { do: 'write' }> }
  | { readonly step: 'shell'; readonly agent: number; readonly changes: readonly Change[] }
  | { readonly step: 'person'; readonly changes: readonly Change[] }
  | { readonly step: 'begin' | 'end' | 'stop'; readonly agent: number }
  | { readonly step: 'mark' | 'undo' | 'redo' | 'reopen' }
  | { readonly step: 'restore'; readonly which: number; readonly outside: 'keep' | 'replace' }
  | { readonly step: 'undo-run'; readonly which: number; readonly onConflict: 'keep' | 'replace' }

const choice = fc.constantFrom('keep' as const, 'replace' as const)
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ step: fc.constant('tool' as const), agent, change: write }) },
  { weight: 4, arbitrary: fc.record({ step: fc.constant('shell' as const), agent, changes }) },
  { weight: 3, arbitrary: fc.record({ step: fc.constant('person' as const), changes }) },
  {
    weight: 4,
    arbitrary: fc.record({ step: fc.constantFrom('begin' as const, 'end' as const, 'stop' as const), agent })
  },
  { weight: 2, arbitrary: fc.record({ step: fc.constantFrom('mark' as const, 'undo' as const, 'redo' as const) }) },
  { weight: 1, arbitrary: fc.record({ step: fc.constant('reopen' as const) }) },
  { weight: 1, arbitrary: fc.record({ step: fc.constant('restore' as const), which: fc.nat(9), outside: choice }) },
  { weight: 3, arbitrary: fc.record({ step: fc.constant('undo-run' as const), which: fc.nat(9), onConflict: choice }) }
)

function make(root: string, one: Change): void {
  const at = (name: string): string => join(root, name)
  const there = (name: string): boolean => lstatSync(at(name), { throwIfNoEntry: false }) !== undefined
  switch (one.do) {
    case 'write':
      rmSync(at(one.path), { force: true })
      writeFileSync(at(one.path), Buffer.from(one.text, 'latin1'))
      break
    case 'delete':
      rmSync(at(one.path), { force: true })
      break
    case 'recreate':
      if (!existsSync(at(one.path))) break
      rmSync(at(one.path))
      writeFileSync(at(one.path), 'made again\n')
      break
    case 'link':
      rmSync(at(one.path), { force: true })
      symlinkSync(one.to, at(one.path))
      break
    case 'mode':
      if (lstatSync(at(one.path), { throwIfNoEntry: false })?.isFile()) chmodSync(at(one.path), one.mode)
      break
    case 'move':
      if (there(one.path) && one.path !== one.to) renameSync(at(one.path), at(one.to))
      break
    case 'hard-link':
      if (one.path === one.to || !lstatSync(at(one.path), { throwIfNoEntry: false })?.isFile()) break
      rmSync(at(one.to), { force: true })
      linkSync(at(one.path), at(one.to))
      break
    case 'swap':
      make(root, { do: 'chain', paths: [one.path, one.to] })
      break
    case 'chain': {
      const moving = [...new Set(one.paths)].filter(there)
      for (const [i, name] of moving.entries()) renameSync(at(name), at(`moving-${i}`))
      for (const i of moving.keys()) renameSync(at(`moving-${i}`), at(moving[(i + 1) % moving.length] as string))
    }
  }
}

async function play(steps: readonly Step[]): Promise<void> {
  await using folder = await recordedFolder({
    files: { a: 'start a\n', b: 'start b\n', 'd/x': 'start x\n', 'd/keep': '' }
  })
  const { workspace, root } = folder
  const model = new Layers(folder.tree())
  const agents = [hookedAgent(folder, 'first'), hookedAgent(folder, 'second')] as const
  const runs: string[] = []
  const marks: { id: string; heads: Heads; at: number }[] = []
  const mark = async (): Promise<void> => {
    marks.push({ id: await folder.checkpoint(), heads: model.heads, at: model.at })
  }
  await mark()
  let undo: Heads[] = []
  let redo: Heads[] = []
  /** Whoever has a shell open now may have done it. */
  const open = (): string[] => agents.filter((one) => one.busy).map((one) => one.run as string)
  const took = async (by: readonly string[]): Promise<void> => {
    await folder.check()
    if (model.record(folder.tree(), by) === 0) return
    undo = []
    redo = []
  }
  const restored = (changed: boolean, before: Heads, state: string, what: string): void => {
    expect(state, what).toBe(changed ? 'done' : 'nothing-to-do')
    expect(folder.tree(), what).toEqual(model.tree())
    if (!changed) return
    undo.push(before)
    redo = []
  }
  const apply = (act: Parameters<Recorded['apply']>[0]) =>
    folder.engine.call('restore.apply', { workspace, act, whileLive: true })

  for (const one of steps) {
    switch (one.step) {
      case 'tool': {
        const run = await (agents[one.agent] as HookedAgent).working()
        const input = { file_path: join(root, one.change.path), content: one.change.text }
        await (agents[one.agent] as HookedAgent).call('Write', input, () => make(root, one.change))
        await took([run])
        break
      }
      case 'shell': {
        const me = agents[one.agent] as HookedAgent
        const wasOpen = me.busy
        await me.begin()
        for (const each of one.changes) make(root, each)
        await took(open())
        if (!wasOpen) await me.end()
        break
      }
      case 'person':
        for (const each of one.changes) make(root, each)
        await took(open())
        break
      case 'begin':
      case 'end':
      case 'stop':
        await (agents[one.agent] as HookedAgent)[one.step]()
        break
      case 'mark':
        await mark()
        break
      case 'reopen':
        await folder.reopen()
        break
      case 'restore': {
        const to = marks[one.which % marks.length] as (typeof marks)[number]
        const before = model.heads
        const changed = model.goBack(to.heads, to.at, one.outside)
        const { state } = await apply({ kind: 'restore', target: to.id, outside: one.outside })
        restored(changed, before, state, `[RS-14] restore to ${to.id}, outside ${one.outside}`)
        break
      }
      case 'undo-run': {
        const run = runs[one.which % Math.max(1, runs.length)]
        if (!run) break
        const before = model.heads
        const changed = model.takeBack(run, one.onConflict)
        const { state } = await apply({ kind: 'undo-run', run, onConflict: one.onConflict })
        restored(changed, before, state, `[RS-10] undo ${run}, on conflict ${one.onConflict}`)
        break
      }
      case 'undo':
      case 'redo': {
        const [from, to] = one.step === 'undo' ? [undo, redo] : [redo, undo]
        const heads = from.pop()
        if (!heads) break
        to.push(model.heads)
        model.goBack(heads, 0, 'replace')
        expect((await apply({ kind: one.step })).state, one.step).toBe('done')
        expect(folder.tree(), `[RS-6] ${one.step}`).toEqual(model.tree())
      }
    }
    for (const { run } of agents) if (run && !runs.includes(run)) runs.push(run)
  }
  for (const run of runs) await diffIsTrue(folder, model, run)
  expect((await folder.engine.call('doctor.run', { deep: true })).problems).toEqual([])
}

/** The run's diff names what it changed; where it was alone the patch takes git from before it to after it, and back. */
async function diffIsTrue(folder: Recorded, model: Layers, run: string): Promise<void> {
  const { workspace } = folder
  const alone = model.alone(run)
  const { files } = await folder.engine.call('diff.files', { workspace, target: run, scope: 'run' })
  const named = new Set(files.flatMap((file) => (file.oldPath ? [file.path, file.oldPath] : [file.path])))
  const touched = model.touched(run)
  expect(
    [...alone.keys()].filter((one) => !named.has(one)),
    `[LG-4] missing in the diff of ${run}`
  ).toEqual([])
  expect(
    [...named].filter((one) => !touched.has(one)),
    `[GW-2] not of ${run}`
  ).toEqual([])
  if (alone.size === 0) return
  const { patch } = await folder.engine.call('diff.patch', {
    workspace,
    target: run,
    scope: 'run',
    paths: [...alone.keys()]
  })
  const side = (which: 'before' | 'after') =>
    Object.fromEntries([...alone].map(([name, ends]) => [name, ends[which]]).filter(([, state]) => state !== 'gone'))
  takenByGit(patch, side('before'), side('after'))
}

const RUNS = Number(process.env.DRIFTLINE_HISTORIES ?? 100)
const seed = process.env.DRIFTLINE_FC_SEED

test(`[GW-2] [GW-4] [RS-10] [RS-14] ${RUNS} histories of two agents and a person: diffs and undo agree with the layers and the disk`, {
  timeout: 600_000 + RUNS * 2000
}, async () => {
  await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), play), {
    numRuns: RUNS,
    ...(seed ? { seed: Number(seed) } : {})
  })
})
