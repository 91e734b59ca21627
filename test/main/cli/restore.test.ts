import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type CliProject, createCliProject } from './cli-project.ts'

interface Doc {
  plan: string
  target: string
  items: { path: string; action: string; result?: string }[]
  conflicts: { path: string; by: { run: string; at: number }[]; choices: string[]; mergeable: boolean }[]
  warnings: string[]
  unchanged: number
  state: string
  restore: string
  refusal?: string
  guard: string
  drift: { id: string; paths: string[]; count: number; foundAt: number }[]
  error: { code: string }
}

const NINE = '1\n2\n3\n4\n5\n6\n7\n8\n9\n'
/** As the run leaves `b.txt`. */
const EDITED = NINE.replace('9', 'nine')
/** And as others leave it, who edit another line. */
const EDITED_TWICE = EDITED.replace('1', 'one')
const ONLY_OTHERS = NINE.replace('1', 'one')

/** A recorded folder and a run that changed it. */
async function projectWithRun(): Promise<{ project: CliProject; runId: string }> {
  const project = createCliProject()
  project.write('a.txt', 'a\n')
  project.write('b.txt', NINE)
  await project.add()
  const runId = await project.run('edit', () => {
    project.write('a.txt', 'A\n')
    project.write('b.txt', EDITED)
    project.write('d/new.txt', 'n')
  })
  return { project, runId }
}

describe('a restore that writes nothing', () => {
  let project: CliProject
  let runId: string

  beforeAll(async () => {
    ;({ project, runId } = await projectWithRun())
  })
  afterAll(() => project.remove())

  test('--dry-run prints the plan and writes nothing', async () => {
    const { code, doc } = await project.json<Doc>(['restore', runId, '--dry-run'])
    expect(code).toBe(0)
    expect(doc).toMatchObject({
      plan: expect.stringMatching(/./),
      target: expect.any(String),
      conflicts: [],
      warnings: expect.any(Array),
      unchanged: expect.any(Number)
    })
    const actions = Object.fromEntries(doc.items.map((item) => [item.path, item.action]))
    expect(actions).toMatchObject({ 'a.txt': 'write', 'b.txt': 'write', 'd/new.txt': 'delete', d: 'rmdir' })
    expect(project.read('a.txt')).toBe('A\n')
  })

  test('without --yes and without a terminal the plan is printed with exit code 3', async () => {
    const json = await project.json<Doc>(['restore', runId])
    expect([json.code, json.doc.plan !== '']).toEqual([3, true])
    const human = await project.call(['restore', runId])
    expect(human.code).toBe(3)
    expect(human.out.toString()).toContain('a.txt')
    expect(human.err).toContain('--yes')
    expect(project.read('a.txt')).toBe('A\n')
  })

  test('--plan refuses an outdated plan', async () => {
    const stale = await project.json<Doc>(['restore', runId, '--yes', '--plan', 'not-this-one'])
    expect([stale.code, stale.doc.error.code, stale.doc.state]).toEqual([3, 'PlanStale', 'refused'])
    expect(project.read('a.txt')).toBe('A\n')
  })

  test('--while-live needs a terminal', async () => {
    const { code, doc } = await project.json<Doc>(['restore', runId, '--yes', '--while-live'])
    expect([code, doc.error.code]).toEqual([3, 'NeedsConfirmation'])
  })

  test('a refusal before planning is a result, too: nothing to redo', async () => {
    const { code, doc } = await project.json<Doc>(['redo', '--yes'])
    expect([code, doc.state, doc.items, doc.error.code]).toEqual([3, 'refused', [], 'Refused'])
  })

  test('an unknown target exits 5; nothing to recover is reported', async () => {
    expect((await project.json<Doc>(['restore', 'cp_nope', '--yes'])).code).toBe(5)
    const { code, doc } = await project.json<Doc>(['recover', 'finish', '--yes'])
    expect([code, doc.refusal]).toEqual([3, 'No restore was interrupted.'])
  })
})

