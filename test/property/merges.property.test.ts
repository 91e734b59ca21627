/**
 * Runs and a person change lines of one file in turn; runs are undone, points are gone back to, and restores are undone and
 * redone, each with a merge. The model is the set of changes in force: the file holds those lines and no others, blame
 * names their writers, and a run is undone when none of its lines is left.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { RestoreRequest } from '../../src/contract/restore.ts'
import { recordedFolder } from '../support/recorded-folder.ts'
import { limitFor, SEED, scaled } from '../support/scale.ts'
import { tally } from './tally.ts'

type Step =
  /** Of undo and redo: what a person writes just before. */
  | { readonly step: 'run' | 'outside' | 'undo' | 'redo'; readonly lines: number }
  | { readonly step: 'undo-run' | 'undo-lines' | 'restore'; readonly which: number }
  | { readonly step: 'mark' | 'reopen' }

/** How many changes fit in the file. */
const MOST = 80

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ step: fc.constant('run' as const), lines: fc.integer({ min: 1, max: 3 }) }) },
  { weight: 4, arbitrary: fc.record({ step: fc.constant('outside' as const), lines: fc.integer({ min: 1, max: 2 }) }) },
  { weight: 4, arbitrary: fc.record({ step: fc.constant('undo-run' as const), which: fc.nat(20) }) },
  { weight: 3, arbitrary: fc.record({ step: fc.constant('undo-lines' as const), which: fc.nat(MOST) }) },
  { weight: 2, arbitrary: fc.record({ step: fc.constant('restore' as const), which: fc.nat(20) }) },
  {
    weight: 8,
    arbitrary: fc.record({ step: fc.constantFrom('undo' as const, 'redo' as const), lines: fc.nat(2) })
  },
  { weight: 1, arbitrary: fc.record({ step: fc.constantFrom('mark' as const, 'reopen' as const) }) }
)

type Changes = ReadonlySet<number>

interface Deed {
  readonly kind: 'restore' | 'undo'
  readonly removed: Changes
  readonly added: Changes
  /** The one an undo took back. */
  readonly of: Deed | null
  undone: boolean
}

/** Unchanged lines between any two changes, so that a merge is always safe; in an order of no pattern. */
const lineOf = (change: number): number => ((change * 29) % MOST) * 3

const textOf = (changes: Changes): string => {
  const lines = Array.from({ length: MOST * 3 }, (_, i) => `line ${i}`)
  for (const change of changes) lines[lineOf(change)] = `change ${change}\n  of two lines`
  return `${lines.join('\n')}\n`
}
const minus = (a: Changes, b: Changes): Changes => new Set([...a].filter((one) => !b.has(one)))

/** Every line is looked at after every step, so fewer than elsewhere say as much. */
const RUNS = scaled(8)

const played = tally()

