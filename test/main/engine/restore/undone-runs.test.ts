/** Which runs count as undone: exactly those of which no edit is in force, whatever the restores before did. */
import { renameSync } from 'node:fs'
import { expect, test } from 'vitest'
import { currentPaths, editsInForce } from '../../../../src/main/engine/log/chain.ts'
import { runsOfEdits } from '../../../../src/main/engine/store/edit-calls.ts'
import type { Store } from '../../../../src/main/engine/store/open-store.ts'
import { editedPaths } from '../../../../src/main/engine/store/paths.ts'
import { type RecordedFolder, recordedFolder } from '../../../support/recorded-folder.ts'
import { writeFiles } from '../../../support/tree.ts'

const text = (...changed: readonly number[]): string =>
  Array.from({ length: 30 }, (_, line) => `${changed.includes(line) ? 'changed' : 'line'} ${line}\n`).join('')

/** Found by walking all chains. */
function runsInForce(store: Store): string[] {
  const { records } = store
  const paths = currentPaths(
    editedPaths(store, 0, 1000).map(({ id }) => id),
    records
  )
  return runsOfEdits(
    store,
    [...paths].flatMap((id) => editsInForce(records.headOf(id), records).map(({ seq }) => seq))
  )
}

async function undoneRuns({ engine, workspace, store }: RecordedFolder, names: ReadonlyMap<string, string>) {
  const { entries } = await engine.call('timeline.list', { workspace, limit: 100, kinds: ['run'] })
  const undone = entries.flatMap((entry) => (entry.kind === 'run' && entry.undone ? [entry.id] : []))
  const inForce = store(runsInForce)
  expect(undone.sort()).toEqual([...names.keys()].filter((run) => !inForce.includes(run)).sort())
  return undone
    .map((run) => names.get(run))
    .sort()
    .join(' ')
}

/** The runs A to F change, create and move the files `a` to `e`. */
async function played() {
  const folder = await recordedFolder({ files: { a: text(), b: text(), d: text(), e: text() } })
  const runs = new Map<string, string>()
  const ids: Record<string, string> = {}
  const run = async (name: string, work: () => unknown): Promise<void> => {
    ids[name] = await folder.run(name, work)
    runs.set(ids[name], name)
  }
  await run('A', () => writeFiles(folder.root, { a: text(1), b: text(1) }))
  await run('B', () => writeFiles(folder.root, { a: text(1, 2) }))
  await run('C', () => writeFiles(folder.root, { c: 'new\n' }))
  await run('D', () => writeFiles(folder.root, { d: text(1) }))
  await run('E', () => renameSync(`${folder.root}/d`, `${folder.root}/moved`))
  await run('F', () => writeFiles(folder.root, { e: text(1) }))
  await run('G', () => writeFiles(folder.root, { e: text(1, 20) }))
  return { folder, undone: () => undoneRuns(folder, runs), of: (name: string) => ids[name] as string }
}

test('[RS-6] a run is undone when all of its edits are, and no longer when one returns', async () => {
  const { folder, undone, of } = await played()
  await using _ = folder
  const undo = async (name: string, more: object = {}): Promise<string> => {
    await folder.apply({ kind: 'undo-run', run: of(name), ...more })
    return undone()
  }
  const step = async (kind: 'undo' | 'redo'): Promise<string> => {
    await folder.apply({ kind })
    return undone()
  }
  expect(await undo('B')).toBe('B')
  expect(await undo('A', { paths: ['b'] })).toBe('B')
  expect(await undo('A')).toBe('A B')
  expect([await step('undo'), await step('undo'), await step('undo')]).toEqual(['B', 'B', ''])
  expect([await step('redo'), await step('redo'), await step('redo')]).toEqual(['B', 'B', 'A B'])
  expect(await undo('C')).toBe('A B C')
})

test('[RS-11] [RS-20] also a run whose lines a merge removed, or whose file was moved since', async () => {
  const { folder, undone, of } = await played()
  await using _ = folder
  const apply = async (request: Parameters<typeof folder.apply>[0]): Promise<string> => {
    await folder.apply(request)
    return undone()
  }
  expect(await apply({ kind: 'undo-run', run: of('F'), onConflict: 'merge' })).toBe('F')
  expect(await apply({ kind: 'undo-run', run: of('G') })).toBe('F G')
  expect(await apply({ kind: 'undo-run', run: of('D') })).toBe('D F G')
  expect(await apply({ kind: 'undo-run', run: of('E') })).toBe('D E F G')
  expect(await apply({ kind: 'undo' })).toBe('D F G')
  expect(await apply({ kind: 'restore', target: of('A') })).toBe('A B C D E F G')
  expect(await apply({ kind: 'undo' })).toBe('D F G')
  expect(await apply({ kind: 'redo' })).toBe('A B C D E F G')
})