describe('a restore that writes', () => {
  let project: CliProject
  let runId: string

  beforeEach(async () => {
    ;({ project, runId } = await projectWithRun())
  })
  afterEach(() => project.remove())

  test('[RS-6] restore --yes restores, undo undoes it, redo redoes it', async () => {
    const plan = (await project.json<Doc>(['restore', runId, 'a.txt', 'd', '--dry-run'])).doc.plan
    const { code, doc } = await project.json<Doc>(['restore', runId, 'a.txt', 'd', '--yes', '--plan', plan])
    expect(code).toBe(0)
    expect(doc).toMatchObject({
      restore: expect.stringMatching(/^rst_/),
      state: 'done',
      guard: expect.any(String),
      conflicts: []
    })
    expect(doc.items.every((item) => item.result === 'done')).toBe(true)
    expect([project.read('a.txt'), existsSync(join(project.root, 'd')), project.read('b.txt')]).toEqual([
      'a\n',
      false,
      expect.stringContaining('nine')
    ])
    expect((await project.json<Doc>(['undo', '--yes'])).doc.state).toBe('done')
    expect([project.read('a.txt'), project.read('d/new.txt')]).toEqual(['A\n', 'n'])
    expect((await project.json<Doc>(['redo', '--yes'])).doc.state).toBe('done')
    expect(project.read('a.txt')).toBe('a\n')
    expect((await project.json<Doc>(['undo', '--yes'])).doc.state).toBe('done')
  })

  test('undo-run undoes only the edits of the run', async () => {
    const { code, doc } = await project.json<Doc>(['undo-run', runId.slice(0, -2), 'a.txt', 'd', '--yes'])
    expect([code, doc.state]).toEqual([0, 'done'])
    expect([project.read('a.txt'), existsSync(join(project.root, 'd'))]).toEqual(['a\n', false])
  })

  test('outside changes are listed, accepted or reverted', async () => {
    project.write('a.txt', 'by hand\n')
    const { doc } = await project.json<Doc>(['drift'])
    expect(doc.drift).toMatchObject([
      { id: expect.any(String), paths: ['a.txt'], count: 1, foundAt: expect.any(Number) }
    ])
    const id = doc.drift[0]!.id
    expect((await project.json<Doc>(['drift', 'restore', id])).code).toBe(3)
    expect((await project.json<Doc>(['drift', 'restore', id, '--yes'])).doc.state).toBe('done')
    expect(project.read('a.txt')).toBe('A\n')
    expect((await project.call(['log', '--kind', 'drift'])).out.toString()).toMatch(/ 1 file, undone$/m)
    project.write('a.txt', 'again by hand\n')
    const again = (await project.json<Doc>(['drift'])).doc.drift.find((one) => one.id !== id) ?? doc.drift[0]!
    expect((await project.json<Doc>(['drift', 'accept', again.id])).code).toBe(0)
    expect((await project.json<Doc>(['drift'])).doc.drift).toEqual([])
    expect(project.read('a.txt')).toBe('again by hand\n')
  })

  test('undo keeps later changes, explains how to replace them, and replaces them on request', async () => {
    const run = await project.run('edit', () => project.write('a.txt', 'once\n'))
    const before = project.read('a.txt')
    await project.json<Doc>(['undo-run', run, '--yes'])
    project.write('a.txt', 'by hand\n')
    const kept = await project.call(['undo', '--yes'])
    expect([kept.code, kept.out.toString()]).toEqual([0, expect.stringContaining('--on-conflict replace')])
    const asked = await project.call(['undo'])
    expect([asked.code, asked.err]).toEqual([3, expect.not.stringContaining('--yes')])
    expect(project.read('a.txt')).toBe('by hand\n')
    const replaced = await project.json<Doc>(['undo', '--yes', '--on-conflict', 'replace'])
    expect([replaced.code, replaced.doc.state]).toEqual([0, 'done'])
    expect(project.read('a.txt')).toBe(before)
    expect((await project.json<Doc>(['redo', '--yes'])).code).toBe(0)
    expect(project.read('a.txt')).toBe('by hand\n')
    expect((await project.json<Doc>(['undo', '--on-conflict', 'fail'])).code).toBe(2)
  })

  test('[RS-11] undo and redo merge with later changes of the same file on request', async () => {
    const lines = Array.from({ length: 9 }, (_, i) => `${i}\n`).join('')
    project.write('lines.txt', lines)
    const run = await project.run('edit', () => project.write('lines.txt', lines.replace('1\n', 'one\n')))
    await project.json<Doc>(['undo-run', run, '--yes'])
    project.write('lines.txt', lines.replace('7\n', 'seven\n'))
    expect((await project.call(['undo', '--dry-run'])).out.toString()).toContain('--on-conflict merge')
    expect((await project.json<Doc>(['undo', '--yes', '--on-conflict', 'merge'])).doc.state).toBe('done')
    const both = lines.replace('1\n', 'one\n').replace('7\n', 'seven\n')
    expect(project.read('lines.txt')).toBe(both)
    project.write('lines.txt', both.replace('4\n', 'four\n'))
    expect((await project.json<Doc>(['redo', '--yes', '--on-conflict', 'merge'])).doc.state).toBe('done')
    expect(project.read('lines.txt')).toBe(lines.replace('7\n', 'seven\n').replace('4\n', 'four\n'))
  })

  test('[UI-1] a plan that writes nothing does not say what it undoes', async () => {
    const run = await project.run('edit', () => project.write('mine.txt', 'run\n'))
    project.write('mine.txt', 'mine\n')
    const { out } = await project.call(['undo-run', run, '--dry-run'])
    expect(out.toString()).toContain('kept: changed by others after this run')
    expect(out.toString()).not.toContain('is undone')
    expect(out.toString()).toMatch(/\nNothing to write\.\n$/)
  })

  describe('a run with a later edit of its file', () => {
    let other: string

    beforeEach(async () => {
      other = await project.run('edit', () => project.write('b.txt', EDITED_TWICE))
    })

    test('undo-run refuses on a conflict, names the other edit, and keeps the file on request', async () => {
      const refused = await project.json<Doc>(['undo-run', runId, 'b.txt', '--yes'])
      expect([refused.code, refused.doc.state]).toEqual([3, 'refused'])
      expect(refused.doc.conflicts[0]).toMatchObject({
        path: 'b.txt',
        reason: expect.any(String),
        by: [{ run: other, at: expect.any(Number) }],
        choices: expect.arrayContaining(['keep', 'replace']),
        mergeable: expect.any(Boolean)
      })
      expect((await project.json<Doc>(['undo-run', runId, 'b.txt', '--dry-run'])).code).toBe(0)
      const kept = await project.json<Doc>(['undo-run', runId, 'b.txt', '--yes', '--on-conflict', 'keep'])
      expect([kept.code, kept.doc.items[0]?.result]).toEqual([0, 'kept'])
      expect(project.read('b.txt')).toBe(EDITED_TWICE)
    })

    test('[RS-11] undo-run --on-conflict merge undoes the run and keeps the other edit; blame distinguishes them', async () => {
      const { doc } = await project.json<{ lines: { n: number; run: string | null; origin: string }[] }>([
        'blame',
        'b.txt'
      ])
      expect(doc.lines.map((line) => line.run)[8]).toBe(runId)
      const merged = await project.json<Doc>(['undo-run', runId, 'b.txt', '--yes', '--on-conflict', 'merge'])
      expect([merged.code, merged.doc.state]).toEqual([0, 'done'])
      expect(project.read('b.txt')).toBe(ONLY_OTHERS)
      expect((await project.json<Doc>(['undo', '--yes'])).doc.state).toBe('done')
      expect(project.read('b.txt')).toBe(EDITED_TWICE)
    })

    test('[RS-11] undo-run --hunk undoes one hunk; a wrong number is reported', async () => {
      const { code, doc } = await project.json<Doc>([
        'undo-run',
        runId,
        '--hunk',
        'b.txt:1',
        '--yes',
        '--on-conflict',
        'merge'
      ])
      expect([code, doc.state]).toEqual([0, 'done'])
      expect(project.read('b.txt')).toBe(ONLY_OTHERS)
      expect((await project.json<Doc>(['undo', '--yes'])).doc.state).toBe('done')
      expect((await project.json<Doc>(['undo-run', runId, '--hunk', 'b.txt:9', '--yes'])).code).toBe(5)
      expect((await project.json<Doc>(['undo-run', runId, '--hunk', 'b.txt', '--yes'])).code).toBe(2)
    })

    test('[RS-21] undo-run --lines undoes what changed in these lines; wrong ones are reported', async () => {
      const run = (lines: string) =>
        project.json<Doc>(['undo-run', runId, '--lines', lines, '--yes', '--on-conflict', 'merge'])
      const refused = await project.json<Doc>(['undo-run', runId, '--lines', 'b.txt:8-9', '--yes'])
      expect(refused.doc.refusal).toBe(
        'Nothing was written, because of the conflicts. Choose --on-conflict keep or merge.'
      )
      const { code, doc } = await run('b.txt:8-9')
      expect([code, doc.state]).toEqual([0, 'done'])
      expect(project.read('b.txt')).toBe(ONLY_OTHERS)
      expect((await project.json<Doc>(['undo', '--yes'])).doc.state).toBe('done')
      expect((await run('b.txt:5')).code).toBe(5)
      for (const wrong of ['b.txt', 'b.txt:0-2', 'b.txt:3-2']) expect((await run(wrong)).code).toBe(2)
    })
  })
})
