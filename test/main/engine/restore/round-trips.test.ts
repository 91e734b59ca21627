/** [RS-10] [RS-24] Edits that bring a file back to what it was are no conflict: `git checkout` of another branch and back. */
import { chmodSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type Clock, systemClock } from '../../../../src/main/engine/ports/clock.ts'
import { createHookedAgent } from '../../../support/hooked-agent.ts'
import { type RecordedFolder, recordedFolder } from '../../../support/recorded-folder.ts'
import { readTree, type Tree, writeFiles } from '../../../support/tree.ts'

const BEFORE = { edited: 'one\n', deleted: 'two\n', 'old-name': 'three\n'.repeat(9), other: 'four\n' }

function work(root: string): void {
  writeFiles(root, { edited: 'one of the run\n', created: 'five\n', 'folder/made': 'six\n' })
  rmSync(join(root, 'deleted'))
  renameSync(join(root, 'old-name'), join(root, 'new-name'))
}

/** What another branch has instead of what the run made. */
function checkOutOther(root: string): void {
  writeFiles(root, { edited: 'one of the other branch\n', deleted: 'two\n', other: 'four of it\n' })
  for (const name of ['created', 'folder']) rmSync(join(root, name), { recursive: true })
  renameSync(join(root, 'new-name'), join(root, 'old-name'))
}

function checkOutAgain(root: string): void {
  writeFiles(root, { other: 'four\n' })
  work(root)
}

async function awayAndBack(folder: RecordedFolder): Promise<Tree> {
  const before = folder.tree()
  checkOutOther(folder.root)
  await folder.check()
  checkOutAgain(folder.root)
  await folder.check()
  expect(folder.tree()).toEqual(before)
  return before
}

describe('[RS-10] after a checkout of another branch and back', () => {
  test('a run is undone without a conflict, and the undo is undone and redone', async () => {
    await using folder = await recordedFolder({ files: BEFORE })
    const start = readTree(folder.root)
    const run = await folder.run('edit', () => work(folder.root))
    for (const times of [1, 2]) {
      const done = await awayAndBack(folder)
      expect(await folder.apply({ kind: 'undo-run', run }), `${times} times`).toMatchObject({
        state: 'done',
        conflicts: []
      })
      expect(folder.tree()).toEqual(start)
      expect((await folder.apply({ kind: 'undo' })).state).toBe('done')
      expect(folder.tree()).toEqual(done)
      expect((await folder.apply({ kind: 'redo' })).state).toBe('done')
      expect(folder.tree()).toEqual(start)
      expect((await folder.apply({ kind: 'undo' })).state).toBe('done')
    }
  })

  test('a rename is undone, although only one of both ways was recorded as a rename', async () => {
    let later = 0
    const clock: Clock = { ...systemClock, now: () => systemClock.now() + later }
    await using folder = await recordedFolder({ files: BEFORE, clock })
    const at = (name: string): string => join(folder.root, name)
    const start = folder.tree()
    const run = await folder.run('rename', () => renameSync(at('old-name'), at('new-name')))
    const done = folder.tree()
    renameSync(at('new-name'), at('elsewhere'))
    await folder.check()
    rmSync(at('elsewhere'))
    await folder.check()
    later = 60_000
    writeFiles(folder.root, { 'new-name': BEFORE['old-name'] })
    expect(await folder.apply({ kind: 'undo-run', run })).toMatchObject({ state: 'done', conflicts: [] })
    expect(folder.tree()).toEqual(start)
    expect((await folder.apply({ kind: 'undo' })).state).toBe('done')
    expect(folder.tree()).toEqual(done)
  })

  test('a restore is undone without a conflict', async () => {
    await using folder = await recordedFolder({ files: { edited: 'one\n', created: 'two\n' } })
    await folder.run('edit', () => writeFiles(folder.root, { edited: 'of the run\n', added: 'three\n' }))
    const done = folder.tree()
    await folder.apply({ kind: 'restore', target: 'seq:0' })
    for (const text of ['of the other branch\n', 'one\n']) {
      writeFiles(folder.root, { edited: text })
      await folder.check()
    }
    expect(await folder.apply({ kind: 'undo' })).toMatchObject({ state: 'done', conflicts: [] })
    expect(folder.tree()).toEqual(done)
  })

  test('what a person wrote before stays a conflict, and is not lost', async () => {
    await using folder = await recordedFolder({ files: { a: 'one\ntwo\n' } })
    const run = await folder.run('edit', () => writeFiles(folder.root, { a: 'ONE\ntwo\n' }))
    for (const text of ['ONE\nTWO\n', 'other\n', 'ONE\nTWO\n']) {
      writeFiles(folder.root, { a: text })
      await folder.check()
    }
    expect(await folder.apply({ kind: 'undo-run', run })).toMatchObject({ state: 'refused' })
    expect((await folder.plan({ kind: 'undo-run', run })).conflicts).toMatchObject([{ path: 'a' }])
  })

  test('a mode counts as a change', { tags: ['posix'] }, async () => {
    await using folder = await recordedFolder({ files: { a: 'one\n' } })
    const run = await folder.run('edit', () => writeFiles(folder.root, { a: 'two\n' }))
    writeFiles(folder.root, { a: 'other\n' })
    await folder.check()
    rmSync(join(folder.root, 'a'))
    writeFileSync(join(folder.root, 'a'), 'two\n', { mode: 0o700 })
    await folder.check()
    expect((await folder.plan({ kind: 'undo-run', run })).conflicts).toMatchObject([{ path: 'a' }])
  })
})

