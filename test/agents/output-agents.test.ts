/** The output of real agents' commands, against a fake model and offline. Opt-in like its neighbours. */
import { describe, expect, test } from 'vitest'
import { createAgentProject } from '../support/agent-project.ts'
import { programOf } from '../support/installed-agents.ts'
import { CLAUDE_CODE, CODEX_CLI, GEMINI_CLI, OPENCODE, QWEN_CODE } from '../support/real-agents.ts'

describe.each([CLAUDE_CODE, CODEX_CLI, GEMINI_CLI, QWEN_CODE, OPENCODE])('$id, the real one', (agent) => {
  const missing = programOf(agent.program) === null

  test.skipIf(missing)(
    'the tail of a command’s output is stored, and nothing of one that prints a secret file',
    { tags: ['agent'], timeout: 300_000 },
    async () => {
      await using at = await createAgentProject(agent)
      await at.ask('FIRST prompt: [[run echo one; echo two]]')
      expect(await at.printed()).toEqual(['one\ntwo'])
      await at.ask('SECOND prompt: [[run echo KEY=1 > .env; cat .env]]')
      expect(await at.printed()).toEqual(['one\ntwo'])
    }
  )
})
