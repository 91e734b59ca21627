/** Deleting a conversation: its text is in no file of the history any more, and the edits of its runs stay. */
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { saveUnknownRecords } from '../../../../src/main/engine/agents/transcript.ts'
import { ownProcess } from '../../../../src/main/engine/ports/processes.ts'
import { DELETED_TITLE } from '../../../../src/main/engine/runs/delete-conversation.ts'
import { addMessage } from '../../../../src/main/engine/runs/session-rows.ts'
import { messagesOf } from '../../../../src/main/engine/store/messages.ts'
import { readMeta } from '../../../../src/main/engine/store/meta.ts'
import { updateSession } from '../../../../src/main/engine/store/sessions.ts'
import { transact } from '../../../../src/main/engine/store/sql.ts'
import { storeFile } from '../../../../src/main/engine/workspaces/store-file.ts'
import { PROJECT, recordedEvents, replay, toHookEvent } from '../../../support/agent-replay.ts'
import { createManualClock } from '../../../support/manual-clock.ts'
import { type RecordedFolder, recordedFolder } from '../../../support/recorded-folder.ts'
import { LONG } from '../../../support/scale.ts'
import { readTree } from '../../../support/tree.ts'

const ROWS = LONG ? 400 : 150

/** A word that is in every text of the conversation and nowhere else. */
const SECRET = 'xylophone-quartz'

function bytesOnDisk(folder: RecordedFolder): Buffer {
  const file = storeFile(folder.dataDir, folder.workspace)
  const parts = ['', '-wal'].map((suffix) => file + suffix)
  return Buffer.concat(
    parts.filter((part) => statSync(part, { throwIfNoEntry: false })).map((part) => readFileSync(part))
  )
}

async function recordConversation(folder: RecordedFolder): Promise<string> {
  const lines = recordedEvents('claude', folder.root).map((line) => ({
    ...line,
    input: JSON.parse(
      JSON.stringify(line.input)
        .replaceAll('[[script:basic]] do it', `do it with ${SECRET}`)
        .replaceAll('"stdout":""', `"stdout":"${SECRET} printed"`)
    ) as Record<string, unknown>
  }))
  await replay(folder, 'claude-code', lines)
  const { sessions } = await folder.engine.call('sessions.list', { workspace: folder.workspace })
  const id = sessions[0]?.id as string
  folder.store((store) => {
    // Many rows, overwritten repeatedly: overwritten text must be erased, too.
    for (let i = 0; i < ROWS; i++)
      transact(store, (tx) => {
        const message = {
          turn: null,
          role: 'assistant',
          text: `${SECRET} ${i} ${'words '.repeat(i * 3)}`,
          at: i
        } as const
        addMessage(tx, id, { ...message, source: `made-${i}` })
        saveUnknownRecords(tx, id, [{ at: i, text: `${SECRET} record ${'y'.repeat(i * 20)}` }])
        updateSession(tx, id, {
          plan: `${SECRET} plan ${'step '.repeat((i * 37) % 900)}`,
          todos: JSON.stringify([{ text: `${SECRET} todo ${'x'.repeat((i * 13) % 500)}`, status: 'pending' }])
        })
      })
  })
  await folder.checkpoint('named by hand')
  const { workspace } = folder
  await folder.engine.call('comments.add', { workspace, target: 'latest', text: 'A comment, which stays.' })
  await folder.engine.call('review.send', { workspace, session: id, route: 'copy', message: `${SECRET} in a review` })
  return id
}

