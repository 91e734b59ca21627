/** What commands of real agents print, against a fake model and without a network. Opt-in like its neighbours. */
import { describe, expect, test } from 'vitest'
import { agentPlace } from '../support/agent-place.ts'
import { programOf } from '../support/installed-agents.ts'
import { CLAUDE_CODE, CODEX_CLI, GEMINI_CLI, OPENCODE, QWEN_CODE } from '../support/real-agents.ts'

describe.each([CLAUDE_CODE, CODEX_CLI, GEMINI_CLI, QWEN_CODE, OPENCODE])('$id, the real one', (agent) => {
  const missing = programOf(agent.program) === null
  if (missing) console.info(`${agent.id} is not run: DRIFTLINE_REAL_AGENTS names no folder it is installed in.`)

  test.skipIf(missing)(
    'the end of what a command printed is kept, and nothing of one that prints a secret file',
    { timeout: 300_000 },
    async () => {
      await using at = await agentPlace(agent)
      await at.ask('FIRST prompt: [[run echo one; echo two]]')
      expect(await at.printed()).toEqual(['one\ntwo'])
      await at.ask('SECOND prompt: [[run echo KEY=1 > .env; cat .env]]')
      expect(await at.printed()).toEqual(['one\ntwo'])
    }
  )
})
