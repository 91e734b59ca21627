/**
 * [RS-24] Two folders have the same history of one file. In one of them it is away and back all the time: outside or by a run,
 * through texts that it had before, deleted, in steps that return halfway. Nothing that is shown, planned or undone may differ.
 */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { RestoreRequest } from '../../src/contract/restore.ts'
import { type RecordedFolder, recordedFolder } from '../support/recorded-folder.ts'
import { limitFor, SEED, scaled } from '../support/scale.ts'
import { tally } from './tally.ts'

/** Lines [at, at + deleted), as a fraction of the file, are replaced by new ones. */
interface Splice {
  readonly at: number
  readonly deleted: number
  readonly inserted: number
}

type Step =
  | { readonly step: 'run' | 'outside'; readonly splices: readonly Splice[] }
  | { readonly step: 'undo-hunk'; readonly which: number; readonly hunk: number }
  | { readonly step: 'undo-run'; readonly which: number; readonly onConflict: 'keep' | 'merge' | 'replace' }
  | { readonly step: 'undo' | 'redo' | 'restore' }

/** One text on the way: one that the file had before, or a new one; null deletes the file. */
interface Leg {
  readonly text: number | Splice | null
  readonly byRun: boolean
}

/** `byOneRun`: a run makes all of it; else the last leg is outside. */
interface Trip {
  readonly legs: readonly Leg[]
  readonly byOneRun: boolean
}

const splice: fc.Arbitrary<Splice> = fc.record({
  at: fc.integer({ min: 0, max: 99 }),
  deleted: fc.nat(2),
  inserted: fc.integer({ min: 0, max: 2 })
})
const splices = fc.array(splice, { minLength: 1, maxLength: 3 })
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ step: fc.constantFrom('run' as const, 'outside' as const), splices }) },
  {
    weight: 4,
    arbitrary: fc.record({ step: fc.constant('undo-hunk' as const), which: fc.nat(9), hunk: fc.nat(2) })
  },
  {
    weight: 2,
    arbitrary: fc.record({
      step: fc.constant('undo-run' as const),
      which: fc.nat(9),
      onConflict: fc.constantFrom('keep' as const, 'merge' as const, 'replace' as const)
    })
  },
  { weight: 2, arbitrary: fc.record({ step: fc.constantFrom('undo' as const, 'redo' as const, 'restore' as const) }) }
)
const leg: fc.Arbitrary<Leg> = fc.record({
  text: fc.oneof(
    { weight: 3, arbitrary: fc.nat(20) },
    { weight: 2, arbitrary: splice },
    { weight: 1, arbitrary: fc.constant(null) }
  ),
  byRun: fc.boolean()
})
const trip: fc.Arbitrary<Trip> = fc.record({
  legs: fc.array(leg, { maxLength: 3 }),
  byOneRun: fc.boolean()
})
const history = fc.array(fc.tuple(step, trip), { minLength: 4, maxLength: 9 })

const START = Array.from({ length: 24 }, (_, i) => `line ${i}\n`)
const HUNKS = [1, 2, 3]

/** Replaces lines by new ones, which no text has had. */
function createEditor() {
  let lines = 0
  return (text: string, { at, deleted, inserted }: Splice): string => {
    const all = text.split(/(?<=\n)/)
    const fresh = Array.from({ length: deleted + inserted === 0 ? 1 : inserted }, () => `new ${++lines}\n`)
    return all.toSpliced(Math.floor((at * all.length) / 100), deleted, ...fresh).join('')
  }
}

interface Played {
  readonly folder: RecordedFolder
  readonly runs: string[]
  text(): string | null
  write(text: string | null): void
}

function playIn(folder: RecordedFolder): Played {
  const file = join(folder.root, 'a')
  return {
    folder,
    runs: [],
    text: () => (existsSync(file) ? readFileSync(file, 'utf8') : null),
    write: (text) => (text === null ? rmSync(file, { force: true }) : writeFileSync(file, text))
  }
}

async function apply({ folder }: Played, request: RestoreRequest): Promise<string> {
  try {
    return (await folder.apply(request)).state
  } catch (error) {
    return (error as Error).name
  }
}

