/** Named events, read from a real history: while it is written, afterwards, and in pages of any size. */
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { NAMED_EVENTS, type NamedEvent, type NamedEventName } from '../../../../src/contract/events.ts'
import { runCrashChild } from '../../../support/crash-process.ts'
import { cutOffRestore } from '../../../support/crash-recorder.ts'
import { createHookedAgent } from '../../../support/hooked-agent.ts'
import { listEvents, readEvents } from '../../../support/named-events.ts'
import { type RecordedFolder, recordedFolder } from '../../../support/recorded-folder.ts'
import { readTree, writeFiles } from '../../../support/tree.ts'

/** Reads after every step, as a follower does. */
async function follow(folder: RecordedFolder) {
  let { next } = await listEvents(folder, {})
  const events: NamedEvent[] = []
  const step = async <T>(work: () => T | Promise<T>): Promise<T> => {
    const result = await work()
    for (let more = true; more; ) {
      const page = await listEvents(folder, { after: next }, 3)
      events.push(...page.events)
      ;({ next, more } = page)
    }
    return result
  }
  return { events, step }
}

const namesOf = (events: readonly NamedEvent[]): NamedEventName[] => events.map(({ event }) => event)
const changesOf = (events: readonly NamedEvent[]) =>
  events.flatMap((event) => ('path' in event ? [[event.event, event.path, event.change]] : []))

/** A run that deletes as many files as stop one. */
async function stopRun({ engine, root, run }: RecordedFolder): Promise<void> {
  await engine.call('settings.set', { key: 'brake.files', value: '10' })
  const ten = Array.from({ length: 10 }, (_, n) => `ten/${n}.ts`)
  await run('makes ten', () => writeFiles(root, Object.fromEntries(ten.map((path) => [path, path]))))
  await run('deletes ten', () => rmSync(join(root, 'ten'), { recursive: true }))
}

/** A history with every event but that of a stopped run, followed from its start; `more`: with that one. */
async function tellHistory(folder: RecordedFolder, more: '' | 'a stopped run' = '') {
  const { engine, workspace, root } = folder
  const { events, step } = await follow(folder)
  const agent = createHookedAgent(folder, 'one')
  await step(() => folder.checkpoint('first'))
  await step(async () => {
    writeFileSync(join(root, 'saved.txt'), 'by a person')
    await folder.check()
  })
  const run = await step(() => agent.ensureRun())
  const input = { file_path: join(root, 'a.ts') }
  await step(() => agent.call('Edit', input, () => writeFileSync(join(root, 'a.ts'), 'one\ntwo\nthree\n')))
  await step(() => agent.shell('printf made > made.txt; rm gone.txt; chmod 755 saved.txt'))
  await step(() => agent.stop())
  await step(() => folder.run('changes nothing', () => {}))
  await step(() => folder.run('all of it', () => writeFiles(root, { 'b.ts': 'b' })))
  await step(() => folder.apply({ kind: 'undo-run', run }))
  await step(() => folder.apply({ kind: 'undo' }))
  await step(() => folder.apply({ kind: 'restore', target: run, outside: 'replace' }))
  if (more === 'a stopped run') await step(() => stopRun(folder))
  await step(() => folder.checkpoint('last'))
  await engine.call('drift.list', { workspace, check: true })
  return { events, run }
}

const FILES = { 'a.ts': 'one\n', 'gone.txt': 'x', 'saved.txt': '0' }

test('[EV-1] a follower gets what a later reader gets, in pages of any size, and every event keeps to its schema', async () => {
  await using folder = await recordedFolder({ files: FILES })
  const { events } = await tellHistory(folder, 'a stopped run')
  for (const event of events) expect(NAMED_EVENTS[event.event].parse(event)).toEqual(event)
  for (const limit of [1, 2, 3, 7, 500]) expect(await readEvents(folder, { since: 0 }, limit)).toEqual(events)
  await folder.reopen()
  expect(await readEvents(folder, { since: 0 }, 500)).toEqual(events)
  expect(new Set(namesOf(events))).toEqual(new Set(Object.keys(NAMED_EVENTS)))
})

test('[EV-1] whoever has the events up to a position continues there and misses none', async () => {
  await using folder = await recordedFolder({ files: FILES })
  const { events } = await tellHistory(folder)
  const last = folder.store((store) => store.records.lastSeq())
  for (let since = 0; since <= last; since++) {
    const isChange = (event: NamedEvent): boolean => 'path' in event
    const expected = events.filter((event) => event.seq > since || (event.seq === since && !isChange(event)))
    expect(await readEvents(folder, { since }, 2), `since ${since}`).toEqual(expected)
  }
})

