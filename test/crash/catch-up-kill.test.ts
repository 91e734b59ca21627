/** [GW-8] A recorder that is killed while it imports a long transcript loses and repeats no message. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, test } from 'vitest'
import { createClient } from '../../src/contract/wire.ts'
import { messagesOf } from '../../src/main/engine/store/messages.ts'
import { type EngineFile, readEngineFile } from '../../src/main/host/engine-file.ts'
import { dialHost } from '../../src/main/host/pipe-proof.ts'
import { socketChannel } from '../../src/main/host/socket-channel.ts'
import { caughtUp } from '../support/caught-up.ts'
import { hostEnv } from '../support/host.ts'
import { type RecordedFolder, recordedFolder } from '../support/recorded-folder.ts'
import { LONG } from '../support/scale.ts'

const SERVE = join(import.meta.dirname, '../../out/main/serve.js')

/** Starts a recorder, lets `work` use it, and kills it at once. */
async function killedAfter(
  { dataDir, home }: RecordedFolder,
  work: (client: ReturnType<typeof createClient>) => unknown
) {
  const child = spawn(process.execPath, [SERVE, '--no-open', '--stay', '--data', dataDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: hostEnv(dataDir, { HOME: home })
  })
  const ended = once(child, 'exit')
  await once(createInterface({ input: child.stdout }), 'line')
  const { socket, ready } = dialHost(readEngineFile(dataDir) as EngineFile)
  await ready
  const client = createClient(socketChannel(socket))
  socket.resume()
  await work(client)
  child.kill('SIGKILL')
  await ended
  socket.destroy()
}

test('[GW-8] killed several times during the import, with prompts between', async () => {
  await using folder = await recordedFolder({ files: { 'a.txt': 'a' } })
  await folder.engine.close()
  const transcript = join(folder.home, '.claude/projects/p/s.jsonl')
  mkdirSync(join(folder.home, '.claude/projects/p'), { recursive: true })
  const texts = Array.from({ length: 5000 }, (_, n) => `answer ${n} ${'word '.repeat(200)}`.trim())
  const lines = texts.map((text, n) =>
    JSON.stringify({ type: 'assistant', uuid: `u${n}`, message: { content: [{ type: 'text', text }] } })
  )
  writeFileSync(transcript, `${lines.join('\n')}\n`)
  const later = LONG ? ['two', 'three'] : ['two']
  let id = 0
  const send = (client: ReturnType<typeof createClient>, event: string, more: object) =>
    client.call('agent.event', {
      id: `kill-${id++}`,
      agent: 'claude-code',
      event,
      at: Date.now(),
      payload: { session_id: 's', cwd: folder.root, transcript_path: transcript, hook_event_name: event, ...more },
      process: { pid: process.pid, start: '' }
    })
  await killedAfter(folder, async (client) => {
    await send(client, 'SessionStart', { source: 'resume' })
    await send(client, 'UserPromptSubmit', { prompt: 'one', prompt_id: 'p1' })
  })
  for (const prompt of later)
    await killedAfter(folder, (client) => send(client, 'UserPromptSubmit', { prompt, prompt_id: prompt }))
  await folder.reopen()
  await folder.check()
  await caughtUp(folder)
  const recorded = folder.store((store) => [...messagesOf(store, 's')].map(({ text }) => text))
  expect(recorded).toEqual([...texts, 'one', ...later])
})