/** What a person is shown and offered, with runs by their number. */
async function look({ folder, runs, text }: Played) {
  const { workspace, engine } = folder
  const blame = await engine.call('file.blame', { workspace, path: 'a' }).then(
    ({ lines }) => lines.map((line) => [line.text, line.run === null ? line.origin : runs.indexOf(line.run)]),
    () => 'none'
  )
  const plans: unknown[] = []
  for (const run of runs)
    for (const part of [{}, ...HUNKS.map((hunk) => ({ hunks: { a: [hunk] } }))])
      plans.push(
        await folder.plan({ kind: 'undo-run', run, ...part }).then(
          ({ conflicts, items }) => [
            conflicts.map(({ cause, choices, mergeable }) => [cause, choices, mergeable]),
            items.map(({ action }) => action)
          ],
          (error: Error) => error.message.replaceAll(run, 'run')
        )
      )
  return { text: text(), blame, plans }
}

const RUNS = scaled(4)
const played = tally()

async function play(steps: readonly (readonly [Step, Trip])[]): Promise<void> {
  await using plain = await recordedFolder({ files: { a: START.join('') } })
  await using travelled = await recordedFolder({ files: { a: START.join('') } })
  const folders = [playIn(plain), playIn(travelled)] as const
  const edit = createEditor()
  /** Of the folder with trips. */
  const texts: (string | null)[] = [START.join('')]
  const act = async (one: Step): Promise<void> => {
    const runs = folders[0].runs.length
    const change = 'splices' in one ? one.splices.reduce(edit, folders[0].text() ?? '') : null
    const results: string[] = []
    for (const it of folders) {
      const { folder } = it
      const run = it.runs['which' in one ? one.which % Math.max(1, runs) : 0]
      if (one.step === 'run') it.runs.push(await folder.run('work', () => it.write(change)))
      else if (one.step === 'outside') {
        it.write(change)
        await folder.check()
      } else if (one.step === 'undo' || one.step === 'redo') results.push(await apply(it, { kind: one.step }))
      else if (run !== undefined) {
        if (one.step === 'restore')
          results.push(await apply(it, { kind: 'restore', target: `${it.runs.at(-1)}:start`, outside: 'replace' }))
        if (one.step === 'undo-run')
          results.push(await apply(it, { kind: 'undo-run', run, onConflict: one.onConflict }))
        if (one.step === 'undo-hunk')
          results.push(await apply(it, { kind: 'undo-run', run, hunks: { a: [one.hunk + 1] }, onConflict: 'merge' }))
      }
    }
    expect(results[1], one.step).toBe(results[0])
    if (results[0] === 'done') played.did(one.step)
    texts.push(folders[1].text())
  }
  const travel = async ({ legs, byOneRun }: Trip): Promise<void> => {
    const [, { folder, write, text }] = folders
    const here = text()
    const go = async (to: string | null, byRun: boolean): Promise<void> => {
      if (byRun) await folder.run('elsewhere', () => write(to))
      else {
        write(to)
        await folder.check()
      }
      texts.push(to)
    }
    const targets = legs.map((one) => {
      if (one.text === null) return null
      return typeof one.text === 'number' ? (texts[one.text % texts.length] ?? null) : edit(here ?? '', one.text)
    })
    if (byOneRun)
      await folder.run('away and back', async () => {
        for (const to of [...targets, here]) await go(to, false)
      })
    else {
      // What a run returns to by itself is its own.
      for (const [at, to] of targets.entries()) await go(to, legs[at]!.byRun && to !== here)
      await go(here, false)
    }
    played.did(byOneRun ? 'by one run' : 'by several')
  }
  for (const [one, away] of steps) {
    await act(one)
    await travel(away)
    expect(await look(folders[1]), one.step).toEqual(await look(folders[0]))
  }
}

test(`[RS-24] ${RUNS} random histories are the same with and without round trips (seed ${SEED})`, {
  timeout: limitFor(RUNS * 5)
}, async () => {
  await fc.assert(fc.asyncProperty(history, play), { numRuns: RUNS, seed: SEED })
  expect(played.never(['undo-hunk', 'by one run', 'by several'])).toEqual([])
})
