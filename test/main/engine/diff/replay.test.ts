/** [RP-1] The edits of a run, or between two positions, in order and in pages. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { ReplayPage } from '../../../../src/contract/replay.ts'
import { createHookedAgent } from '../../../support/hooked-agent.ts'
import { type RecordedFolder, recordedFolder } from '../../../support/recorded-folder.ts'
import { writeFiles } from '../../../support/tree.ts'

const replay = (
  { engine, workspace }: RecordedFolder,
  target: string,
  more: { to?: string; after?: number; limit?: number } = {}
) => engine.call('replay.edits', { workspace, target, limit: 100, ...more })

const brief = ({ paths, calls, edits }: ReplayPage) =>
  edits.map(([, path, , change, by, call]) => [paths[path], change, by, calls[call]?.name ?? null])

test('[RP-1] a run has its edits with their calls, the edits of others, its prompts and its tests', async () => {
  await using folder = await recordedFolder({ files: { a: '1\n', b: '1\n' } })
  const agent = createHookedAgent(folder, 's')
  const edit = (file_path: string, files: Record<string, string>) =>
    agent.call('Write', { file_path: join(folder.root, file_path) }, () => writeFiles(folder.root, files))
  await edit('a', { a: '2\n' })
  const run = await agent.ensureRun()
  writeFiles(folder.root, { b: 'by a person\n' })
  await folder.check()
  await edit('sub/c', { 'sub/c': 'new\n' })
  await agent.call('Bash', { command: 'rm a' }, () => rmSync(join(folder.root, 'a')))
  const test = { tool_name: 'Bash', tool_input: { command: 'npm test' }, tool_use_id: 't' }
  await agent.sendEvent('PreToolUse', test)
  await agent.sendEvent('PostToolUse', { ...test, tool_response: { stdout: 'ok', interrupted: false } })
  await agent.stop()
  const page = await replay(folder, run)
  expect(brief(page)).toEqual([
    ['a', 'modified', 'own', 'Write'],
    ['b', 'modified', 'outside', null],
    ['sub/c', 'added', 'own', 'Write'],
    ['a', 'deleted', 'own', 'Bash']
  ])
  expect(page).toMatchObject({ fromSeq: 0, more: false, prompts: [{ seq: 0, text: 's 1' }] })
  expect(page.tests).toMatchObject([{ command: 'npm test', result: 'passed', seq: page.toSeq }])
  expect(page.messages.map(([seq]) => seq)).toEqual([1])
  // The content of any moment is one request.
  const between = { workspace: folder.workspace, target: `seq:${page.fromSeq}`, path: 'a' }
  expect(await folder.engine.call('diff.file', { ...between, to: `seq:${page.edits[2]![0]}` })).toMatchObject({
    beforeText: '1\n',
    afterText: '2\n'
  })
})

test('[RP-1] a file at a moment is one request: what differs from the start, and what the edit changed', async () => {
  await using folder = await recordedFolder({ files: { a: '1\n2\n3\n', crlf: 'x\n' } })
  await folder.run('edit', () => writeFiles(folder.root, { a: '1\nTWO\n3\n', crlf: 'x\r\n' }))
  const run = await folder.run('edit again', () => writeFiles(folder.root, { a: '1\nTWO\n3\n4\n', new: 'n\n' }))
  const page = await replay(folder, `seq:0`, { to: `${run}:end` })
  const moment = (path: string, seq = page.toSeq) =>
    folder.engine.call('replay.file', { workspace: folder.workspace, path, from: page.fromSeq, seq })
  const last = page.edits.findLast(([, path]) => page.paths[path] === 'a')![0]
  expect(await moment('a', last)).toMatchObject({
    diff: { view: 'text', beforeText: '1\n2\n3\n', afterText: '1\nTWO\n3\n4\n' },
    blocks: [
      { oldFrom: 1, oldTo: 2, newFrom: 1, newTo: 2 },
      { oldFrom: 3, oldTo: 3, newFrom: 3, newTo: 4 }
    ],
    edited: [{ from: 3, to: 4 }]
  })
  expect(await moment('crlf')).toMatchObject({ blocks: null, edited: [] })
  expect(await moment('new')).toMatchObject({ diff: { change: 'added' } })
  expect(await moment('nowhere')).toMatchObject({ blocks: null })
})

test('[RP-1] pages follow each other without a gap, and two points in any order give the same edits', async () => {
  await using folder = await recordedFolder()
  const first = await folder.run('first', () => writeFiles(folder.root, { a: '1', b: '1', c: '1' }))
  await folder.run('second', () => writeFiles(folder.root, { a: '2', d: '2' }))
  const all = await replay(folder, `${first}:start`, { to: 'now' })
  expect(all.edits.map(([, , , change, by]) => `${change} ${by}`)).toEqual([
    ...['added run', 'added run', 'added run', 'modified run', 'added run']
  ])
  expect(all.prompts.map(({ text }) => text)).toEqual(['first', 'second'])
  const pages: ReplayPage[] = []
  do {
    const after = pages.at(-1)?.edits.at(-1)?.[0]
    pages.push(
      await replay(folder, `${first}:start`, { to: 'now', limit: 2, ...(after === undefined ? {} : { after }) })
    )
  } while (pages.at(-1)?.more)
  expect(pages.map(({ left }) => left)).toEqual([3, 1, 0])
  expect(pages.flatMap(brief)).toEqual(brief(all))
  expect(brief(await replay(folder, 'latest:end', { to: `${first}:start` }))).toEqual(brief(all))
  await expect(replay(folder, 'run_zz')).rejects.toMatchObject({ code: 'UnknownTarget' })
})