const START = Array.from({ length: 40 }, (_, i) => `line ${i}\n`)
const textWith = (lines: Readonly<Record<number, string>>): string =>
  START.map((line, i) => (i in lines ? `${lines[i]}\n` : line)).join('')
const RUN = { 5: 'five', 20: 'twenty', 21: 'twenty-one', 35: 'thirty-five' }
const OTHER = textWith({ 5: 'of the other branch', 30: 'also' })

interface Worked extends AsyncDisposable {
  readonly folder: RecordedFolder
  readonly run: string
  read(): string
  /** What a person writes; null deletes the file. */
  outside(...texts: readonly (string | null)[]): Promise<void>
  by(title: string, ...texts: readonly string[]): Promise<string>
  /** Lines that differ from the start, and who wrote them. */
  blame(): Promise<Record<string, string>>
}

/** A run changed three places of `a`. */
async function worked(): Promise<Worked> {
  const folder = await recordedFolder({ files: { a: textWith({}) } })
  const file = join(folder.root, 'a')
  const put = (text: string | null): void => (text === null ? rmSync(file) : writeFileSync(file, text))
  const by: Worked['by'] = (title, ...texts) =>
    folder.run(title, async () => {
      for (const text of texts) {
        put(text)
        await folder.check()
      }
    })
  return {
    folder,
    run: await by('work', textWith(RUN)),
    read: () => readFileSync(file, 'utf8'),
    outside: async (...texts) => {
      for (const text of texts) {
        put(text)
        await folder.check()
      }
    },
    by,
    blame: async () => {
      const { lines } = await folder.engine.call('file.blame', { workspace: folder.workspace, path: 'a' })
      return Object.fromEntries(
        lines.flatMap(({ text, run, origin }) => (START.includes(`${text}\n`) ? [] : [[text, run ?? origin]]))
      )
    },
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]()
  }
}

const hunk = (run: string, n: number) => ({ kind: 'undo-run', run, hunks: { a: [n] } }) as const

