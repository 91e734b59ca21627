/**
 * Histories against a model simpler than the system: the folder's tree after each step. Commands are run edits, outside
 * edits, checkpoints, restores, undo, redo and restarts; after every restore the bytes on disk are compared.
 */
import { cpSync, renameSync, rmSync } from 'node:fs'
import fc from 'fast-check'
import { expect } from 'vitest'
import type { RestoreResult } from '../../src/contract/restore.ts'
import type { ApplyPoint } from '../../src/main/engine/restore/apply-state.ts'
import { sweep } from '../../src/main/engine/retention/sweep.ts'
import { openStore } from '../../src/main/engine/store/open-store.ts'
import { storeFile } from '../../src/main/engine/workspaces/store-file.ts'
import { openRecorder } from '../support/crash-recorder.ts'
import { type RecordedFolder, recordedFolder } from '../support/recorded-folder.ts'
import { beforeEachWrite } from '../support/store-writes.ts'
import type { Tree } from '../support/tree.ts'
import type { tally } from './tally.ts'
import { type Change, changeIn, largeWriteIn, make, type Write, writeIn } from './tree-changes.ts'

const NAMES = ['a', 'A', 'b.txt', 'd', 'd/a', 'd/b.txt', 'd/e', 'd/e/f', 'D', 'ö name', 'g/h/i']
const MOMENTS: readonly ApplyPoint[] = [
  'staged',
  'checked',
  'aside',
  'placed',
  'removed',
  'modes',
  'verified',
  ...(['aside', 'made', 'placed', 'removed', 'modes'] as const).flatMap((phase): ApplyPoint[] => [
    `${phase}:1`,
    `${phase}:2`
  ])
]

export type Step =
  | { readonly step: 'run' | 'outside'; readonly changes: readonly Change[] }
  | { readonly step: 'checkpoint' | 'undo' | 'redo' | 'reopen' }
  | { readonly step: 'restore'; readonly which: number }
  /** A restore that fails at a moment of its writing, and its recovery. */
  | { readonly step: 'cut-off'; readonly which: number; readonly at: ApplyPoint; readonly how: 'finish' | 'undo' }
  /** Only a path and what is below it. */
  | { readonly step: 'restore-part' | 'undo-part'; readonly which: number; readonly path: string }
  | { readonly step: 'put-back'; readonly which: number; readonly path: string | null }
  /** Records each of the writes and evicts all that no pin, guard or head needs; killed before statement `at`, 0 = not. */
  | { readonly step: 'sweep'; readonly writes: readonly Write[]; readonly at: number }
  /** Outside edits; the recorder is killed before its `at`-th statement, and the next one records the rest. */
  | { readonly step: 'kill'; readonly changes: readonly Change[]; readonly at: number }
  | { readonly step: 'undo-run'; readonly which: number; readonly onConflict: 'keep' | 'merge' | 'replace' }

const path = fc.constantFrom(...NAMES)
const CASE_ONLY = [
  ['a', 'A'],
  ['d', 'D'],
  ['D', 'd']
] as const
const changesWith = (write: typeof writeIn) =>
  fc.array(changeIn(NAMES, CASE_ONLY, true, write), { minLength: 1, maxLength: 4 })
const stepsWith = (changes: fc.Arbitrary<Change[]>): { weight: number; arbitrary: fc.Arbitrary<Step> }[] => [
  { weight: 5, arbitrary: fc.record({ step: fc.constant('run' as const), changes }) },
  { weight: 3, arbitrary: fc.record({ step: fc.constant('outside' as const), changes }) },
  {
    weight: 2,
    arbitrary: fc.record({
      step: fc.constantFrom('checkpoint' as const, 'reopen' as const)
    })
  },
  { weight: 4, arbitrary: fc.record({ step: fc.constantFrom('undo' as const, 'redo' as const) }) },
  { weight: 2, arbitrary: fc.record({ step: fc.constant('restore' as const), which: fc.nat(20) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      step: fc.constant('cut-off' as const),
      which: fc.nat(20),
      at: fc.constantFrom<ApplyPoint>(...MOMENTS),
      how: fc.constantFrom('finish' as const, 'undo' as const)
    })
  },
  {
    weight: 6,
    arbitrary: fc.record({
      step: fc.constantFrom('restore-part' as const, 'undo-part' as const, 'undo-part' as const),
      which: fc.nat(20),
      path
    })
  },
  {
    weight: 5,
    arbitrary: fc.record({
      step: fc.constant('put-back' as const),
      which: fc.nat(20),
      path: fc.option(path, { freq: 1, nil: null })
    })
  },
  {
    weight: 2,
    arbitrary: fc.record({
      step: fc.constant('undo-run' as const),
      which: fc.nat(20),
      onConflict: fc.constantFrom('keep' as const, 'merge' as const, 'replace' as const)
    })
  }
]
const LENGTH = { minLength: 4, maxLength: 18 }

export const histories = fc.array(fc.oneof(...stepsWith(changesWith(writeIn))), LENGTH)

