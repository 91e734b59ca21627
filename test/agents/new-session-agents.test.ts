/**
 * Real agents whose sessions cannot be forked, against a fake model and offline: their edits recorded and undone, and
 * a new session that gets the conversation as a prompt. Opt-in like its neighbours.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createAgentProject } from '../support/agent-project.ts'
import { instructionForCalls } from '../support/fake-model/fake-model.ts'
import { programOf } from '../support/installed-agents.ts'
import { GEMINI_CLI, OPENCODE, QWEN_CODE, type RealAgent } from '../support/real-agents.ts'
import { hasTerminal, KEYS } from '../support/terminal.ts'
import { readTree } from '../support/tree.ts'

const LONG = 300_000
const SOON = { timeout: 120_000, interval: 500 }

type Calls = readonly (readonly [tool: string, input: unknown])[]

/** A write, an edit and a command, with each agent's own tools. */
const AGENTS: readonly { readonly agent: RealAgent; readonly work: (root: string) => Calls }[] = [
  {
    agent: GEMINI_CLI,
    work: (root) => [
      ['write_file', { file_path: join(root, 'new.txt'), content: 'new\n' }],
      ['replace', { file_path: join(root, 'app.txt'), instruction: 'blue', old_string: 'red', new_string: 'blue' }],
      ['run_shell_command', { command: 'echo shell > shell.txt', description: 'as asked' }]
    ]
  },
  {
    agent: QWEN_CODE,
    work: (root) => [
      ['write_file', { file_path: join(root, 'new.txt'), content: 'new\n' }],
      ['read_file', { file_path: join(root, 'app.txt') }],
      ['edit', { file_path: join(root, 'app.txt'), old_string: 'red', new_string: 'blue' }],
      ['run_shell_command', { command: 'echo shell > shell.txt', description: 'as asked', is_background: false }]
    ]
  },
  {
    agent: OPENCODE,
    work: (root) => [
      ['write', { filePath: join(root, 'new.txt'), content: 'new\n' }],
      ['read', { filePath: join(root, 'app.txt') }],
      ['edit', { filePath: join(root, 'app.txt'), oldString: 'red', newString: 'blue' }],
      ['bash', { command: 'echo shell > shell.txt', description: 'as asked' }]
    ]
  }
]

interface Restored {
  state: string
  conversation: { superseded: number; resume: { argv: string[]; prompt: string; forkedFrom: null } }
}

describe.each(AGENTS)('$agent.id, the real one', ({ agent, work }) => {
  const missing = programOf(agent.program) === null

  test.skipIf(missing)(
    'is connected and works; its run is undone byte for byte, and a new session gets the conversation',
    { tags: ['agent'], timeout: LONG },
    async () => {
      await using at = await createAgentProject(agent)
      const { place } = at
      const before = readTree(place.root)
      await at.ask(`FIRST prompt: ${instructionForCalls(work(place.root))}`)
      const [first, ...none] = await at.runs()
      expect(none).toEqual([])
      expect(first).toMatchObject({ agent: agent.id, state: 'ended', turns: 1, files: 3, note: '' })
      expect(first!.title).toContain('FIRST prompt')
      expect(await at.changed(first!.id)).toEqual({
        'app.txt': 'declared',
        'new.txt': 'declared',
        'shell.txt': 'inferred'
      })
      const after = readTree(place.root)
      const session = first!.session!
      const answers = (await at.said(session, 'assistant')).join('\n')
      expect(answers, 'its messages are stored').toMatch(/I will use .*Did: use /s)

      at.sent()
      await at.ask('SECOND prompt: [[write two.txt=two]]', session)
      expect(at.sent(), 'the same session is resumed').toContain('FIRST prompt')
      const [second] = await at.runs()
      expect(second).toMatchObject({ session, state: 'ended', files: 1 })

      const { code, doc } = await place.json<Restored>(['restore', second!.id, '--yes'])
      expect({ code, state: doc.state }, JSON.stringify(doc)).toEqual({ code: 0, state: 'done' })
      expect(readTree(place.root)).toEqual(after)
      expect((await at.said(session)).map((entry) => entry.includes('FIRST prompt'))).toEqual([true])

      const { resume } = doc.conversation
      expect(resume).toMatchObject({ argv: [agent.program], forkedFrom: null })
      expect(resume.prompt).toContain(answers.split('\n').at(-1))
      await at.ask(resume.prompt)
      const requests = at.sent()
      expect(requests).toContain('SECOND prompt')
      expect(requests, 'undone messages are not passed on').not.toContain('Did: write two.txt\\n')
      const [again] = await at.runs()
      expect(again).toMatchObject({ state: 'ended', files: 1 })
      expect(again!.session, 'a new session').not.toBe(session)
      expect(place.read('two.txt')).toBe('two\n')

      expect((await place.call(['restore', first!.id, '--mode', 'files', '--yes'])).code).toBe(0)
      expect(readTree(place.root)).toEqual(before)
      expect((await place.call(['disconnect', agent.id])).code).toBe(0)
    }
  )

  test.skipIf(missing || !hasTerminal)(
    'stopped with Esc in the middle of a command, its run ends with the command’s edits, and is marked as stopped',
    { tags: ['agent'], timeout: LONG },
    async () => {
      await using at = await createAgentProject(agent)
      const { place } = at
      const active = async () => (await place.json<{ activeRuns: unknown[] }>(['status'])).doc.activeRuns
      const terminal = at.sit('FIRST prompt: [[run echo half > half.txt; sleep 60]]')
      await expect.poll(() => existsSync(join(place.root, 'half.txt')), SOON).toBe(true)
      // opencode needs Esc twice.
      const stopping = async () => {
        terminal.press(KEYS.escape)
        return active()
      }
      await expect.poll(stopping, SOON).toEqual([])
      place.write('mine.txt', 'a person, after the interrupt\n')
      const { doc } = await place.json<{ drift: { paths: string[] }[] }>(['status'])
      expect(doc.drift).toMatchObject([{ paths: ['mine.txt'] }])
      const [run, ...others] = await at.runs()
      expect(others).toEqual([])
      expect(run).toMatchObject({ state: 'ended', note: expect.stringContaining('stopped before it finished') })
      expect(await at.changed(run!.id)).toEqual({ 'half.txt': 'inferred' })
    }
  )
})