describe('[RS-24] [RS-21] single changes of a run are undone after', () => {
  const trips: Record<string, readonly (string | null)[]> = {
    'a checkout of another branch and back': [textWith({}), textWith(RUN)],
    'a branch without the file': [null, textWith(RUN)],
    'two of them': [OTHER, textWith(RUN), OTHER, textWith(RUN)],
    'one within another': [OTHER, textWith({}), OTHER, textWith(RUN)],
    'several steps of an editor’s undo and redo': [
      textWith({ 5: 'five', 20: 'twenty' }),
      textWith({ 5: 'five' }),
      textWith({}),
      textWith({ 5: 'five' }),
      textWith({ 5: 'five', 20: 'twenty' }),
      textWith(RUN)
    ],
    'binary content in between': ['\0\x01\x02', textWith(RUN)]
  }

  test.each(Object.keys(trips))('%s', async (name) => {
    await using work = await worked()
    const { folder, run, outside, read, blame } = work
    await outside(...(trips[name] as readonly (string | null)[]))
    expect(await blame()).toEqual({ five: run, twenty: run, 'twenty-one': run, 'thirty-five': run })
    expect(await folder.apply(hunk(run, 1))).toMatchObject({ state: 'done', conflicts: [] })
    expect(read()).toBe(textWith({ ...RUN, 5: 'line 5' }))
    const lines = { a: [{ side: 'after', from: 21, to: 22 } as const] }
    expect(await folder.apply({ kind: 'undo-run', run, lines })).toMatchObject({ state: 'done', conflicts: [] })
    expect(read()).toBe(textWith({ 20: 'twenty', 35: 'thirty-five' }))
    expect(await blame()).toEqual({ twenty: run, 'thirty-five': run })
    expect((await folder.apply({ kind: 'undo' })).state).toBe('done')
    expect((await folder.apply({ kind: 'undo' })).state).toBe('done')
    expect(read()).toBe(textWith(RUN))
    expect((await folder.apply({ kind: 'redo' })).state).toBe('done')
    expect(read()).toBe(textWith({ ...RUN, 5: 'line 5' }))
    await outside(OTHER, textWith({ ...RUN, 5: 'line 5' }))
    expect(await folder.apply(hunk(run, 3))).toMatchObject({ state: 'done', conflicts: [] })
    expect(read()).toBe(textWith({ 20: 'twenty', 21: 'twenty-one' }))
  })

  test('and what a person wrote since elsewhere stays, as it does without it', async () => {
    await using work = await worked()
    const { folder, run, outside, read, blame } = work
    await outside(null, textWith(RUN), textWith({ ...RUN, 12: 'mine' }), OTHER, textWith({ ...RUN, 12: 'mine' }))
    expect((await folder.apply({ ...hunk(run, 2), onConflict: 'merge' })).state).toBe('done')
    expect(read()).toBe(textWith({ 5: 'five', 12: 'mine', 35: 'thirty-five' }))
    expect((await folder.apply({ kind: 'undo-run', run, onConflict: 'merge' })).state).toBe('done')
    expect(read()).toBe(textWith({ 12: 'mine' }))
    expect(await blame()).toEqual({ mine: 'outside' })
  })

  test('and what a person wrote since at the same lines is a conflict', async () => {
    await using work = await worked()
    const { folder, run, outside } = work
    await outside(OTHER, textWith(RUN), textWith({ ...RUN, 5: 'mine' }))
    expect((await folder.plan(hunk(run, 1))).conflicts).toMatchObject([{ path: 'a', mergeable: false }])
    expect((await folder.plan(hunk(run, 2))).conflicts).toMatchObject([{ path: 'a', mergeable: true }])
  })
})

test('[RS-21] permissions that others changed are no conflict with selected changes, and stay', {
  tags: ['posix']
}, async () => {
  await using work = await worked()
  const { folder, run, read } = work
  const file = join(folder.root, 'a')
  chmodSync(file, 0o755)
  await folder.check()
  expect(await folder.apply(hunk(run, 1))).toMatchObject({ state: 'done', conflicts: [] })
  expect([read(), statSync(file).mode & 0o777]).toEqual([textWith({ ...RUN, 5: 'line 5' }), 0o755])
  expect((await folder.plan({ kind: 'undo-run', run })).conflicts).toMatchObject([{ path: 'a' }])
})