test('no text of a deleted conversation is left in the files; its runs stay without a title and can be undone', async () => {
  await using folder = await recordedFolder({ files: PROJECT })
  const { workspace } = folder
  const id = await recordConversation(folder)
  const run = folder.store((store) => store.db.prepare('SELECT id FROM run').pluck().get() as string)
  await folder.apply({ kind: 'restore', target: `${run}:start`, outside: 'replace' })
  await folder.apply({ kind: 'undo' })
  expect(bytesOnDisk(folder).includes(SECRET)).toBe(true)
  expect(bytesOnDisk(folder).includes(`${SECRET} printed`)).toBe(true)
  const files = readFileSync(join(folder.root, 'app.txt'), 'utf8')

  const done = await folder.engine.call('sessions.delete', { workspace, session: id })
  expect(done.runs).toBe(1)
  expect(done.messages).toBeGreaterThan(ROWS)
  expect(bytesOnDisk(folder).includes(SECRET), 'in store.db or its log').toBe(false)

  expect((await folder.engine.call('sessions.list', { workspace })).sessions).toEqual([])
  await expect(folder.engine.call('sessions.messages', { workspace, session: id })).rejects.toMatchObject({
    code: 'UnknownTarget'
  })
  const { entries } = await folder.engine.call('timeline.list', { workspace, limit: 50 })
  expect(JSON.stringify(entries)).not.toContain(SECRET)
  expect(entries.find((entry) => entry.kind === 'run')?.title).toBe(DELETED_TITLE)
  expect((await folder.engine.call('doctor.run', { deep: true })).problems).toEqual([])
  expect(readFileSync(join(folder.root, 'app.txt'), 'utf8')).toBe(files)
  const back = await folder.apply({ kind: 'undo-run', run, onConflict: 'replace' })
  expect(back.state).toBe('done')
  expect(readFileSync(join(folder.root, 'app.txt'), 'utf8')).toBe(PROJECT['app.txt'])
})

const eventSender =
  (folder: RecordedFolder, run?: string) =>
  (session_id: string, event: string, more: Record<string, unknown> = {}): Promise<unknown> => {
    const input = { session_id, cwd: folder.root, hook_event_name: event, ...more }
    return folder.engine.callUntyped('agent.event', toHookEvent('claude-code', { event, input }, run ? { run } : {}))
  }

test('no text is left in free page space beside long messages of another conversation', async () => {
  await using folder = await recordedFolder({ files: PROJECT })
  const send = eventSender(folder)
  for (const session of ['goes', 'stays']) {
    await send(session, 'UserPromptSubmit', { prompt: 'go' })
    await send(session, 'Stop', { background_tasks: [] })
  }
  folder.store((store) => {
    for (let i = 0; i < 120; i++)
      for (const [session, word, length] of [
        ['goes', `${SECRET} `, (i * 7919) % 30_000],
        ['stays', 'something else ', (i * 23_757) % 30_000]
      ] as const)
        transact(store, (tx) =>
          addMessage(tx, session, {
            turn: null,
            role: 'assistant',
            text: word.repeat(1 + length / word.length),
            at: i,
            source: `${i}`
          })
        )
  })
  await folder.engine.call('sessions.delete', { workspace: folder.workspace, session: 'goes' })
  expect(bytesOnDisk(folder).includes(SECRET)).toBe(false)
  const kept = folder.store((store) => [...messagesOf(store, 'stays')].map(({ text }) => text))
  expect(kept).toEqual([
    'go',
    ...Array.from({ length: 120 }, (_, i) => 'something else '.repeat(1 + ((i * 23_757) % 30_000) / 15).trim())
  ])
  expect((await folder.engine.call('doctor.run', { deep: true })).problems).toEqual([])
})

test('no text is left in the spool, which is read first; a run whose agent died is no obstacle', async () => {
  await using folder = await recordedFolder({ files: PROJECT, watch: true })
  const { workspace, dataDir } = folder
  const input = { session_id: 's', cwd: folder.root, hook_event_name: 'UserPromptSubmit', prompt: SECRET }
  const gone = { process: { pid: 4_000_000, start: 'x' } }
  const event = toHookEvent('claude-code', { event: 'UserPromptSubmit', input }, gone)
  await folder.engine.callUntyped('agent.event', event)
  // The hook had stopped waiting for the answer.
  const spool = join(dataDir, 'spool')
  mkdirSync(spool)
  writeFileSync(join(spool, '1.json'), JSON.stringify(event))
  expect((await folder.engine.call('sessions.delete', { workspace, session: 's' })).runs).toBe(1)
  expect([readdirSync(spool), bytesOnDisk(folder).includes(SECRET)]).toEqual([[], false])
  writeFileSync(join(spool, '2.json'), JSON.stringify({ ...event, id: 'later' }))
  await folder.engine.call('workspaces.remove', { workspace, deleteHistory: true })
  expect(readTree(join(dataDir, 'w'))).toEqual({ [`${workspace}.deleted`]: 'file 600 ' })
  expect(readdirSync(spool)).toEqual([])
})