/** With contents in chunks, and kills while something is packed, or while a sweep packs and evicts. */
export const largeHistories = fc.array(
  fc.oneof(
    ...stepsWith(changesWith(largeWriteIn)),
    {
      weight: 2,
      arbitrary: fc.record({
        step: fc.constant('sweep' as const),
        writes: fc.array(largeWriteIn(NAMES.slice(0, 4)), { minLength: 2, maxLength: 8 }),
        at: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 40 }))
      })
    },
    {
      weight: 1,
      arbitrary: fc.record({
        step: fc.constant('kill' as const),
        changes: changesWith(largeWriteIn),
        at: fc.integer({ min: 1, max: 60 })
      })
    }
  ),
  LENGTH
)

/** Where a history takes place. */
export interface Setting {
  /** The parent of the folder; a temporary folder by default. */
  readonly place?: string
  /** Makes one change of the test's own. */
  make?(root: string, change: Change): void
  /** Runs `work` without the disk's faults. */
  undisturbed?(work: () => Promise<void>): Promise<void>
  /** Between two starts of the engine. */
  remount?(): Promise<void>
  readonly played: ReturnType<typeof tally>
}

/** Restores to a checkpoint and fails at `at`; a moment that does not come lets it be done. */
async function cutOff(folder: RecordedFolder, target: string, at: ApplyPoint): Promise<string> {
  await using open = openRecorder(folder.dataDir, folder.workspace)
  const cut = new Error('cut off')
  try {
    const result = await open.restore({
      request: { kind: 'restore', target, outside: 'replace' },
      point: (point) => {
        if (point === at) throw cut
      }
    })
    return result.state
  } catch (error) {
    if (error !== cut) throw error
    const { workspace } = folder
    const { interruptedRestore } = await folder.engine.call('workspace.status', { workspace, check: true })
    return interruptedRestore ? 'interrupted' : 'refused'
  }
}

const FAR_AHEAD_MS = 60 * 86_400_000

/** Sweeps as if all runs had ended long ago. Whether it evicted anything. */
async function sweepLater({ dataDir, workspace }: RecordedFolder): Promise<boolean> {
  const store = openStore(storeFile(dataDir, workspace))
  try {
    const now = Date.now() + FAR_AHEAD_MS
    const options = {
      budget: 0,
      days: 30,
      now,
      dryRun: false,
      pause: () => undefined,
      neverKeep: null,
      stop: () => false
    }
    return (await sweep(store, options)).versions > 0
  } finally {
    store.close()
  }
}

/**
 * Does the work and then goes on as if the recorder had been killed before its n-th statement that writes: with the data
 * folder of that moment, which is what a killed process leaves. False if the work ended before.
 */
async function killedBefore(folder: RecordedFolder, n: number, work: () => Promise<unknown>): Promise<boolean> {
  const left = `${folder.dataDir}.left`
  let writes = 0
  const stop = beforeEachWrite(() => {
    // SQLite makes the -shm file anew when no process has it open.
    if (++writes === n) cpSync(folder.dataDir, left, { recursive: true, filter: (file) => !file.endsWith('-shm') })
  })
  try {
    await work()
  } finally {
    stop()
  }
  if (n === 0 || writes < n) return false
  await folder.engine.close()
  rmSync(folder.dataDir, { recursive: true })
  renameSync(left, folder.dataDir)
  await folder.reopen()
  return true
}

/** What lies at a path and below it. */
function below(tree: Tree, path: string): Tree {
  return Object.fromEntries(Object.entries(tree).filter(([one]) => one === path || one.startsWith(`${path}/`)))
}