test('[EV-1] a tool’s named paths, a command’s effects and outside changes are told apart, with what was changed', async () => {
  await using folder = await recordedFolder({ files: FILES })
  const { events, run } = await tellHistory(folder)
  expect(changesOf(events)).toEqual([
    ['drift.found', 'saved.txt', 'modified'],
    ['tool.diff', 'a.ts', 'modified'],
    ['shell.side-effect', 'gone.txt', 'deleted'],
    ['shell.side-effect', 'made.txt', 'added'],
    ['shell.side-effect', 'saved.txt', 'mode'],
    ['shell.side-effect', 'b.ts', 'added']
  ])
  expect(events.find(({ event }) => event === 'tool.diff')).toMatchObject({ run, tool: 'Edit', added: 2, deleted: 0 })
  const checkpoint = expect.stringMatching(/^cp_/)
  expect(events.filter(({ event }) => event === 'run.diff-summary')).toMatchObject([
    { run, files: 4, added: 3, deleted: 1, from: checkpoint, to: checkpoint },
    { title: 'changes nothing', files: 0, from: checkpoint, to: '' },
    { title: 'all of it', files: 1, added: 1, from: checkpoint, to: checkpoint }
  ])
  expect(events.filter(({ event }) => event === 'checkpoint.warning')).toMatchObject([{ run, code: 'drifted' }])
  expect(events.filter(({ event }) => event === 'restore.finished')).toMatchObject([
    { act: 'undo-run', state: 'done', target: run },
    { act: 'undo', state: 'done' },
    { act: 'restore', state: 'done', target: run }
  ])
  const start = events.find(({ event, ...rest }) => event === 'checkpoint.created' && 'run' in rest && rest.run === run)
  expect(events.filter(({ event }) => event === 'checkpoint.restored')).toMatchObject([
    { target: run, checkpoint: start && 'checkpoint' in start ? start.checkpoint : '' }
  ])
  expect(Object.keys(readTree(folder.root))).toContain('a.ts')
})

test.each(['finish', 'undo'] as const)(
  '[EV-1] a restore that was killed or cut off has its event when it is recovered (%s), for a follower and a later reader',
  async (how) => {
    await using folder = await recordedFolder({ files: FILES })
    const { events, step } = await follow(folder)
    const run = await step(() => folder.run('both', () => writeFiles(folder.root, { 'a.ts': '1', 'b.ts': '1' })))
    const request = { kind: 'undo-run', run } as const
    await step(async () => {
      if (how === 'finish') await runCrashChild(folder, { do: 'restore', request, at: 'placed:1' })
      else await cutOffRestore(folder, request, 'placed:1')
    })
    await step(() => folder.checkpoint('between'))
    expect(namesOf(events)).not.toContain('restore.finished')
    await step(() => folder.apply({ kind: 'recover', how }))
    const finished = events.filter(({ event }) => event === 'restore.finished')
    expect(finished).toMatchObject([{ act: 'undo-run', target: run }, { act: 'recover' }])
    const lines = (list: readonly NamedEvent[]): string[] => list.map((event) => JSON.stringify(event)).sort()
    expect(lines(await readEvents(folder, { since: 0 }, 2))).toEqual(lines(events))
  }
)

test('[EV-1] changes of one position are not lost when the clock goes back', async () => {
  await using folder = await recordedFolder({ files: FILES })
  const { events, step } = await follow(folder)
  await step(() => folder.checkpoint('one'))
  await step(() => folder.run('two', () => {}))
  folder.store((store) =>
    store.db.exec('UPDATE checkpoint SET at = at - 60000 WHERE n > 1; UPDATE run SET ended_at = ended_at - 90000')
  )
  await step(() => folder.checkpoint('three'))
  const later = await readEvents(folder, { since: 0 }, 1)
  const idOf = (event: NamedEvent): string =>
    'checkpoint' in event ? `${event.checkpoint}` : 'run' in event ? `${event.run}` : ''
  expect(later.map(idOf).sort()).toEqual(events.map(idOf).sort())
})

test('a position beyond the end of the log is refused', async () => {
  await using folder = await recordedFolder({ files: FILES })
  await expect(listEvents(folder, { since: 7 })).rejects.toMatchObject({ code: 'UnknownTarget' })
  const after = { edit: 7, checkpoint: 0, open: [] }
  await expect(listEvents(folder, { after })).rejects.toMatchObject({ code: 'UnknownTarget' })
  rmSync(join(folder.root, 'gone.txt'))
})
