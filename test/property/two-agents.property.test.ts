/**
 * Two agents with hooks and a person in one folder, their work interleaved: whatever happens, each run's diff is what git
 * takes both ways, and taking a run back changes what the layers of the paths say and nothing else.
 */
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createHookedAgent, type HookedAgent } from '../support/hooked-agent.ts'
import { type RecordedFolder, recordedFolder } from '../support/recorded-folder.ts'
import { expectGitApplies } from '../support/round-trip.ts'
import { LONG, limitFor, SEED, scaled } from '../support/scale.ts'
import type { Tree } from '../support/tree.ts'
import { type Heads, Layers } from './layers.ts'
import { tally } from './tally.ts'
import { type Change, changeInPlace, make, ownWriteIn, type Write } from './tree-changes.ts'

const FLAT = ['a', 'A', 'b', 'c', 'd/x', 'd/y']
const DEEP = ['a', 'A', 'd', 'd/a', 'd/b', 'd/e', 'd/e/f', 'D', 'g/h/i']
const agent = fc.constantFrom(0, 1)

type Step =
  | { readonly step: 'tool'; readonly agent: number; readonly change: Write }
  | { readonly step: 'shell'; readonly agent: number; readonly changes: readonly Change[] }
  | { readonly step: 'person'; readonly changes: readonly Change[] }
  | { readonly step: 'begin' | 'end' | 'stop'; readonly agent: number }
  | { readonly step: 'mark' | 'undo' | 'redo' | 'reopen' }
  | { readonly step: 'restore'; readonly which: number; readonly outside: 'keep' | 'replace' }
  | { readonly step: 'undo-run'; readonly which: number; readonly onConflict: 'keep' | 'replace' }

const choice = fc.constantFrom('keep' as const, 'replace' as const)
function historyIn(paths: readonly string[], change: fc.Arbitrary<Change>): fc.Arbitrary<Step[]> {
  const changes = fc.array(change, { minLength: 1, maxLength: 3 })
  const step: fc.Arbitrary<Step> = fc.oneof(
    { weight: 4, arbitrary: fc.record({ step: fc.constant('tool' as const), agent, change: ownWriteIn(paths) }) },
    { weight: 4, arbitrary: fc.record({ step: fc.constant('shell' as const), agent, changes }) },
    { weight: 3, arbitrary: fc.record({ step: fc.constant('person' as const), changes }) },
    {
      weight: 4,
      arbitrary: fc.record({ step: fc.constantFrom('begin' as const, 'end' as const, 'stop' as const), agent })
    },
    { weight: 6, arbitrary: fc.record({ step: fc.constantFrom('undo' as const, 'redo' as const) }) },
    { weight: 1, arbitrary: fc.record({ step: fc.constantFrom('mark' as const, 'reopen' as const) }) },
    { weight: 2, arbitrary: fc.record({ step: fc.constant('restore' as const), which: fc.nat(9), outside: choice }) },
    {
      weight: 3,
      arbitrary: fc.record({ step: fc.constant('undo-run' as const), which: fc.nat(9), onConflict: choice })
    }
  )
  return fc.array(step, { minLength: 4, maxLength: 14 })
}

const HISTORIES = LONG ? scaled(13) : 8
const played = tally()

async function play(steps: readonly Step[]): Promise<void> {
  await using folder = await recordedFolder({
    files: { a: 'start a\n', b: 'start b\n', 'd/x': 'start x\n', 'd/keep': '' }
  })
  const { workspace, root } = folder
  const model = new Layers(folder.tree())
  const agents = [createHookedAgent(folder, 'first'), createHookedAgent(folder, 'second')] as const
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
  const took = async (by: (path: string) => readonly string[]): Promise<void> => {
    await folder.check()
    if (model.record(folder.tree(), by) === 0) return
    if (agents.every((one) => one.busy)) played.did('shared')
    undo = []
    redo = []
  }
  const restored = (before: { readonly heads: Heads; readonly tree: Tree }, state: string, what: string): void => {
    const tree = folder.tree()
    expect(model.settle(tree, before.heads), what).toEqual([])
    const changed = JSON.stringify(tree) !== JSON.stringify(before.tree)
    expect(state, what).toBe(changed ? 'done' : 'nothing-to-do')
    if (!changed) return
    played.did(what.split(' ')[1] as string)
    undo.push(before.heads)
    redo = []
  }
  const apply = (request: Parameters<RecordedFolder['apply']>[0]) =>
    folder.engine.call('restore.apply', { workspace, request, whileLive: true })

  const step = async (kind: 'undo' | 'redo'): Promise<void> => {
    const [from, to] = kind === 'undo' ? [undo, redo] : [redo, undo]
    const heads = from.pop()
    if (!heads) return
    to.push(model.heads)
    model.goBack(heads, 0, 'replace')
    expect((await apply({ kind })).state, kind).toBe('done')
    expect(folder.tree(), `[RS-6] ${kind}`).toEqual(model.tree())
    played.did(`${kind} a restore`)
  }

  for (const one of steps) {
    switch (one.step) {
      case 'tool': {
        const run = await (agents[one.agent] as HookedAgent).ensureRun()
        const input = { file_path: join(root, one.change.path), content: one.change.text }
        await (agents[one.agent] as HookedAgent).call('Write', input, () => make(root, one.change))
        // What it names is its own; the folders it had to make may be anybody's who is at work.
        await took((path) => (path === one.change.path ? [run] : [...new Set([run, ...open()])]))
        break
      }
      case 'shell': {
        const me = agents[one.agent] as HookedAgent
        const wasOpen = me.busy
        await me.begin()
        for (const each of one.changes) make(root, each)
        await took(open)
        if (!wasOpen) await me.end()
        break
      }
      case 'person':
        for (const each of one.changes) make(root, each)
        await took(open)
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
        const before = { heads: model.heads, tree: folder.tree() }
        model.goBack(to.heads, to.at, one.outside)
        const { state } = await apply({ kind: 'restore', target: to.id, outside: one.outside })
        restored(before, state, `[RS-14] restore to ${to.id}, outside ${one.outside}`)
        break
      }
      case 'undo-run': {
        const run = runs[one.which % Math.max(1, runs.length)]
        if (!run) break
        const before = { heads: model.heads, tree: folder.tree() }
        model.takeBack(run, one.onConflict)
        const { state } = await apply({ kind: 'undo-run', run, onConflict: one.onConflict })
        restored(before, state, `[RS-10] undo ${run}, on conflict ${one.onConflict}`)
        break
      }
      case 'undo':
        await step('undo')
        break
      case 'redo':
        if (redo.length === 0) await step('undo')
        await step('redo')
    }
    for (const { run } of agents) if (run && !runs.includes(run)) runs.push(run)
  }
  for (const run of runs) await diffIsTrue(folder, model, run)
  expect((await folder.engine.call('doctor.run', { deep: true })).problems).toEqual([])
}

