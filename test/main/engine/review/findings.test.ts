/** [RV-6] What a reviewer should look at first in a run is named, and a good run is left alone. */
import { chmodSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Finding } from '../../../../src/contract/findings.ts'
import { ownProcess } from '../../../../src/main/engine/ports/processes.ts'
import { recordedFolder } from '../../../support/recorded-folder.ts'
import { remove, writeFiles } from '../../../support/tree.ts'
import { BAD_RUNS, type Edited, GOOD_RUNS } from './findings-corpus.ts'

/** The findings of runs that edit these files, one after the other in a folder that holds nothing else. */
async function findingsOf(runs: readonly (readonly Edited[])[]): Promise<(readonly Finding[])[]> {
  const files = (side: 'before' | 'after', edits: readonly Edited[]) =>
    Object.fromEntries(edits.filter((edit) => edit[side] !== '').map((edit) => [edit.path, edit[side]]))
  const results: (readonly Finding[])[] = []
  await using folder = await recordedFolder()
  for (const edits of runs) {
    remove(folder.root, ...readdirSync(folder.root))
    writeFiles(folder.root, files('before', edits))
    await folder.check()
    const run = await folder.run('work', () => writeFiles(folder.root, files('after', edits)))
    results.push((await folder.engine.call('review.findings', { workspace: folder.workspace, run })).findings)
  }
  return results
}

test('[RV-6] in 50 runs with a defect, it is always within the first three findings', async () => {
  expect(BAD_RUNS).toHaveLength(50)
  const noise = GOOD_RUNS.filter(({ path }) => path === 'README.md' || path === 'src/cart.ts').slice(0, 20)
  const runs = BAD_RUNS.map((bad, i) =>
    [bad, noise[i % noise.length]!].filter(({ path }, n) => n === 0 || path !== bad.path)
  )
  const found = await findingsOf(runs)
  const missed = BAD_RUNS.filter(({ kind }, i) => !found[i]!.slice(0, 3).some((finding) => finding.kind === kind))
  expect(missed.map(({ kind, path }) => `${kind} in ${path}`)).toEqual([])
}, 120_000)

test('[RV-6] 200 edits without a defect have no finding', async () => {
  expect(GOOD_RUNS).toHaveLength(200)
  // All of one file in one folder would be one run: so each change is a run of eight files.
  const byChange = [...Map.groupBy(GOOD_RUNS, (_, i) => i % 25).values()]
  const found = (await findingsOf(byChange)).flat()
  expect(found).toEqual([])
}, 120_000)

describe('[RV-6] a finding', () => {
  test('names the line in the version it is about, and never shows a secret', async () => {
    await using folder = await recordedFolder({
      files: { 'a.test.ts': "one()\ntest('x', () => {\n  expect(1).toBe(1)\n})\n" }
    })
    const token = ['ghp_', 'abcdefghijklmnopqrstuvwxyz0123456789'].join('')
    const run = await folder.run('work', () =>
      writeFiles(folder.root, {
        'a.test.ts': "one()\ntest('x', () => {\n})\n",
        'b.ts': `first()\nconst t = '${token}'\n`
      })
    )
    const answer = await folder.engine.call('review.findings', { workspace: folder.workspace, run })
    const version: unknown = expect.stringMatching(/^[0-9a-f]{64}$/)
    expect(answer).toEqual({
      run,
      more: 0,
      findings: [
        { kind: 'secret', path: 'b.ts', line: 2, side: 'after', text: '', count: 1, version },
        {
          kind: 'test-weakened',
          path: 'a.test.ts',
          line: 3,
          side: 'before',
          text: 'expect(1).toBe(1)',
          count: 1,
          version
        }
      ]
    })
  })

  test('is only about what this run wrote', async () => {
    await using folder = await recordedFolder({ files: { 'a.ts': 'one\n' } })
    writeFiles(folder.root, { 'a.ts': '// @ts-ignore\none\n' })
    await folder.check()
    const run = await folder.run('work', () => writeFiles(folder.root, { 'a.ts': '// @ts-ignore\none\ntwo\n' }))
    const { findings } = await folder.engine.call('review.findings', { workspace: folder.workspace, run })
    expect(findings).toEqual([])
  })

  test('of a deleted test file and of a mode that lets others write has no line', { tags: ['posix'] }, async () => {
    await using folder = await recordedFolder({ files: { 'a.test.ts': 'x\n', 'run.sh': 'x\n' } })
    const run = await folder.run('work', () => {
      rmSync(join(folder.root, 'a.test.ts'))
      chmodSync(join(folder.root, 'run.sh'), 0o666)
    })
    const { findings } = await folder.engine.call('review.findings', { workspace: folder.workspace, run })
    expect(findings).toMatchObject([
      { kind: 'test-deleted', path: 'a.test.ts', line: null },
      { kind: 'permission', path: 'run.sh', line: null }
    ])
  })

  test('of a live run is there once it is written, and gone once it is corrected', async () => {
    await using folder = await recordedFolder({ files: { 'a.ts': 'one\n', 'b.ts': 'one\n' } })
    const { engine, workspace } = folder
    const kinds: string[][] = []
    const look = async (files: Readonly<Record<string, string>>): Promise<void> => {
      writeFiles(folder.root, files)
      await engine.call('workspace.status', { workspace, check: true })
      const { findings } = await engine.call('review.findings', { workspace, run: 'latest' })
      kinds.push(findings.map(({ kind, path, line }) => `${kind} ${path}:${line}`))
    }
    const { pid, start } = ownProcess()
    const { run } = await engine.call('run.begin', { workspace, title: 'work', agent: 'test', pid, pidStart: start })
    await look({ 'a.ts': '// @ts-ignore\none\n' })
    await look({ 'b.ts': 'one\ntwo // @ts-ignore\n' })
    await look({ 'a.ts': 'one\nmore\n' })
    await look({ 'b.ts': '\none\ntwo // @ts-ignore\n' })
    await engine.call('run.end', { workspace, run, exitCode: 0 })
    expect(kinds).toEqual([
      ['check-disabled a.ts:1'],
      ['check-disabled a.ts:1', 'check-disabled b.ts:2'],
      ['check-disabled b.ts:2'],
      ['check-disabled b.ts:3']
    ])
  })

  test('of a kind that is switched off in the settings is not listed', async () => {
    await using folder = await recordedFolder({ files: { 'a.ts': 'one\n' } })
    const run = await folder.run('work', () => writeFiles(folder.root, { 'a.ts': '// @ts-ignore\none\n' }))
    await folder.engine.call('settings.set', { key: 'review.findings-off', value: 'ci\ncheck-disabled' })
    const { findings } = await folder.engine.call('review.findings', { workspace: folder.workspace, run })
    expect(findings).toEqual([])
  })
})
