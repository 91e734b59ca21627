import { linkSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ownToolName } from '../../../../src/contract/tools.ts'
import { transact } from '../../../../src/main/engine/store/sql.ts'
import { openCall } from '../../../../src/main/engine/store/tool-calls.ts'
import { newDraftName, recordDraft } from '../../../../src/main/engine/tools/drafts.ts'
import { recordedFolder } from '../../../support/recorded-folder.ts'
import { toolUser } from '../../../support/tool-client.ts'

test('the run of a client ends after ten minutes without a change, and the next change opens another run', async () => {
  await using folder = await recordedFolder({ files: { 'a.txt': 'a\n' } })
  let now = Date.now()
  const clock = { now: () => now, setTimeout: () => () => {} }
  await folder.reopen({ clock })
  const user = toolUser(folder)
  const edit = (made: string) => user.use({ tool: 'write_file', path: 'a.txt', content: made })
  const first = await edit('b\n')
  now += 9 * 60_000
  expect((await edit('c\n')).run).toBe(first.run)
  now += 11 * 60_000
  await folder.check()
  const status = await folder.engine.call('workspace.status', { workspace: folder.workspace, check: true })
  expect([status.activeRuns, status.interruptedRuns]).toEqual([[], []])
  const second = await edit('d\n')
  expect(second.run).not.toBe(first.run)
  const { entries } = await folder.engine.call('timeline.list', {
    workspace: folder.workspace,
    limit: 9,
    kinds: ['run']
  })
  expect(entries).toMatchObject([
    { id: second.run, state: 'live' },
    { id: first.run, state: 'ended', files: 1 }
  ])
})

test('[GW-3] a change whose process was killed before recording it is still attributed to its run', async () => {
  await using folder = await recordedFolder({ files: { 'a.txt': 'one\n', 'b.txt': 'one\n' } })
  const user = toolUser(folder)
  const { run } = await user.use({ tool: 'edit_file', path: 'a.txt', old: 'one', new: 'two' })
  folder.store((store) => {
    const { turn } = store.db.prepare('SELECT turn FROM session WHERE id = ?').get(user.client.session) as {
      turn: string
    }
    transact(store, (tx) =>
      openCall(
        tx,
        {
          session: user.client.session,
          run: run!,
          turn,
          agentCall: null,
          subagent: null,
          name: 'edit_file',
          summary: 'b.txt',
          paths: ['b.txt'],
          writeScope: 'paths',
          complete: true
        },
        Date.now()
      )
    )
    store.db.prepare("UPDATE run SET pid = 999999999, pid_start = 'gone'").run()
  })
  writeFileSync(join(folder.root, 'b.txt'), 'two\n')
  await folder.reopen()
  const status = await folder.engine.call('workspace.status', { workspace: folder.workspace, check: true })
  expect(status.interruptedRuns).toMatchObject([{ run, files: 2 }])
  await folder.apply({ kind: 'undo-run', run: run! })
  expect(['a.txt', 'b.txt'].map((name) => readFileSync(join(folder.root, name), 'utf8'))).toEqual(['one\n', 'one\n'])
})

test('the answer names hard links, which keep the old content', async () => {
  await using folder = await recordedFolder({ files: { 'a.txt': 'one\n' } })
  linkSync(join(folder.root, 'a.txt'), join(folder.root, 'b.txt'))
  await folder.check()
  const answer = await toolUser(folder).use({ tool: 'edit_file', path: 'a.txt', old: 'one', new: 'two' })
  expect(answer).toMatchObject({ outcome: { code: 'edited' }, hardLinks: true })
  expect(readFileSync(join(folder.root, 'b.txt'), 'utf8')).toBe('one\n')
})

test('the file tools are recognised by the names that agents give them', () => {
  for (const name of [
    'mcp__driftline__edit_file',
    'mcp_driftline_edit_file',
    'driftline_edit_file',
    'driftline.edit_file'
  ])
    expect(ownToolName(name)).toBe('edit_file')
  for (const name of ['edit_file', 'mcp__files__edit_file', 'mcp__driftline__other', 'mydriftline_edit_file'])
    expect(ownToolName(name)).toBe(null)
})

test('the draft of a killed process is removed', async () => {
  await using folder = await recordedFolder({ files: { 'src/a.txt': 'one\n' } })
  const user = toolUser(folder)
  const { run } = await user.use({ tool: 'edit_file', path: 'src/a.txt', old: 'one', new: 'two' })
  const name = newDraftName()
  folder.store((store) => {
    transact(store, (tx) => recordDraft(tx, run!, name, ['src/b.txt']))
    store.db.prepare("UPDATE run SET pid = 999999999, pid_start = 'gone'").run()
  })
  writeFileSync(join(folder.root, 'src', name), 'half')
  await folder.engine.call('workspace.status', { workspace: folder.workspace, check: true })
  expect(Object.keys(folder.tree())).toEqual(['src', 'src/a.txt'])
})