/** Plays one history in a new folder, and compares the disk with the model after each step. */
export async function play(steps: readonly Step[], setting: Setting): Promise<void> {
  const { place, played } = setting
  const files = { a: 'start\n', 'd/b.txt': 'two\nlines\n', 'd/e/f': 'deep' }
  await using folder = await recordedFolder({ files, ...(place === undefined ? {} : { place }) })
  const marks: { id: string; tree: Tree }[] = [{ id: await folder.checkpoint('start'), tree: folder.tree() }]
  const runs: string[] = []
  /** The newest edit at the last sweep. */
  let swept = 0
  /** Trees that undo must bring back, newest last; cleared by edits, because then undo has conflicts. */
  let undo: Tree[] = []
  let redo: Tree[] = []
  const isUnknown = (path: string): boolean =>
    folder.store((store) => (store.records.head(path)?.version ?? null) === null)
  /**
   * Whatever it changes, undo gives it back; what changes nothing says so; a path that was never recorded is refused,
   * and the result is null.
   */
  const act = async (step: string, what: Parameters<RecordedFolder['apply']>[0]): Promise<RestoreResult | null> => {
    const before = folder.tree()
    if ('paths' in what && what.paths?.some(isUnknown)) {
      await expect(folder.apply(what), '[UI-2]').rejects.toMatchObject({ code: 'UnknownTarget' })
      expect(folder.tree()).toEqual(before)
      return null
    }
    const result = await folder.apply(what)
    expect(['done', 'nothing-to-do'], JSON.stringify(what)).toContain(result.state)
    if (result.state === 'done') {
      undo.push(before)
      redo = []
      played.did(step)
    } else expect(folder.tree()).toEqual(before)
    return result
  }
  const step = async (kind: 'undo' | 'redo'): Promise<void> => {
    const [from, to] = kind === 'undo' ? [undo, redo] : [redo, undo]
    const expected = from.pop()
    if (!expected) return
    to.push(folder.tree())
    const result = await folder.apply({ kind })
    expect(result.state, JSON.stringify(result.items.filter((item) => item.result !== 'done'))).toBe('done')
    expect(folder.tree(), `[RS-6] ${kind} gives back every byte`).toEqual(expected)
    played.did(kind)
  }
  for (const one of steps) {
    switch (one.step) {
      case 'run':
      case 'outside': {
        const work = (): void => {
          for (const each of one.changes) (setting.make ?? make)(folder.root, each)
        }
        const record = async (): Promise<void> => {
          if (one.step === 'run') runs.push(await folder.run('work', work))
          else {
            work()
            await folder.check()
          }
        }
        await (setting.undisturbed?.(record) ?? record())
        undo = []
        redo = []
        break
      }
      case 'kill': {
        for (const each of one.changes) (setting.make ?? make)(folder.root, each)
        if (await killedBefore(folder, one.at, () => folder.check())) played.did('kill recorder')
        await folder.check()
        undo = []
        redo = []
        break
      }
      case 'checkpoint':
        marks.push({ id: await folder.checkpoint(), tree: folder.tree() })
        break
      case 'reopen':
        await folder.engine.close()
        await setting.remount?.()
        await folder.reopen()
        break
      case 'restore': {
        const mark = marks[one.which % marks.length] as (typeof marks)[number]
        await act(one.step, { kind: 'restore', target: mark.id, outside: 'replace' })
        expect(folder.tree(), '[RS-4] the tree is what it was at the checkpoint').toEqual(mark.tree)
        break
      }
      case 'cut-off': {
        const mark = marks[one.which % marks.length] as (typeof marks)[number]
        const before = folder.tree()
        const state = await cutOff(folder, mark.id, one.at)
        if (state === 'interrupted') {
          const result = await folder.apply({ kind: 'recover', how: one.how })
          expect(
            result.items.filter((item) => item.result !== 'done'),
            `recover ${one.how} after ${one.at}`
          ).toEqual([])
        }
        const stays = state === 'refused' || (state === 'interrupted' && one.how === 'undo')
        expect(folder.tree(), `[RS-7] ${state} at ${one.at}, ${one.how}`).toEqual(stays ? before : mark.tree)
        if (stays) played.did('refused' === state ? 'refuse' : 'recover')
        if (stays || state === 'nothing-to-do') break
        undo.push(before)
        redo = []
        played.did(state === 'interrupted' ? 'finish' : one.step)
        break
      }
      case 'restore-part': {
        const mark = marks[one.which % marks.length] as (typeof marks)[number]
        const result = await act(one.step, { kind: 'restore', target: mark.id, outside: 'replace', paths: [one.path] })
        if (result?.items.every((item) => item.result === 'done'))
          expect(below(folder.tree(), one.path), `${one.path} as at ${mark.id}`).toEqual(below(mark.tree, one.path))
        break
      }
      case 'undo-part': {
        const run = runs[one.which % Math.max(1, runs.length)]
        if (run) await act(one.step, { kind: 'undo-run', run, onConflict: 'replace', paths: [one.path] })
        break
      }
      case 'sweep':
        for (const write of one.writes) {
          ;(setting.make ?? make)(folder.root, write)
          await folder.check()
        }
        undo = []
        redo = []
        if (await killedBefore(folder, one.at, async () => (await sweepLater(folder)) && played.did('sweep')))
          played.did('kill sweep')
        // Versions that only runs and outside changes need may be evicted now.
        runs.length = 0
        swept = folder.store((store) => store.records.lastSeq())
        break
      case 'put-back': {
        const all = await folder.engine.call('drift.list', { workspace: folder.workspace, check: true })
        const drift = all.drift.filter(({ seq }) => seq > swept)
        const found = drift[one.which % Math.max(1, drift.length)]
        if (found)
          await act(one.step, { kind: 'drift', drift: found.id, ...(one.path === null ? {} : { paths: [one.path] }) })
        break
      }
      case 'undo-run': {
        const run = runs[one.which % Math.max(1, runs.length)]
        if (!run) break
        await act(one.step, { kind: 'undo-run', run, onConflict: one.onConflict })
        break
      }
      case 'undo':
        await step('undo')
        break
      case 'redo':
        if (redo.length === 0) await step('undo')
        await step('redo')
    }
  }
  const doctor = await folder.engine.call('doctor.run', { deep: true })
  expect(doctor.problems).toEqual([])
}
