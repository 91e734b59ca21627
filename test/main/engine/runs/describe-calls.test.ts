/** Tool calls and warnings as clients get them: the paths each call changed, side effects, ends of turns. */
import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type Line, PROJECT, recordedEvents, replay, toHookEvent } from '../../../support/agent-replay.ts'
import { type RecordedFolder, recordedFolder } from '../../../support/recorded-folder.ts'
import { createTranscriptAgent } from '../../../support/transcript-agent.ts'

async function newest(folder: RecordedFolder): Promise<string> {
  const { entries } = await folder.engine.call('timeline.list', {
    workspace: folder.workspace,
    limit: 1,
    kinds: ['run']
  })
  return entries[0]!.id
}

test('every call lists the paths it changed, declared or as a side effect', async () => {
  await using folder = await recordedFolder({ files: PROJECT })
  const changed: string[][] = []
  const off = folder.engine.on('workspace.changed', ({ kinds }) => changed.push([...kinds]))
  await replay(folder, 'claude-code', recordedEvents('claude', folder.root))
  off()
  const { calls, turns, warnings } = await folder.engine.call('entry.show', {
    workspace: folder.workspace,
    target: await newest(folder)
  })
  const changing = calls!.filter((call) => call.changedCount > 0)
  expect(changing.map((call) => [call.name, call.complete, call.changed])).toEqual([
    ['Write', true, [{ path: 'notes.txt', attribution: 'declared' }]],
    ['Edit', true, [{ path: 'app.txt', attribution: 'declared' }]],
    ['Bash', true, ['a.txt', 'b.txt', 'c.txt', 'sub/new.txt'].map((path) => ({ path, attribution: 'inferred' }))]
  ])
  expect(turns[0]?.endedAt).not.toBeNull()
  // The recorded events name a transcript that is not in this home folder.
  expect(warnings).toEqual([{ code: 'transcript-not-read' }])
  // A client that refetches on this one event misses nothing.
  expect(new Set(changed.flat())).toEqual(new Set(['edits', 'drift', 'runs', 'checkpoints', 'status', 'sessions']))
})

test('[UI-6] a file that a call renamed is one file of it, with both of its names', async () => {
  await using folder = await recordedFolder({ files: PROJECT })
  const agent = createTranscriptAgent(folder)
  await agent.say('Rename it', 'Done', () => renameSync(join(folder.root, 'a.txt'), join(folder.root, 'new.txt')))
  const { calls } = await agent.detail()
  expect(calls[0]).toMatchObject({ changedCount: 2, renames: 1 })
  expect(calls[0]?.changed.map(({ path }) => path)).toEqual(['a.txt', 'new.txt'])
})

test('a run has a warning for each content that cannot be restored', async () => {
  await using folder = await recordedFolder({ files: PROJECT })
  const file = join(folder.root, 'big.bin')
  const use = { tool_name: 'Write', tool_use_id: 'w', tool_input: { file_path: file } }
  const send = (event: string, more = {}): Promise<unknown> => {
    const line: Line = { event, input: { session_id: 's', cwd: folder.root, hook_event_name: event, ...more } }
    return folder.engine.callUntyped('agent.event', toHookEvent('claude-code', line))
  }
  await send('UserPromptSubmit', { prompt: 'go' })
  writeFileSync(file, Buffer.alloc(51 * 1024 * 1024))
  // The start of the call is never reported.
  await send('PostToolUse', use)
  const { warnings, calls } = await folder.engine.call('entry.show', {
    workspace: folder.workspace,
    target: await newest(folder)
  })
  expect(calls![0]).toMatchObject({ complete: false, changed: [{ path: 'big.bin', attribution: 'declared' }] })
  expect(warnings).toEqual([
    { code: 'missed-calls', count: 1 },
    { code: 'not-stored-after', paths: ['big.bin'], count: 1 }
  ])
})
