/** [RS-22] Restores that a person wants while an agent works: applied when its turn ends, or held for the person. */
import { expect, test } from 'vitest'
import type { EngineEvents } from '../../../../src/contract/api.ts'
import type { QueuedRestore, RestoreRequest } from '../../../../src/contract/restore.ts'
import { systemClock } from '../../../../src/main/engine/ports/clock.ts'
import { applyQueuedRestores, queueRestore } from '../../../../src/main/engine/restore/queue.ts'
import { queuedRestores } from '../../../../src/main/engine/store/queued-restores.ts'
import { listSessions } from '../../../../src/main/engine/store/sessions.ts'
import { openRecorder } from '../../../support/crash-recorder.ts'
import { createHookedAgent, type HookedAgent } from '../../../support/hooked-agent.ts'
import { type RecordedFolder, recordedFolder } from '../../../support/recorded-folder.ts'
import { fileOf, writeFiles } from '../../../support/tree.ts'

const FILES = { 'a.ts': 'one\ntwo\nthree\n', 'b.ts': 'b\n' }

/** A folder in which an agent has finished a run that changed both files. */
async function folderWithRun() {
  const folder = await recordedFolder({ files: FILES })
  const agent = createHookedAgent(folder, 'one')
  const run = await agent.ensureRun()
  await write(folder, agent, { 'a.ts': 'one\nTWO\nthree\n', 'b.ts': 'B\n' })
  await agent.stop()
  return { folder, agent, run }
}

const write = (folder: RecordedFolder, agent: HookedAgent, files: Readonly<Record<string, string>>): Promise<void> =>
  agent.call('Bash', { command: 'make' }, () => writeFiles(folder.root, files))

async function queue(folder: RecordedFolder, request: RestoreRequest): Promise<QueuedRestore> {
  const { engine, workspace } = folder
  const { plan } = await folder.plan(request)
  return (await engine.call('restore.queue', { workspace, request, plan })).queued
}

const waiting = async ({ engine, workspace }: RecordedFolder) =>
  (await engine.call('workspace.status', { workspace, check: true })).queuedRestores

/** Does something after which a queued restore ends, and waits for that. */
async function ended({ engine }: RecordedFolder, act: () => Promise<unknown>) {
  const { promise, resolve } = Promise.withResolvers<EngineEvents['restore.queue-ended']>()
  const stop = engine.on('restore.queue-ended', resolve)
  await act()
  const event = await promise
  stop()
  return event
}

test('[RS-22] an undo that is queued writes nothing until the turn ends, then exactly that, and can be undone', async () => {
  const { folder, agent, run } = await folderWithRun()
  await using _ = folder
  await agent.ensureRun()
  const during = folder.tree()
  const queued = await queue(folder, { kind: 'undo-run', run, paths: ['a.ts'] })
  expect(await waiting(folder)).toEqual([queued])
  expect(folder.tree()).toEqual(during)
  expect(await ended(folder, agent.stop)).toMatchObject({ state: 'done', files: 1, queued: { id: queued.id } })
  expect(folder.tree()).toEqual({ ...during, 'a.ts': fileOf(FILES['a.ts']) })
  expect(await waiting(folder)).toEqual([])
  await folder.apply({ kind: 'undo' })
  expect(folder.tree()).toEqual(during)
})

test('[RS-22] what the turn changed meanwhile is part of the plan, and the next prompt reports the decision', async () => {
  const { folder, agent, run } = await folderWithRun()
  await using _ = folder
  await folder.engine.call('settings.set', { key: 'review.claude-code', value: 'on' })
  await agent.ensureRun()
  await queue(folder, { kind: 'restore', target: `${run}:start` })
  await write(folder, agent, { 'c.ts': 'new\n' })
  expect(await ended(folder, agent.stop)).toMatchObject({ state: 'done' })
  expect(folder.tree()).toEqual({ 'a.ts': fileOf(FILES['a.ts']), 'b.ts': fileOf(FILES['b.ts']) })
  const { decisions } = await folder.engine.call('review.get', {
    workspace: folder.workspace,
    session: sessionOf(folder)
  })
  expect(decisions.map(({ kind, path }) => [kind, path])).toEqual([
    ['restored', 'a.ts'],
    ['restored', 'b.ts'],
    ['restored', 'c.ts']
  ])
})