test('while another process reads the history, the result says that bytes stay; the recorder erases them when it is idle', async () => {
  const clock = createManualClock()
  await using folder = await recordedFolder({ files: PROJECT, clock, watch: true })
  const id = await recordConversation(folder)
  clock.jump(120_000)
  const swept = () => folder.store((store) => readMeta(store, 'swept_at'))
  await expect.poll(swept, { timeout: 10_000 }).not.toBeNull()
  const reader = new Database(storeFile(folder.dataDir, folder.workspace), { readonly: true })
  reader.prepare('BEGIN').run()
  reader.prepare('SELECT count(*) FROM message').get()
  const done = await folder.engine.call('sessions.delete', { workspace: folder.workspace, session: id })
  expect(done.postponed).toBe(true)
  expect(bytesOnDisk(folder).includes(SECRET)).toBe(true)
  reader.close()
  clock.jump(120_000)
  await expect.poll(() => bytesOnDisk(folder).includes(SECRET), { timeout: 10_000 }).toBe(false)
})

test('two conversations in one `driftline run`: deleting one deletes only its own text', async () => {
  await using folder = await recordedFolder({ files: PROJECT })
  const { workspace } = folder
  const { pid, start } = ownProcess()
  const title = `sh -c "claude -p 'first words'; claude -p '${SECRET}'"`
  const { run } = await folder.engine.call('run.begin', { workspace, title, agent: 'sh', pid, pidStart: start })
  const send = eventSender(folder, run)
  for (const [session, prompt] of [
    ['one', 'first words'],
    ['two', SECRET]
  ] as const) {
    await send(session, 'UserPromptSubmit', { prompt })
    await send(session, 'Stop', { background_tasks: [], last_assistant_message: `${prompt} done` })
  }
  const remove = (session: string) => folder.engine.call('sessions.delete', { workspace, session })
  await expect(remove('two')).rejects.toMatchObject({ code: 'Refused' })
  await send('two', 'SessionEnd')
  await folder.engine.call('run.end', { workspace, run, exitCode: 0 })
  await remove('two')
  expect(bytesOnDisk(folder).includes(SECRET)).toBe(false)
  const { turns, messages } = {
    ...(await folder.engine.call('sessions.show', { workspace, session: 'one' })),
    ...(await folder.engine.call('sessions.messages', { workspace, session: 'one' }))
  }
  expect([turns.map((turn) => turn.prompt), messages.map((message) => message.text)]).toEqual([
    ['first words', ''],
    ['first words', 'first words done']
  ])
  await remove('one')
  expect(bytesOnDisk(folder).includes('first words')).toBe(false)
})

test('a live conversation is not deleted, and a resumed one is listed again with its new messages only', async () => {
  await using folder = await recordedFolder({ files: PROJECT })
  const { workspace } = folder
  const lines = recordedEvents('claude', folder.root)
  const stop = lines.findIndex((line) => line.event === 'Stop')
  await replay(folder, 'claude-code', lines.slice(0, stop))
  const { sessions } = await folder.engine.call('sessions.list', { workspace })
  const id = sessions[0]?.id as string
  const remove = () => folder.engine.call('sessions.delete', { workspace, session: id })
  await expect(remove()).rejects.toMatchObject({ code: 'Refused' })
  await replay(folder, 'claude-code', lines.slice(stop))
  await remove()
  await expect(remove()).rejects.toMatchObject({ code: 'UnknownTarget' })
  const prompt = lines.find((line) => line.event === 'UserPromptSubmit')
  const more = { event: 'UserPromptSubmit', input: { ...prompt?.input, prompt: 'something new', prompt_id: 'p2' } }
  await replay(folder, 'claude-code', [more])
  const answer = await folder.engine.call('sessions.messages', { workspace, session: id })
  expect(answer.messages.map((message) => message.text)).toEqual(['something new'])
  expect((await folder.engine.call('sessions.list', { workspace })).sessions.map((session) => session.title)).toEqual([
    'something new'
  ])
})

test('[UI-1] what is protected is still counted, also after a deletion that was refused', async () => {
  await using folder = await recordedFolder({ files: PROJECT })
  const { workspace, engine } = folder
  const id = await recordConversation(folder)
  const covered = () => engine.call('coverage.list', { workspace })
  const before = await covered()
  await expect(engine.call('sessions.delete', { workspace, session: 'unknown' })).rejects.toMatchObject({
    code: 'UnknownTarget'
  })
  expect(await covered()).toEqual(before)
  await engine.call('sessions.delete', { workspace, session: id })
  expect(await covered()).toEqual(before)
  writeFileSync(join(folder.root, 'new'), 'new')
  await folder.check()
  expect((await covered()).covered.files).toBe(before.covered.files + 1)
})
