/** Whose a change is during `driftline run`: with an agent inside that reports, and without. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { EntryDetail, RunEntry } from '../../../../src/contract/timeline.ts'
import { ownProcess } from '../../../../src/main/engine/ports/processes.ts'
import { toHookEvent } from '../../../support/agent-replay.ts'
import { type RecordedFolder, recordedFolder } from '../../../support/recorded-folder.ts'
import { writeFiles } from '../../../support/tree.ts'

async function begin({ engine, workspace }: RecordedFolder): Promise<string> {
  const { pid, start } = ownProcess()
  return (await engine.call('run.begin', { workspace, title: 'agent', agent: 'command', pid, pidStart: start })).run
}

const end = ({ engine, workspace }: RecordedFolder, run: string) =>
  engine.call('run.end', { workspace, run, exitCode: 0 })

/** Sends events of one session inside a run. */
function agentIn(folder: RecordedFolder, run: string, session = 'one') {
  let calls = 0
  const send = async (event: string, more: Record<string, unknown> = {}): Promise<void> => {
    const input = { session_id: session, cwd: folder.root, ...more }
    await folder.engine.callUntyped('agent.event', toHookEvent('claude-code', { event, input }, { run }))
  }
  return {
    send,
    shell: async (files: Record<string, string>): Promise<void> => {
      const call = { tool_name: 'Bash', tool_input: { command: 'make' }, tool_use_id: `${session}-${++calls}` }
      await send('PreToolUse', call)
      writeFiles(folder.root, files)
      await send('PostToolUse', call)
    }
  }
}

async function changesOf(folder: RecordedFolder, run: string): Promise<string[]> {
  const { files } = await folder.engine.call('diff.files', { workspace: folder.workspace, target: run, scope: 'run' })
  return files.map(({ path }) => path)
}

const show = ({ engine, workspace }: RecordedFolder, target: string): Promise<EntryDetail> =>
  engine.call('entry.show', { workspace, target })

const text = ({ root }: RecordedFolder, path: string): string => readFileSync(join(root, path), 'utf8')

/** A person saves this, and the folder is compared at that time. */
async function save(folder: RecordedFolder, files: Record<string, string>): Promise<void> {
  writeFiles(folder.root, files)
  await folder.check()
}

test('[RN-2] without hooks every change in the time of the run is its own, and the run and its undo say so', async () => {
  await using folder = await recordedFolder({ files: { a: '0', saved: '0' } })
  const run = await begin(folder)
  writeFiles(folder.root, { a: '1' })
  await save(folder, { saved: 'by a person' })
  const ended = await end(folder, run)
  expect(ended).toMatchObject({ attributed: 'all-changes', notes: [{ code: 'all-changes' }] })
  const { entry, warnings } = await show(folder, run)
  expect((entry as RunEntry).attributed).toBe('all-changes')
  expect(warnings).toEqual([{ code: 'all-changes' }])
  const plan = await folder.plan({ kind: 'undo-run', run })
  expect(plan.warnings).toEqual([{ code: 'all-changes' }])
  expect(plan.items.map(({ path }) => path)).toEqual(['a', 'saved'])
  await folder.apply({ kind: 'undo-run', run })
  expect([text(folder, 'a'), text(folder, 'saved')]).toEqual(['0', '0'])
})

test('[RN-2] while an agent that reports works in it, only its tool calls count; a file saved meanwhile survives the undo', async () => {
  await using folder = await recordedFolder({ files: { a: '0', both: '0', saved: '0' } })
  const run = await begin(folder)
  const agent = agentIn(folder, run)
  await agent.send('SessionStart', { source: 'startup' })
  await save(folder, { saved: 'before the prompt' })
  await agent.send('UserPromptSubmit', { prompt: 'do it', prompt_id: 'p1' })
  await save(folder, { saved: 'after the prompt' })
  await agent.shell({ a: '1', both: '1' })
  await save(folder, { both: 'by a person' })
  await agent.send('Stop', { background_tasks: [] })
  await save(folder, { saved: 'after the stop' })
  const ended = await end(folder, run)
  expect(ended).toMatchObject({ attributed: 'tool-calls', notes: [] })
  expect(await changesOf(folder, run)).toEqual(['a', 'both'])
  expect((await show(folder, run)).warnings).toEqual([])
  const plan = await folder.plan({ kind: 'undo-run', run })
  expect(plan.warnings).toEqual([])
  expect(plan.conflicts).toMatchObject([{ path: 'both', cause: 'others-after-run', by: [{ who: 'outside' }] }])
  await folder.apply({ kind: 'undo-run', run, onConflict: 'keep' })
  expect([text(folder, 'a'), text(folder, 'both'), text(folder, 'saved')]).toEqual([
    '0',
    'by a person',
    'after the stop'
  ])
})

test('[RN-2] what the command changes before its agent reports and after its session is its own, and named', async () => {
  await using folder = await recordedFolder({ files: { before: '0', saved: '0', after: '0' } })
  const run = await begin(folder)
  const agent = agentIn(folder, run)
  writeFiles(folder.root, { before: '1' })
  await agent.send('SessionStart', { source: 'startup' })
  await agent.send('UserPromptSubmit', { prompt: 'do it', prompt_id: 'p1' })
  await agent.shell({ made: '1' })
  writeFiles(folder.root, { saved: 'by a person' })
  await agent.send('SessionEnd', { reason: 'exit' })
  writeFiles(folder.root, { after: '1' })
  const ended = await end(folder, run)
  const named = { code: 'no-call', paths: ['after', 'before'], count: 2 }
  expect(ended).toMatchObject({ attributed: 'tool-calls', notes: [named] })
  expect(await changesOf(folder, run)).toEqual(['after', 'before', 'made'])
  expect((await folder.plan({ kind: 'undo-run', run })).warnings).toEqual([named])
  expect((await folder.plan({ kind: 'undo-run', run, paths: ['made'] })).warnings).toEqual([])
  await folder.apply({ kind: 'undo-run', run })
  expect(folder.tree()).toMatchObject({ saved: expect.anything() })
  expect([text(folder, 'before'), text(folder, 'saved'), text(folder, 'after')]).toEqual(['0', 'by a person', '0'])
})

test('[RN-2] of two agents in one run, the end of one session leaves the other at work', async () => {
  await using folder = await recordedFolder({ files: { saved: '0' } })
  const run = await begin(folder)
  const [one, two] = [agentIn(folder, run, 'one'), agentIn(folder, run, 'two')]
  await one.send('UserPromptSubmit', { prompt: 'first', prompt_id: 'p1' })
  await two.send('UserPromptSubmit', { prompt: 'second', prompt_id: 'p2' })
  await two.send('SessionEnd', { reason: 'exit' })
  await save(folder, { saved: 'by a person' })
  await one.send('SessionEnd', { reason: 'exit' })
  await end(folder, run)
  expect(await changesOf(folder, run)).toEqual([])
  expect(text(folder, 'saved')).toBe('by a person')
})

test('[RN-2] an agent that reports nothing but uses the file tools does not join: its own commands count', async () => {
  await using folder = await recordedFolder({ files: { a: '0' } })
  const run = await begin(folder)
  const client = { name: 'chat', session: 'mcp-1', process: ownProcess() }
  await folder.engine.call('tools.use', {
    workspace: folder.workspace,
    client,
    use: { tool: 'write_file', path: 'b', content: '1' },
    run
  })
  await save(folder, { a: '1' })
  expect(await end(folder, run)).toMatchObject({ attributed: 'all-changes' })
  expect(await changesOf(folder, run)).toEqual(['a', 'b'])
})
