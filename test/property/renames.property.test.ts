/**
 * Runs and a person edit files, move them and swap them; runs are undone, points are restored, and restores are undone and
 * redone, with edits and moves in between. The model is one list of changes and one of moves a file: undoing somebody's
 * work removes those, the file goes where the rest of its moves leaves it, and blame names who wrote each line.
 */
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { RestoreRequest } from '../../src/contract/restore.ts'
import { recordedFolder } from '../support/recorded-folder.ts'
import { LONG, limitFor, SEED, scaled } from '../support/scale.ts'
import { tally } from './tally.ts'

const NAMES = ['a', 'b', 'c', 'd', 'e', 'A']
const FILES = ['a', 'b']

type Change =
  | { readonly do: 'edit'; readonly file: number }
  | { readonly do: 'move'; readonly file: number; readonly to: string }
  | { readonly do: 'swap' }
type Step =
  | { readonly step: 'run' | 'person'; readonly changes: readonly Change[] }
  | { readonly step: 'undo-run' | 'restore'; readonly which: number }
  | { readonly step: 'mark' | 'reopen' | 'undo' | 'redo' }

const file = fc.nat(FILES.length - 1)
const change: fc.Arbitrary<Change> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('edit' as const), file }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('move' as const), file, to: fc.constantFrom(...NAMES) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('swap' as const) }) }
)
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 7,
    arbitrary: fc.record({
      step: fc.constantFrom('run' as const, 'person' as const),
      changes: fc.array(change, { minLength: 1, maxLength: 3 })
    })
  },
  { weight: 4, arbitrary: fc.record({ step: fc.constant('undo-run' as const), which: fc.nat(20) }) },
  { weight: 1, arbitrary: fc.record({ step: fc.constant('restore' as const), which: fc.nat(20) }) },
  { weight: 4, arbitrary: fc.record({ step: fc.constantFrom('undo' as const, 'redo' as const) }) },
  { weight: 1, arbitrary: fc.record({ step: fc.constantFrom('mark' as const, 'reopen' as const) }) }
)

const PERSON = 'a person'

interface Move {
  readonly who: string
  readonly from: string
  readonly to: string
  /** Of the file before it. */
  readonly changes: string
  readonly undone?: boolean
}

/** One file, wherever it is. Both lists are of what is in force, oldest first. */
interface File {
  readonly name: string
  readonly changes: ReadonlyMap<number, string>
  readonly moves: readonly Move[]
}
type Files = readonly File[]

/** Unchanged lines between any two changes, so that a merge is always safe; in an order of no pattern. */
const MOST = 60
const textOf = (index: number, changes: Iterable<number>): string => {
  const lines = Array.from({ length: MOST * 3 }, (_, i) => `file ${index} line ${i}`)
  for (const change of changes) lines[((change * 29) % MOST) * 3] = `file ${index} change ${change}`
  return `${lines.join('\n')}\n`
}

const listOf = ({ changes }: Pick<File, 'changes'>): string => [...changes.keys()].join()

/** At the same name with the same text. */
function isSame(a: File, b: File): boolean {
  return a.name === b.name && listOf(a) === listOf(b)
}

/** [RS-24] Without the moves of a person since the file last had its name, if its text is the same. */
function withoutRoundTrip(file: File): File {
  const first = file.moves.findLastIndex(({ who }) => who !== PERSON) + 1
  const at = file.moves.findIndex((move, i) => i >= first && move.from === file.name && move.changes === listOf(file))
  return at === -1 ? file : { ...file, moves: file.moves.slice(0, at) }
}

/** The file without what `who` did to it, as far as others did not move it on since. */
function without(file: File, who: string): File {
  let { name } = file
  const completed = new Set<Move>()
  // Down to the first that stands. One that was undone below a later move is completed with that.
  for (const move of file.moves.toReversed()) {
    if (!(move.undone ? completed.size > 0 : move.who === who)) break
    name = move.from
    completed.add(move)
  }
  const changes = new Map([...file.changes].filter(([, by]) => by !== who))
  if (name === file.name && changes.size === file.changes.size) return file
  return {
    name,
    changes,
    moves: file.moves
      .filter((move) => !completed.has(move))
      .map((move) => (move.who === who ? { ...move, undone: true } : move))
  }
}

