/** The position of a session is known at every moment, also after its agent or the recorder was killed. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { processStart } from '../../../../src/main/engine/ports/processes.ts'
import { type RecordedFolder, recordedFolder } from '../../../support/recorded-folder.ts'
import { createTranscriptAgent } from '../../../support/transcript-agent.ts'

const GONE = { process: { pid: 2 ** 22 - 3, start: '1' } }
const put = (folder: RecordedFolder, name: string) => (): void => writeFileSync(join(folder.root, name), `${name}\n`)
const statusOf = (folder: RecordedFolder) =>
  folder.engine.call('workspace.status', { workspace: folder.workspace, check: true })

describe('the position of a session', () => {
  test('follows the events: working, open call, done', async () => {
    await using folder = await recordedFolder()
    const agent = createTranscriptAgent(folder)
    const turn = await agent.begin('add tax')
    const working = await agent.detail()
    expect(working.session.position).toMatchObject({
      run: working.turns[0]!.run,
      turn,
      phase: 'execute',
      toolCall: working.calls[0]!.id,
      completion: '',
      revision: 1
    })
    const resume = { workspace: folder.workspace, session: agent.session, fork: false }
    expect((await folder.engine.call('sessions.resume', resume)).note).toBe('working')
    await agent.send('Stop', { last_assistant_message: 'done', background_tasks: [] })
    expect((await folder.engine.call('sessions.resume', resume)).note).toBeNull()
    const { session, revision } = await agent.detail()
    expect(session.position).toMatchObject({
      turn,
      phase: 'stopped',
      toolCall: null,
      completion: 'completed',
      revision
    })
  })

  test('[C8] an interrupt marks the turn as cancelled', async () => {
    await using folder = await recordedFolder()
    const agent = createTranscriptAgent(folder)
    await agent.begin('add tax')
    await agent.send('SessionEnd', { reason: 'exit' })
    expect((await agent.detail()).session.position).toMatchObject({ phase: 'stopped', completion: 'cancelled' })
  })

  test('has the phase plan in plan mode', async () => {
    await using folder = await recordedFolder()
    const agent = createTranscriptAgent(folder)
    await agent.send('UserPromptSubmit', { prompt: 'think', prompt_id: 'p', permission_mode: 'plan' })
    expect((await agent.detail()).session.position.phase).toBe('plan')
  })

  test('is restored with its conversation, and by undoing that restore', async () => {
    await using folder = await recordedFolder()
    const agent = createTranscriptAgent(folder)
    const first = await agent.say('one', 'done one')
    const second = await agent.say('two', 'done two', put(folder, 'two'))
    const before = (await agent.detail()).session.position
    await folder.apply({ kind: 'restore', target: second })
    expect((await agent.detail()).session.position).toMatchObject({ turn: first, completion: 'completed', revision: 2 })
    await folder.apply({ kind: 'undo' })
    expect((await agent.detail()).session.position).toEqual(before)
  })
})

describe('[GW-3] after the agent was killed', () => {
  test.each([false, true])(
    '[C7] status reports the interrupted run and how to resume it (recorder restarted: %s)',
    async (restarted) => {
      await using folder = await recordedFolder()
      const agent = createTranscriptAgent(folder, undefined, GONE)
      const turn = await agent.begin('add tax', put(folder, 'half.ts'))
      if (restarted) await folder.reopen()
      const status = await statusOf(folder)
      const { calls, turns, session } = await agent.detail()
      expect(status.interruptedRuns).toMatchObject([
        {
          run: turns[0]!.run,
          session: agent.session,
          agent: 'claude-code',
          turn,
          phase: 'execute',
          toolCall: calls[0]!.id,
          doing: 'Bash: work',
          files: 1,
          resume: { command: `claude --resume ${agent.session}`, cwd: folder.root }
        }
      ])
      expect(session.position).toMatchObject({ completion: 'interrupted', phase: 'execute' })
    }
  )

  test('of two conversations in one `driftline run` each keeps its position, and only the working one is reported as interrupted', async () => {
    await using folder = await recordedFolder()
    const { workspace } = folder
    const shell = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'])
    const pid = shell.pid!
    const pidStart = processStart(pid)
    const { run } = await folder.engine.call('run.begin', { workspace, title: 'sh', agent: 'sh', pid, pidStart })
    const one = createTranscriptAgent(folder, 'one', { run })
    const first = await one.say('first', 'did first', put(folder, 'one.ts'))
    const two = createTranscriptAgent(folder, 'two', { run })
    const second = await two.begin('second', put(folder, 'half.ts'))
    shell.kill('SIGKILL')
    await once(shell, 'exit')
    const { interruptedRuns } = await statusOf(folder)
    const open = (await two.detail()).calls.at(-1)!.id
    expect(interruptedRuns).toMatchObject([
      { run, session: 'two', turn: second, phase: 'execute', toolCall: open, doing: 'Bash: work' }
    ])
    const positions = [await one.detail(), await two.detail()].map(({ session }) => session.position)
    expect(positions).toMatchObject([
      { run, turn: first, phase: 'stopped', toolCall: null, completion: 'interrupted' },
      { run, turn: second, phase: 'execute', toolCall: open, completion: 'interrupted' }
    ])
  })

  test('it is not reported any more when the conversation is resumed, or the run undone', async () => {
    await using folder = await recordedFolder()
    const killed = createTranscriptAgent(folder, undefined, GONE)
    await killed.begin('add tax', put(folder, 'half.ts'))
    const [interrupted] = (await statusOf(folder)).interruptedRuns
    expect((await folder.apply({ kind: 'undo-run', run: interrupted!.run })).state).toBe('done')
    expect((await statusOf(folder)).interruptedRuns).toEqual([])
    await folder.apply({ kind: 'undo' })
    expect((await statusOf(folder)).interruptedRuns).toHaveLength(1)
    await createTranscriptAgent(folder, killed.session).say('go on', 'done')
    expect((await statusOf(folder)).interruptedRuns).toEqual([])
  })
})