async function play(steps: readonly Step[]): Promise<void> {
  await using folder = await recordedFolder({ files: { 'a.txt': textOf(new Set()) } })
  const { workspace } = folder
  const file = join(folder.root, 'a.txt')
  let inForce: Changes = new Set()
  /** Of each change, by its number. */
  const writers: string[] = []
  const runs: string[] = []
  /** Of each run, the changes in force when it ended. */
  const after = new Map<string, Changes>()
  const marks: { readonly id: string; readonly inForce: Changes }[] = []
  const deeds: Deed[] = []
  const mark = async (): Promise<void> => {
    marks.push({ id: await folder.checkpoint(), inForce })
  }
  const write = (count: number): readonly number[] => {
    const fresh = Array.from({ length: count }, (_, i) => writers.length + i)
    inForce = new Set([...inForce, ...fresh])
    writeFileSync(file, textOf(inForce))
    return fresh
  }
  const outside = async (count: number): Promise<void> => {
    for (const change of write(count)) writers[change] = 'outside'
    await folder.check()
  }
  /** Merged wherever somebody wrote since: that is always offered here. */
  const act = async (step: string, what: RestoreRequest, deed: Omit<Deed, 'undone'>): Promise<void> => {
    const { conflicts } = await folder.plan(what)
    // Restore to here replaces: the model of it is the point's own changes.
    const merges = what.kind !== 'restore'
    for (const { mergeable, cause } of merges ? conflicts : []) expect(mergeable, `${step}: ${cause}`).toBe(true)
    const { state } = await folder.apply(what, merges ? { 'a.txt': 'merge' } : {})
    const changes = deed.removed.size + deed.added.size > 0
    expect(state, step).toBe(changes ? 'done' : 'nothing-to-do')
    if (!changes) return
    deeds.push({ ...deed, undone: false })
    inForce = new Set([...minus(inForce, deed.removed), ...deed.added])
    played.did(step)
    if (merges && conflicts.length > 0) played.did(`${step}, merged`)
  }
  const newest = (of: Deed['kind']): number => deeds.findLastIndex((deed) => deed.kind === of && !deed.undone)
  /** The newest undo, unless a restore came after it. */
  const redoable = (): Deed | undefined => (newest('undo') > newest('restore') ? deeds[newest('undo')] : undefined)
  const takeBack = async (kind: 'undo' | 'redo'): Promise<void> => {
    const deed = kind === 'undo' ? deeds[newest('restore')] : redoable()
    if (!deed) return
    if (kind === 'undo') await act(kind, { kind }, { kind: 'undo', removed: deed.added, added: deed.removed, of: deed })
    else {
      const before = deeds.length
      await act(kind, { kind }, { kind: 'undo', removed: deed.added, added: deed.removed, of: null })
      // A redo is not undone itself: what it did again is.
      deeds.length = before
      if (deed.of) deed.of.undone = false
    }
    deed.undone = true
  }
  const check = async (): Promise<void> => {
    expect(readFileSync(file, 'utf8')).toBe(textOf(inForce))
    const { lines } = await folder.engine.call('file.blame', { workspace, path: 'a.txt' })
    const told = lines.flatMap(({ text, run, origin }) => {
      const change = /^change (\d+)$/.exec(text)?.[1]
      return change === undefined ? [] : [[Number(change), run ?? origin] as const]
    })
    expect(Object.fromEntries(told)).toEqual(Object.fromEntries([...inForce].map((one) => [one, writers[one]])))
    const { entries } = await folder.engine.call('timeline.list', { workspace, limit: 100, kinds: ['run'] })
    const back = entries.flatMap((entry) => (entry.kind === 'run' && entry.undone ? [entry.id] : []))
    const alive = new Set([...inForce].map((one) => writers[one]))
    expect(back.sort()).toEqual(runs.filter((run) => !alive.has(run)).sort())
  }
  await mark()
  for (const one of steps) {
    switch (one.step) {
      case 'run': {
        let fresh: readonly number[] = []
        const run = await folder.run('work', () => {
          fresh = write(one.lines)
        })
        for (const change of fresh) writers[change] = run
        runs.push(run)
        after.set(run, inForce)
        break
      }
      case 'outside':
        await outside(one.lines)
        break
      case 'mark':
        await mark()
        break
      case 'reopen':
        await folder.reopen()
        break
      case 'undo-run': {
        const run = runs[one.which % Math.max(1, runs.length)]
        const removed = new Set([...inForce].filter((change) => writers[change] === run))
        if (run)
          await act(one.step, { kind: 'undo-run', run }, { kind: 'restore', removed, added: new Set(), of: null })
        break
      }
      case 'undo-lines': {
        const ofRuns = [...inForce].filter((change) => after.has(writers[change] ?? ''))
        const change = ofRuns[one.which % Math.max(1, ofRuns.length)]
        if (change === undefined) break
        const run = writers[change]!
        const from = textOf(after.get(run)!).split('\n').indexOf(`change ${change}`)
        const lines = { 'a.txt': [{ side: 'after', from, to: from + 2 } as const] }
        await act(
          one.step,
          { kind: 'undo-run', run, lines },
          { kind: 'restore', removed: new Set([change]), added: new Set(), of: null }
        )
        break
      }
      case 'restore': {
        const to = marks[one.which % marks.length]!
        await act(
          one.step,
          { kind: 'restore', target: to.id, outside: 'replace' },
          { kind: 'restore', removed: minus(inForce, to.inForce), added: minus(to.inForce, inForce), of: null }
        )
        break
      }
      case 'undo':
        await outside(one.lines)
        await takeBack('undo')
        break
      case 'redo':
        if (redoable() === undefined) await takeBack('undo')
        await outside(one.lines)
        await takeBack('redo')
    }
    await check()
  }
}

test(`[RS-10] [RS-11] [RS-13] ${RUNS} random histories of one file, each step back a merge (seed ${SEED})`, {
  timeout: limitFor(RUNS)
}, async () => {
  await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 6, maxLength: 20 }), play), {
    numRuns: RUNS,
    seed: SEED
  })
  const steps = [
    'undo-run',
    'undo-lines',
    'restore',
    'undo',
    'redo',
    'undo-run, merged',
    'undo, merged',
    'redo, merged'
  ]
  expect(played.never(steps)).toEqual([])
})