/** A file whose old name another file has stays as it is. */
function settle(files: Files, wanted: Files): Files {
  for (let now = wanted; ; ) {
    const nameOf = (i: number): string => (files[i] as File).name
    const isTaken = (name: string, i: number): boolean =>
      now.some((other, j) => i !== j && other.name === name && (name === nameOf(j) || nameOf(j) < nameOf(i)))
    const blocked = now.findIndex(({ name }, i) => name !== nameOf(i) && isTaken(name, i))
    if (blocked === -1) return now
    now = now.map((file, i) => (i === blocked ? (files[i] as File) : file))
  }
}

const RUNS = LONG ? scaled(25) : 16
const played = tally()

async function play(steps: readonly Step[]): Promise<void> {
  await using folder = await recordedFolder({
    files: Object.fromEntries(FILES.map((name, i) => [name, textOf(i, [])]))
  })
  const { workspace, root } = folder
  let files: Files = FILES.map((name) => ({ name, changes: new Map(), moves: [] }))
  let changes = 0
  const runs: string[] = []
  const marks: { readonly id: string; readonly files: Files; readonly runs: number }[] = []
  /**
   * Runs after the point that was restored are not undone in these histories: a path that was and is absent keeps their
   * edits (RS-10), and the model has no absent paths.
   */
  let undoable: readonly number[] = []
  /** States that undo and redo give back; cleared by edits, since then they are merges. */
  let undo: { readonly files: Files; readonly undoable: readonly number[] }[] = []
  let redo: typeof undo = []
  const write = (index: number): void => {
    const { name, changes } = files[index] as File
    writeFileSync(join(root, name), textOf(index, changes.keys()))
  }
  const setFile = (index: number, file: Partial<File>): void => {
    files = files.map((old, i) => (i === index ? { ...old, ...file } : old))
  }
  /** One name each from before and after all changes of a window: what happened in between, nobody saw. */
  const make = (who: string, list: readonly Change[]): void => {
    const before = files
    for (const one of list) {
      if (one.do === 'edit') {
        const { changes: old } = files[one.file] as File
        if (changes >= MOST) continue
        setFile(one.file, { changes: new Map([...old, [changes++, who]]) })
        write(one.file)
      } else if (one.do === 'move') {
        if (files.some(({ name }) => name === one.to)) continue
        renameSync(join(root, (files[one.file] as File).name), join(root, one.to))
        setFile(one.file, { name: one.to })
      } else {
        const [a, b] = files.map(({ name }) => name) as [string, string]
        renameSync(join(root, a), join(root, 'between'))
        renameSync(join(root, b), join(root, a))
        renameSync(join(root, 'between'), join(root, b))
        files = [
          { ...(files[0] as File), name: b },
          { ...(files[1] as File), name: a }
        ]
      }
    }
    for (const [i, { name, moves }] of files.entries()) {
      const was = before[i] as File
      if (was.name !== name) setFile(i, { moves: [...moves, { who, from: was.name, to: name, changes: listOf(was) }] })
      files = files.map(withoutRoundTrip)
    }
  }
  const check = (what: string): void => {
    const expected = Object.fromEntries(files.map(({ name, changes }, i) => [name, textOf(i, changes.keys())]))
    const actual = Object.fromEntries(
      Object.keys(folder.tree()).map((name) => [name, readFileSync(join(root, name), 'utf8')])
    )
    expect(actual, what).toEqual(expected)
  }
  const act = async (step: string, request: RestoreRequest, wanted: Files): Promise<boolean> => {
    const { conflicts } = await folder.plan(request)
    const merges = request.kind === 'restore' ? [] : conflicts
    for (const { mergeable, cause, path } of merges) expect(mergeable, `${step}: ${path} ${cause}`).toBe(true)
    const result = await folder.apply(request, Object.fromEntries(merges.map(({ path }) => [path, 'merge' as const])))
    const before = files
    files = wanted
    check(`${step} ${JSON.stringify(result.items.map(({ path, action, note }) => [path, action, note]))}`)
    const changed = files.some((file, i) => !isSame(file, before[i] as File))
    expect(result.state, step).toBe(changed ? 'done' : 'nothing-to-do')
    // What stays the same keeps its authors: nothing is written there.
    if (!changed) files = before
    if (!changed) return false
    played.did(merges.length > 0 ? `${step}, merged` : step)
    if (wanted.some(({ name }, i) => name !== before[i]?.name)) played.did(`${step}, moved`)
    undo.push({ files: before, undoable })
    redo = []
    return true
  }
  const stepBack = async (kind: 'undo' | 'redo'): Promise<void> => {
    const [from, to] = kind === 'undo' ? [undo, redo] : [redo, undo]
    const wanted = from.pop()
    if (!wanted) return
    to.push({ files, undoable })
    const { state } = await folder.apply({ kind })
    expect(state, kind).toBe('done')
    ;({ files, undoable } = wanted)
    check(`[RS-6] ${kind}`)
    played.did(kind)
  }
  /** A run is undone, and so is each file of its diff, when nothing that it did is in force. */
  const checkMarks = async (): Promise<void> => {
    const { entries } = await folder.engine.call('timeline.list', { workspace, limit: 99 })
    for (const [n, run] of runs.entries()) {
      const diff = await folder.engine.call('diff.files', { workspace, target: run, scope: 'run' })
      const undone = diff.files.map(({ undoneBy }) => undoneBy !== undefined)
      if (undone.length === 0) continue
      const isInForce = files.some(
        ({ changes, moves }) =>
          [...changes.values()].includes(`run ${n}`) || moves.some(({ who, undone }) => who === `run ${n}` && !undone)
      )
      const entry = entries.find(({ id }) => id === run)
      expect({ n, run: entry?.kind === 'run' && entry.undone, files: undone.every((is) => is) }).toEqual({
        n,
        run: !isInForce,
        files: !isInForce
      })
    }
  }
  const mark = async (): Promise<void> => {
    marks.push({ id: await folder.checkpoint(), files, runs: runs.length })
  }
  await mark()
  for (const one of steps) {
    switch (one.step) {
      case 'run': {
        const who = `run ${runs.length}`
        undoable = [...undoable, runs.length]
        runs.push(await folder.run('work', () => make(who, one.changes)))
        undo = []
        redo = []
        break
      }
      case 'person':
        make(PERSON, one.changes)
        await folder.check()
        undo = []
        redo = []
        break
      case 'mark':
        await mark()
        break
      case 'reopen':
        await folder.reopen()
        break
      case 'undo-run': {
        const index = undoable[one.which % Math.max(1, undoable.length)] ?? -1
        const run = runs[index]
        const wanted = files.map((file) => without(file, `run ${index}`))
        if (run) await act(one.step, { kind: 'undo-run', run }, settle(files, wanted))
        break
      }
      case 'restore': {
        const to = marks[one.which % marks.length]!
        const request = { kind: 'restore', target: to.id, outside: 'replace' } as const
        const wanted = to.files.map((file, i) => (isSame(file, files[i] as File) ? (files[i] as File) : file))
        if (await act(one.step, request, wanted)) undoable = undoable.filter((run) => run < to.runs)
        break
      }
      case 'undo':
        await stepBack('undo')
        break
      case 'redo':
        if (redo.length === 0) await stepBack('undo')
        await stepBack('redo')
    }
    for (const [i, { name, changes }] of files.entries()) {
      const { lines } = await folder.engine.call('file.blame', { workspace, path: name })
      const writers = lines.flatMap(({ text, run, origin }) => {
        const change = new RegExp(`^file ${i} change (\\d+)$`).exec(text)?.[1]
        return change === undefined ? [] : [[Number(change), run ? `run ${runs.indexOf(run)}` : origin] as const]
      })
      const told = new Map(writers.map(([change, who]) => [change, who === 'outside' ? 'a person' : who]))
      expect([...told].sort(byNumber), `blame of ${name}`).toEqual([...changes].sort(byNumber))
    }
  }
  await checkMarks()
  expect((await folder.engine.call('doctor.run', { deep: true })).problems).toEqual([])
}

const byNumber = (a: readonly [number, string], b: readonly [number, string]): number => a[0] - b[0]

test(`[LG-7] [RS-6] [RS-10] [RS-13] [RS-20] ${RUNS} random histories with renames: undo follows each file (seed ${SEED})`, {
  timeout: limitFor(RUNS)
}, async () => {
  await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), play), {
    numRuns: RUNS,
    seed: SEED
  })
  const steps = ['undo-run', 'restore', 'undo', 'redo', 'undo-run, merged', 'undo-run, moved']
  expect(played.never(steps)).toEqual([])
})