/** The run's diff names what it changed; where it was alone the patch takes git from before it to after it, and back. */
async function diffIsTrue(folder: RecordedFolder, model: Layers, run: string): Promise<void> {
  const { workspace } = folder
  const alone = new Map([...model.alone(run)].filter(([, ends]) => !isAboutFolders(ends)))
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
  if (!isTree(side('before')) || !isTree(side('after'))) return
  // A path stands for all below it: what others had a hand in comes along.
  if ([...named].some((one) => !alone.has(one) && [...alone.keys()].some((path) => one.startsWith(`${path}/`)))) return
  expectGitApplies(patch, side('before'), side('after'))
  played.did('diff')
}

/** A folder that comes or goes is told by what is in it. */
function isAboutFolders({ before, after }: { readonly before: string; readonly after: string }): boolean {
  const isFolder = (state: string): boolean => state.startsWith('dir ') || state === 'gone'
  return isFolder(before) && isFolder(after)
}

/** False when states of different moments do not go together: a file, and another below it. */
function isTree(tree: Tree): boolean {
  const paths = Object.keys(tree)
  return !paths.some((path) => paths.some((other) => other.startsWith(`${path}/`)))
}

/** Renames are in renames.property.test.ts. */
const PLACES = {
  files: historyIn(FLAT, changeInPlace(FLAT, false)),
  'whole trees': historyIn(DEEP, changeInPlace(DEEP, true))
}

/** Found by long runs. */
const NAMED: Record<string, readonly Step[]> = {
  'a folder whose place others took and left again': [
    { step: 'shell', agent: 1, changes: [{ do: 'folder', path: 'd/e/f' }] },
    { step: 'tool', agent: 0, change: { do: 'write', path: 'd', text: '' } },
    { step: 'begin', agent: 1 },
    {
      step: 'person',
      changes: [
        { do: 'move', path: 'd', to: 'D' },
        { do: 'write', path: 'd/e', text: '' }
      ]
    }
  ],
  'a file that another run and a person changed, and a person returned': [
    { step: 'tool', agent: 0, change: { do: 'write', path: 'a', text: 'first\n' } },
    { step: 'stop', agent: 0 },
    { step: 'tool', agent: 1, change: { do: 'write', path: 'a', text: 'second\n' } },
    { step: 'stop', agent: 1 },
    { step: 'person', changes: [{ do: 'delete', path: 'a' }] },
    { step: 'person', changes: [{ do: 'write', path: 'a', text: 'first\n' }] },
    { step: 'undo-run', which: 0, onConflict: 'keep' },
    { step: 'undo' },
    { step: 'restore', which: 0, outside: 'keep' }
  ]
}

/** The steps that a few random histories may miss. */
const OFTEN: Step[] = [
  { step: 'begin', agent: 0 },
  { step: 'begin', agent: 1 },
  { step: 'person', changes: [{ do: 'write', path: 'a', text: 'by whom?\n' }] },
  { step: 'stop', agent: 0 },
  { step: 'stop', agent: 1 },
  { step: 'restore', which: 0, outside: 'replace' },
  { step: 'undo' },
  { step: 'redo' }
]

test.each(Object.entries(NAMED))('[LG-4] %s', (_, steps) => play(steps))

test.each(Object.entries(PLACES))(
  `[GW-2] [GW-4] [RS-4] [RS-10] [RS-14] ${HISTORIES} histories of two agents and a person in %s: diffs and undo agree with the layers and the disk (seed ${SEED})`,
  { timeout: limitFor(HISTORIES) },
  async (_, history) => {
    await fc.assert(fc.asyncProperty(history, play), { numRuns: HISTORIES, examples: [[OFTEN]], seed: SEED })
    expect(played.never(['restore', 'undo', 'undo a restore', 'redo a restore', 'diff', 'shared'])).toEqual([])
  }
)
