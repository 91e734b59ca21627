/** [RV-4] [RV-5] A review reaches the model's next request of the real agents, once. Opt-in like its neighbours. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { waitForExit } from '../main/cli/cli-project.ts'
import { createAgentProject, startRecorder } from '../support/agent-project.ts'
import { instructionForCalls } from '../support/fake-model/fake-model.ts'
import { programOf } from '../support/installed-agents.ts'
import { CLAUDE_CODE, CLINE, CODEX_CLI, GEMINI_CLI, OPENCODE, QWEN_CODE } from '../support/real-agents.ts'

const PARTS = ['Use one word.', 'Why this file?', 'Smaller steps, please.', '-two', '-three', 'Do not re-apply']

const count = (request: string, part: string): number => request.split(part).length - 1

describe.each([CLAUDE_CODE, CODEX_CLI, GEMINI_CLI, QWEN_CODE, OPENCODE])('$id, the real one', (agent) => {
  const missing = programOf(agent.program) === null

  test.skipIf(missing)(
    'three comments and two undone changes are in its next request, whole and once',
    { tags: ['agent'], timeout: 300_000 },
    async () => {
      await using at = await createAgentProject(agent)
      const { place } = at
      await using _ = await startRecorder(place)
      await at.ask('FIRST prompt: [[run echo one > one.txt; echo two > two.txt; echo three > three.txt]]')
      const [run] = await at.runs()
      const { id, session } = run!
      await at.run(
        ['comment', id, 'one.txt:1', '-m', 'Use one word.'],
        ['comment', id, 'one.txt', '-m', 'Why this file?'],
        ['comment', id, '-m', 'Smaller steps, please.'],
        ['undo-run', id, 'two.txt', 'three.txt', '--yes'],
        ['review', 'send']
      )
      at.sent()
      await at.ask('SECOND prompt: [[run echo four > four.txt]]', session)
      const requests = at.sent().trim().split('\n')
      const withPrompt = requests.filter((request) => request.includes('SECOND prompt'))
      for (const part of PARTS) expect(count(withPrompt[0] ?? '', part), part).toBe(1)
      await at.ask('THIRD prompt: [[run echo five > five.txt]]', session)
      // The message is part of the conversation now, and nothing comes twice.
      for (const request of at.sent().trim().split('\n'))
        expect(count(request, 'Smaller steps, please.')).toBeLessThanOrEqual(1)
    }
  )

  test.skipIf(missing)(
    'does not write a change again once it was informed of the undo',
    { tags: ['agent'], timeout: 300_000 },
    async () => {
      await using at = await createAgentProject(agent)
      await using _ = await startRecorder(at.place)
      const notes = join(at.place.root, 'notes.txt')
      await at.ask('FIRST prompt: [[write notes.txt=hello]]')
      const { session } = (await at.runs())[0]!
      await at.run(['undo-run', 'latest', '--yes'])
      await at.ask('SECOND prompt: [[write notes.txt=hello]]', session)
      expect(existsSync(notes), 'not informed').toBe(true)
      await at.run(['undo-run', 'latest', '--yes'], ['review', 'send'])
      await at.ask('THIRD prompt: [[write notes.txt=hello]]', session)
      expect(existsSync(notes), 'informed').toBe(false)
    }
  )
})

// It resumes a session only in a terminal, and takes a text with a tool call: so it works while it is reviewed.
test.skipIf(programOf(CLINE.program) === null)(
  'three comments and two undone changes are in the request of the real Cline after its next tool call, whole and once',
  { tags: ['agent'], timeout: 300_000 },
  async () => {
    await using at = await createAgentProject(CLINE)
    const { place } = at
    await using _ = await startRecorder(place)
    const command = (text: string) => ['run_commands', { commands: [text] }] as const
    const calls = [
      command('echo one > one.txt; echo two > two.txt; echo three > three.txt'),
      command('until [ -e go ]; do sleep 0.1; done'),
      command('echo four > four.txt')
    ]
    const working = waitForExit(at.start(`FIRST prompt: ${instructionForCalls(calls)}`))
    await expect
      .poll(async () => String((await place.call(['diff', 'latest'])).out), { timeout: 120_000, interval: 500 })
      .toMatch(/one[\s\S]*three[\s\S]*two/)
    await at.run(
      ['comment', 'latest', 'one.txt:1', '-m', 'Use one word.'],
      ['comment', 'latest', 'one.txt', '-m', 'Why this file?'],
      ['comment', 'latest', '-m', 'Smaller steps, please.']
    )
    await at.runInTerminal(['undo-run', 'latest', 'two.txt', 'three.txt', '--while-live', '--yes'])
    await at.run(['review', 'send'])
    place.write('go', '')
    expect((await working).code).toBe(0)
    const requests = at.sent().trim().split('\n')
    for (const part of PARTS) expect(count(requests.at(-1) ?? '', part), part).toBe(1)
  }
)