describe('[RS-24] a run on the other branch', () => {
  test('is no part of the file after the return, and is not undone there by chance', async () => {
    await using work = await worked()
    const { folder, run, outside, by, read, blame } = work
    await outside(OTHER)
    const second = await by('on the other branch', `${OTHER}second\n`)
    await outside(textWith(RUN))
    expect(await blame()).toEqual({ five: run, twenty: run, 'twenty-one': run, 'thirty-five': run })
    expect((await folder.plan({ kind: 'undo-run', run: second })).conflicts).toMatchObject([{ path: 'a' }])
    expect(await folder.apply(hunk(run, 1))).toMatchObject({ state: 'done', conflicts: [] })
    expect(read()).toBe(textWith({ ...RUN, 5: 'line 5' }))
    expect((await folder.apply({ kind: 'undo-run', run })).state).toBe('done')
    expect(read()).toBe(textWith({}))
  })

  test('is undone by itself when that branch is checked out again', async () => {
    await using work = await worked()
    const { folder, outside, by, read, blame } = work
    await outside(OTHER)
    const second = await by('on the other branch', `first\n${OTHER}second\n`)
    await outside(textWith(RUN), `first\n${OTHER}second\n`)
    expect(await blame()).toEqual({ first: second, 'of the other branch': 'outside', also: 'outside', second })
    expect(await folder.apply(hunk(second, 2))).toMatchObject({ state: 'done', conflicts: [] })
    expect(read()).toBe(`first\n${OTHER}`)
  })
})

describe('[RS-24] after an undo elsewhere, the branch of an earlier run', () => {
  const LATER = { ...RUN, 12: 'twelve', 30: 'thirty' }

  async function onTwoBranches(work: Worked): Promise<{ other: string; later: string }> {
    const { outside, by } = work
    await outside(OTHER)
    const other = await by('on the other branch', `${OTHER}second\n`)
    await outside(textWith(RUN))
    return { other, later: await by('later', textWith(LATER)) }
  }

  test.each([
    ['of a change', true],
    ['of a run', false],
    ['that was undone', null]
  ] as const)('has its lines again: the undo %s', async (_, part) => {
    await using work = await worked()
    const { folder, outside, read, blame } = work
    const { other, later } = await onTwoBranches(work)
    await folder.apply(part === false ? { kind: 'undo-run', run: later } : hunk(later, 1))
    if (part === null) await folder.apply({ kind: 'undo' })
    const here = read()
    await outside(`${OTHER}second\n`)
    expect(await blame()).toMatchObject({ second: other })
    expect(await folder.apply(hunk(other, 1))).toMatchObject({ state: 'done', conflicts: [] })
    expect(read()).toBe(OTHER)
    await folder.apply({ kind: 'undo' })
    await outside(here)
    expect(await blame()).toMatchObject({ five: work.run })
    expect((await folder.apply({ ...hunk(work.run, 1), onConflict: 'merge' })).state).toBe('done')
  })

  test('what was undone stays undone where its text returns', async () => {
    await using work = await worked()
    const { folder, run, outside } = work
    await folder.apply({ kind: 'undo-run', run })
    await outside(textWith(RUN))
    expect((await folder.plan({ kind: 'undo-run', run })).items).toEqual([])
    expect(await work.blame()).toMatchObject({ five: 'outside' })
  })
})

describe('[RS-24] [RS-10] a run that makes the return', () => {
  test('has it as its own change, which is undone as that of any run', async () => {
    await using work = await worked()
    const { folder, run, outside, by, read, blame } = work
    await outside(textWith({}))
    const second = await by('git checkout main', textWith(RUN))
    expect(await blame()).toEqual({ five: second, twenty: second, 'twenty-one': second, 'thirty-five': second })
    expect((await folder.plan({ kind: 'undo-run', run })).conflicts).toMatchObject([{ path: 'a', mergeable: false }])
    expect((await folder.plan(hunk(run, 1))).conflicts).toMatchObject([{ path: 'a', mergeable: false }])
    expect(await folder.apply(hunk(second, 2))).toMatchObject({ state: 'done', conflicts: [] })
    expect(read()).toBe(textWith({ 5: 'five', 35: 'thirty-five' }))
    expect((await folder.apply({ kind: 'undo-run', run: second })).state).toBe('done')
    expect(read()).toBe(textWith({}))
  })

  test('from what it did itself has no change there: `git stash`, tests and `git stash pop`', async () => {
    await using work = await worked()
    const { folder, run, by, read, blame } = work
    const second = await by('tests', textWith({}), OTHER, textWith(RUN))
    expect(await blame()).toEqual({ five: run, twenty: run, 'twenty-one': run, 'thirty-five': run })
    expect((await folder.plan({ kind: 'undo-run', run: second })).conflicts).toEqual([])
    expect(await folder.apply(hunk(run, 1))).toMatchObject({ state: 'done', conflicts: [] })
    expect(read()).toBe(textWith({ ...RUN, 5: 'line 5' }))
    expect(await folder.apply({ kind: 'undo-run', run })).toMatchObject({ state: 'done', conflicts: [] })
    expect(read()).toBe(textWith({}))
  })
})

