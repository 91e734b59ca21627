/** [UI-1] Conversations count in the history: the meter shows what they take, and the budget includes it. */
import { expect, test } from 'vitest'
import { addMessage } from '../../../../src/main/engine/runs/session-rows.ts'
import { transact } from '../../../../src/main/engine/store/sql.ts'
import { recordedFolder } from '../../../support/recorded-folder.ts'
import { createTranscriptAgent } from '../../../support/transcript-agent.ts'

test('[UI-1] a conversation takes its compressed texts and its rows, until it is deleted', async () => {
  await using folder = await recordedFolder({})
  const { workspace, engine } = folder
  const agent = createTranscriptAgent(folder)
  await agent.say('begin', 'begun')
  folder.store((store) =>
    transact(store, (tx) => {
      for (let n = 0; n < 1000; n++)
        addMessage(tx, agent.session, {
          turn: null,
          role: 'user',
          text: `again ${n} `.repeat(100),
          at: n,
          source: `${n}`
        })
    })
  )
  const used = await engine.call('storage.get', { workspace })
  expect(used.conversationBytes).toBeGreaterThan(150_000)
  expect(used.conversationBytes).toBeLessThan(400_000)
  expect(used.historyBytes - used.conversationBytes).toBeLessThan(1000)
  expect((await engine.call('workspace.status', { workspace, check: false })).store).toMatchObject({
    conversationBytes: used.conversationBytes,
    historyBytes: used.historyBytes
  })
  const swept = await engine.call('gc.run', { workspace, dryRun: true, budget: 100_000 })
  expect(swept).toMatchObject({ historyBytes: used.historyBytes, note: { code: 'over-budget' } })
  await engine.call('sessions.delete', { workspace, session: agent.session })
  expect(await engine.call('storage.get', { workspace })).toMatchObject({ conversationBytes: 0 })
})
