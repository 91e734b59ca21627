/** [RV-4] [RV-5] A review reaches the model's next request of the real agents, once. Opt-in like its neighbours. */
import { describe, expect, test } from 'vitest'
import { waitForExit, waitForOutput } from '../main/cli/cli-project.ts'
import { createAgentProject } from '../support/agent-project.ts'
import { programOf } from '../support/installed-agents.ts'
import { CLAUDE_CODE, CODEX_CLI, GEMINI_CLI, OPENCODE, QWEN_CODE } from '../support/real-agents.ts'

const PARTS = ['Use one word.', 'Why this file?', 'Smaller steps, please.', '-two', '-three', 'Do not re-apply']

describe.each([CLAUDE_CODE, CODEX_CLI, GEMINI_CLI, QWEN_CODE, OPENCODE])('$id, the real one', (agent) => {
  const missing = programOf(agent.program) === null

  test.skipIf(missing)(
    'three comments and two undone changes are in its next request, whole and once',
    { tags: ['agent'], timeout: 300_000 },
    async () => {
      await using at = await createAgentProject(agent)
      const { place } = at
      const recorder = place.start(['serve', '--no-open', '--stay'])
      const ended = waitForExit(recorder)
      await waitForOutput(recorder.stdout!, '#token=')
      await at.ask('FIRST prompt: [[run echo one > one.txt; echo two > two.txt; echo three > three.txt]]')
      const [run] = await at.runs()
      const { id, session } = run!
      for (const words of [
        ['comment', id, 'one.txt:1', '-m', 'Use one word.'],
        ['comment', id, 'one.txt', '-m', 'Why this file?'],
        ['comment', id, '-m', 'Smaller steps, please.'],
        ['undo-run', id, 'two.txt', 'three.txt', '--yes'],
        ['review', 'send']
      ])
        expect(await place.call(words)).toMatchObject({ code: 0 })
      at.sent()
      await at.ask('SECOND prompt: [[run echo four > four.txt]]', session)
      const requests = at.sent().trim().split('\n')
      const count = (request: string, part: string): number => request.split(part).length - 1
      const withPrompt = requests.filter((request) => request.includes('SECOND prompt'))
      expect(withPrompt.length).toBeGreaterThan(0)
      for (const part of PARTS) expect(count(withPrompt[0]!, part), part).toBe(1)
      await at.ask('THIRD prompt: [[run echo five > five.txt]]', session)
      // The message is part of the conversation now, and nothing comes twice.
      for (const request of at.sent().trim().split('\n'))
        expect(count(request, 'Smaller steps, please.')).toBeLessThanOrEqual(1)
      recorder.kill('SIGKILL')
      await ended
    }
  )
})