test('[RS-24] an outside change that is itself the return is undone to what was before it', async () => {
  await using work = await worked()
  const { folder, outside, read } = work
  await outside(OTHER)
  await folder.run('elsewhere', () => writeFiles(folder.root, { b: 'b\n' }))
  await outside(textWith(RUN))
  const { drift } = await folder.engine.call('drift.list', { workspace: folder.workspace, check: true })
  expect(await folder.apply({ kind: 'drift', drift: drift.at(-1)?.id as string })).toMatchObject({ state: 'done' })
  expect(read()).toBe(OTHER)
})

describe('[RS-24] [RS-14] a restore', () => {
  test('to before a run keeps nothing for a round trip since', async () => {
    await using work = await worked()
    const { folder, run, outside, read } = work
    await outside(OTHER, textWith(RUN))
    const target = `${run}:start`
    expect(await folder.apply({ kind: 'restore', target })).toMatchObject({ state: 'done', conflicts: [] })
    expect(read()).toBe(textWith({}))
  })

  test('to within one keeps the return, which came after it', async () => {
    await using work = await worked()
    const { folder, outside } = work
    await outside(OTHER)
    const target = await folder.checkpoint()
    await outside(textWith(RUN))
    expect((await folder.plan({ kind: 'restore', target })).conflicts).toMatchObject([{ path: 'a' }])
  })
})

test('[RS-24] [LG-4] the diff of a run during which a person looked at another branch has the run’s lines alone', async () => {
  await using folder = await recordedFolder({ files: { a: textWith({}) } })
  const { workspace, root } = folder
  const agent = createHookedAgent(folder, 'session')
  const put = (text: string): void => writeFiles(root, { a: text })
  const run = await agent.ensureRun()
  await agent.call('Write', { file_path: join(root, 'a') }, () => put(textWith({ 5: 'five' })))
  for (const text of [OTHER, textWith({ 5: 'five' })]) {
    put(text)
    await folder.check()
  }
  await agent.call('Write', { file_path: join(root, 'a') }, () => put(textWith({ 5: 'five again' })))
  await agent.stop()
  expect(await folder.engine.call('diff.file', { workspace, target: run, path: 'a' })).toMatchObject({
    beforeText: textWith({}),
    afterText: textWith({ 5: 'five again' })
  })
  expect(await folder.apply(hunk(run, 1))).toMatchObject({ state: 'done', conflicts: [] })
  expect(readFileSync(join(root, 'a'), 'utf8')).toBe(textWith({}))
})

test.each([
  ['made before it', false],
  ['that an earlier version of Driftline named by its last edit', true]
])('[RS-24] [RV-2] a comment %s stays on its line', async (_, isOld) => {
  await using work = await worked()
  const { folder, outside } = work
  const { workspace, engine } = folder
  await engine.call('comments.add', { workspace, target: 'now', path: 'a', from: 6, to: 6, text: 'Why?' })
  await outside(textWith({}), textWith(RUN), `mine\n${textWith(RUN)}`)
  if (isOld) {
    const names = JSON.stringify([{ seq: 3, hunk: 0, lines: [[1, 2]] }])
    folder.store(({ db }) => db.prepare('UPDATE comment SET names = ?').run(names))
  }
  const { comments } = await engine.call('comments.list', { workspace })
  expect(comments).toMatchObject([{ line: 7, endLine: 7, lines: 'same' }])
})
