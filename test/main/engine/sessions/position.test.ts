/** Where a session stands is known at every moment, and after its agent or the host was killed. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { processStart } from '../../../../src/main/engine/ports/processes.ts'
import { type Recorded, recordedFolder } from '../../../support/recorded.ts'
import { talkingAgent } from '../../../support/talking-agent.ts'

const GONE = { process: { pid: 2 ** 22 - 3, start: '1' } }
const put = (folder: Recorded, name: string) => (): void => writeFileSync(join(folder.root, name), `${name}\n`)
const statusOf = (folder: Recorded) =>
  folder.engine.call('workspace.status', { workspace: folder.workspace, check: true })

describe('the position of a session', () => {
  test('follows its events: working, the open call, done', async () => {
    await using folder = await recordedFolder()
    const agent = talkingAgent(folder)
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
    expect((await folder.engine.call('sessions.resume', resume)).note).toBe('The agent is still working in this session.')
    await agent.tell('Stop', { last_assistant_message: 'done', background_tasks: [] })
    expect((await folder.engine.call('sessions.resume', resume)).note).toBe('')
    const { session, revision } = await agent.detail()
    expect(session.position).toMatchObject({
      turn,
      phase: 'stopped',
      toolCall: null,
      completion: 'completed',
      revision
    })
  })

  test('[C8] an interrupt and the next prompt make the turn before cancelled', async () => {
    await using folder = await recordedFolder()
    const agent = talkingAgent(folder)
    await agent.begin('add tax')
    await agent.tell('SessionEnd', { reason: 'exit' })
    expect((await agent.detail()).session.position).toMatchObject({ phase: 'stopped', completion: 'cancelled' })
  })

  test('in plan mode it plans', async () => {
    await using folder = await recordedFolder()
    const agent = talkingAgent(folder)
    await agent.tell('UserPromptSubmit', { prompt: 'think', prompt_id: 'p', permission_mode: 'plan' })
    expect((await agent.detail()).session.position.phase).toBe('plan')
  })

  test('goes back with its conversation, and comes back with it', async () => {
    await using folder = await recordedFolder()
    const agent = talkingAgent(folder)
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
    '[C7] status says where the run stood and how to go on (host restarted: %s)',
    async (restarted) => {
      await using folder = await recordedFolder()
      const agent = talkingAgent(folder, undefined, GONE)
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

  test('of two conversations in one `driftline run` each stands where it stood, and the one that was cut off is told', async () => {
    await using folder = await recordedFolder()
    const { workspace } = folder
    const shell = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'])
    const pid = shell.pid!
    const pidStart = processStart(pid)
    const { run } = await folder.engine.call('run.begin', { workspace, title: 'sh', agent: 'sh', pid, pidStart })
    const one = talkingAgent(folder, 'one', { run })
    const first = await one.say('first', 'did first', put(folder, 'one.ts'))
    const two = talkingAgent(folder, 'two', { run })
    const second = await two.begin('second', put(folder, 'half.ts'))
    shell.kill('SIGKILL')
    await once(shell, 'exit')
    const { interruptedRuns } = await statusOf(folder)
    const open = (await two.detail()).calls.at(-1)!.id
    expect(interruptedRuns).toMatchObject([
      { run, session: 'two', turn: second, phase: 'execute', toolCall: open, doing: 'Bash: work' }
    ])
    const stood = [await one.detail(), await two.detail()].map(({ session }) => session.position)
    expect(stood).toMatchObject([
      { run, turn: first, phase: 'stopped', toolCall: null, completion: 'interrupted' },
      { run, turn: second, phase: 'execute', toolCall: open, completion: 'interrupted' }
    ])
  })

  test('it is over when the conversation goes on, or the run is taken back', async () => {
    await using folder = await recordedFolder()
    const killed = talkingAgent(folder, undefined, GONE)
    await killed.begin('add tax', put(folder, 'half.ts'))
    const [interrupted] = (await statusOf(folder)).interruptedRuns
    expect((await folder.apply({ kind: 'undo-run', run: interrupted!.run })).state).toBe('done')
    expect((await statusOf(folder)).interruptedRuns).toEqual([])
    await folder.apply({ kind: 'undo' })
    expect((await statusOf(folder)).interruptedRuns).toHaveLength(1)
    await talkingAgent(folder, killed.session).say('go on', 'done')
    expect((await statusOf(folder)).interruptedRuns).toEqual([])
  })
})