test('[RS-22] a new conflict is not decided by itself: nothing is written, and the restore is held for the person', async () => {
  const { folder, agent, run } = await folderWithRun()
  await using _ = folder
  await agent.ensureRun()
  const { id } = await queue(folder, { kind: 'undo-run', run })
  await write(folder, agent, { 'a.ts': 'one\nTWO, again\nthree\n' })
  const before = folder.tree()
  const held = { code: 'conflicts', paths: ['a.ts'], count: 1 }
  expect(await ended(folder, agent.stop)).toMatchObject({ state: 'held', files: 0 })
  expect(await waiting(folder)).toMatchObject([{ id, held }])
  expect(folder.tree()).toEqual(before)
  // Held, it is not tried again by itself.
  await agent.ensureRun()
  await agent.stop()
  expect(await waiting(folder)).toMatchObject([{ id, held }])
  // The person decides.
  await folder.apply({ kind: 'undo-run', run }, { 'a.ts': 'keep' })
  expect(folder.tree()).toEqual({ ...before, 'b.ts': fileOf(FILES['b.ts']) })
  expect(await waiting(folder)).toEqual([])
})

test('[RS-22] it survives a restart of the recorder, and waits for all agents', async () => {
  const { folder, agent, run } = await folderWithRun()
  await using _ = folder
  const other = createHookedAgent(folder, 'two')
  await agent.ensureRun()
  await other.ensureRun()
  const queued = await queue(folder, { kind: 'undo-run', run })
  await folder.reopen()
  expect(await waiting(folder)).toEqual([queued])
  await agent.stop()
  expect(await waiting(folder)).toEqual([queued])
  expect(await ended(folder, other.stop)).toMatchObject({ state: 'done', files: 2 })
  expect(folder.tree()).toEqual({ 'a.ts': fileOf(FILES['a.ts']), 'b.ts': fileOf(FILES['b.ts']) })
})

test('[RS-22] an undo of the last restore is held when it would now undo another one', async () => {
  const { folder, agent, run } = await folderWithRun()
  await using _ = folder
  await folder.apply({ kind: 'undo-run', run, paths: ['a.ts'] })
  await agent.ensureRun()
  await queue(folder, { kind: 'undo' })
  const request = { kind: 'undo-run', run, paths: ['b.ts'] } as const
  await folder.engine.call('restore.apply', { workspace: folder.workspace, request, whileLive: true })
  const before = folder.tree()
  expect(await ended(folder, agent.stop)).toMatchObject({ state: 'held' })
  expect(await waiting(folder)).toMatchObject([{ held: { code: 'other-target' } }])
  expect(folder.tree()).toEqual(before)
})

test('[RS-22] without a live run it is applied at once; cancelled, never', async () => {
  const { folder, agent, run } = await folderWithRun()
  await using _ = folder
  expect(await ended(folder, () => queue(folder, { kind: 'undo-run', run, paths: ['b.ts'] }))).toMatchObject({
    state: 'done'
  })
  await agent.ensureRun()
  const { id } = await queue(folder, { kind: 'undo-run', run })
  await folder.engine.call('restore.unqueue', { workspace: folder.workspace, queued: id })
  const before = folder.tree()
  await agent.stop()
  expect(await waiting(folder)).toEqual([])
  expect(folder.tree()).toEqual(before)
  await expect(
    folder.engine.call('restore.unqueue', { workspace: folder.workspace, queued: id })
  ).rejects.toMatchObject({ code: 'UnknownTarget' })
})

test('[RS-22] cancelled while it is planned, it is not applied', async () => {
  const { folder, run } = await folderWithRun()
  await using _ = folder
  const before = folder.tree()
  const { id } = await queue(folder, { kind: 'undo-run', run })
  await folder.engine.call('restore.unqueue', { workspace: folder.workspace, queued: id })
  // Closing waits for what is being applied.
  await folder.reopen()
  expect(folder.tree()).toEqual(before)
})

test('[RS-22] one whose journal does not fit on the disk is held once', async () => {
  const names = Array.from({ length: 100 }, (_, n) => `${n}`.padEnd(200, '-'))
  const all = (content: string) => Object.fromEntries(names.map((name) => [name, content]))
  await using folder = await recordedFolder({ files: all('one') })
  const run = await folder.run('work', () => writeFiles(folder.root, all('two')))
  await folder.engine.close()
  await using open = openRecorder(folder.dataDir, folder.workspace, systemClock)
  const { recorder } = open
  const { store } = recorder
  const { id } = await queueRestore(recorder, { request: { kind: 'undo-run', run }, resolutions: {} })
  store.db.pragma(`max_page_count = ${(store.db.pragma('page_count', { simple: true }) as number) + 2}`)
  await applyQueuedRestores(recorder, { isClosed: () => false, progress: () => {}, onEnded: () => {} })
  expect(queuedRestores(store)).toMatchObject([{ id, held: { code: 'refused' } }])
})

function sessionOf(folder: RecordedFolder): string {
  return folder.store((store) => {
    const [session] = listSessions(store)
    if (!session) throw new Error('no session')
    return session.id
  })
}
