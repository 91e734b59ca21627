/** The plugin as opencode loads it: the adapter understands what it forwards, and it never blocks a tool. */
import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { pluginText } from '../../../../src/main/engine/agents/connect/opencode-plugin.ts'
import { normalizeEvent } from '../../../../src/main/engine/agents/normalize.ts'
import { isAlive } from '../../../../src/main/engine/ports/processes.ts'
import { tempFolder } from '../../../support/tmp.ts'

type Hook = (input: object, output?: object) => Promise<unknown>

/** The plugin with the given launcher, as a module in `folder`. */
async function load(folder: string, launcher: string): Promise<Record<string, Hook>> {
  const file = join(folder, 'plugin.mjs')
  writeFileSync(file, pluginText('mark', launcher))
  const { Driftline } = (await import(pathToFileURL(file).href)) as {
    Driftline: (input: object) => Promise<Record<string, Hook>>
  }
  return Driftline({ directory: '/proj' })
}

test('forwards prompts, tools and ends, subagents under their root session, and waits for replies', {
  tags: ['posix']
}, async () => {
  using temp = tempFolder()
  const launcher = join(temp.path, 'launcher')
  const log = join(temp.path, 'log')
  writeFileSync(launcher, `#!/bin/sh\nread -r line\nprintf '%s\\t%s\\n' "$3" "$line" >> '${log}'\n`)
  chmodSync(launcher, 0o755)
  const plugin = await load(temp.path, launcher)
  await plugin.event!({ event: { type: 'session.created', properties: { info: { id: 'child', parentID: 'root' } } } })
  await plugin['chat.message']!(
    { sessionID: 'root' },
    { message: { id: 'm1' }, parts: [{ type: 'text', text: 'do it' }] }
  )
  await plugin['tool.execute.before']!(
    { tool: 'apply_patch', sessionID: 'child', callID: 'c1' },
    { args: { patchText: '*** Begin Patch\n*** Delete File: a.txt\n*** End Patch' } }
  )
  await plugin['tool.execute.after']!(
    { tool: 'bash', sessionID: 'root', callID: 'c2', args: { command: 'ls' } },
    { title: 'ls', metadata: { output: 'a.txt\nb.txt\n' } }
  )
  const onEvent = (type: string, properties: object) => plugin.event!({ event: { type, properties } })
  const sendText = (message: string, id: string, text: string) =>
    onEvent('message.part.updated', {
      part: { id, messageID: message, sessionID: 'root', type: 'text', text }
    })
  await onEvent('message.updated', { sessionID: 'root', info: { id: 'm1', role: 'user' } })
  await sendText('m1', 'p1', 'do it')
  await onEvent('message.updated', { sessionID: 'root', info: { id: 'm2', role: 'assistant' } })
  await sendText('m2', 'p2', '')
  await sendText('m2', 'p2', 'I did it.')
  await sendText('m2', 'p3', 'All of it.')
  await onEvent('session.idle', { sessionID: 'child' })
  await onEvent('session.idle', { sessionID: 'root' })
  // opencode does not await these; they keep their order.
  await Promise.all([
    onEvent('session.error', { sessionID: 'root', error: { name: 'MessageAbortedError', data: {} } }),
    onEvent('session.error', { sessionID: 'root', error: { name: 'APIError', data: {} } }),
    onEvent('session.idle', { sessionID: 'root' })
  ])
  // Every call above was answered only after the launcher had exited.
  const events = readFileSync(log, 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.split('\t') as [string, string])
    .map(([event, payload]) => normalizeEvent('opencode', event, JSON.parse(payload)))
  expect(events.flatMap((entry) => entry?.actions ?? []).find((entry) => entry.kind === 'tool-end')).toMatchObject({
    output: { command: 'ls', text: 'a.txt\nb.txt\n' }
  })
  expect(events.map((event) => [event?.origin.session, event?.origin.subagent, event?.actions[0]?.kind])).toEqual([
    ['root', null, 'prompt'],
    ['root', 'child', 'tool-start'],
    ['root', null, 'tool-end'],
    ['root', 'child', 'boundary'],
    ['root', null, 'stop'],
    ['root', null, 'interrupt'],
    ['root', null, undefined],
    ['root', null, 'stop']
  ])
  // The assistant's texts, each once, without the user's.
  expect([events.at(-4), events.at(-1)].map((entry) => entry?.actions[0])).toMatchObject([
    { message: 'I did it.\n\nAll of it.' },
    { message: null }
  ])
  expect(events[1]?.actions[0]).toMatchObject({ use: { writeScope: 'paths', paths: ['a.txt'] } })
  rmSync(launcher)
  await plugin['tool.execute.before']!({ tool: 'bash', sessionID: 'root', callID: 'c3' }, { args: {} })
})

test('[RV-5] adds what the hook prints to the last text of a prompt, and nothing else', {
  tags: ['posix']
}, async () => {
  using temp = tempFolder()
  const launcher = join(temp.path, 'launcher')
  const plugin = await load(temp.path, launcher)
  const promptWith = async (printed: string) => {
    writeFileSync(launcher, `#!/bin/sh\ncat >/dev/null\nprintf '%s\\n' '${printed}'\n`, { mode: 0o755 })
    const output = { message: { id: 'm1' }, parts: [{ type: 'text', text: 'do it' }, { type: 'file' }] }
    await plugin['chat.message']!({ sessionID: 'root' }, output)
    return output.parts
  }
  expect(await promptWith('{"text":"A review."}')).toEqual([
    { type: 'text', text: 'do it\n\nA review.' },
    { type: 'file' }
  ])
  for (const other of ['', 'no JSON', '{"text":1}', 'null'])
    expect((await promptWith(other))[0]).toEqual({ type: 'text', text: 'do it' })
})

test('[GW-1] a hook that never ends holds no tool', { tags: ['posix'] }, async () => {
  using temp = tempFolder()
  const launcher = join(temp.path, 'launcher')
  const file = join(temp.path, 'pid')
  writeFileSync(launcher, `#!/bin/sh\ntrap '' TERM\necho $$ > '${file}'\nexec sleep 600\n`, { mode: 0o755 })
  const plugin = await load(temp.path, launcher)
  await plugin['tool.execute.before']!({ tool: 'bash', sessionID: 'root', callID: 'c1' }, { args: {} })
  const pid = Number(readFileSync(file, 'utf8'))
  expect(isAlive({ pid, start: '' }), 'the tool did not wait for it').toBe(true)
  process.kill(pid, 'SIGKILL')
})

test('[RV-7] a tool is refused with the reason that the hook prints, and with nothing else', {
  tags: ['posix']
}, async () => {
  using temp = tempFolder()
  const launcher = join(temp.path, 'launcher')
  writeFileSync(launcher, `#!/bin/sh\ncat '${temp.path}/printed'\n`)
  chmodSync(launcher, 0o755)
  const plugin = await load(temp.path, launcher)
  const startTool = (printed: string) => {
    writeFileSync(join(temp.path, 'printed'), printed)
    return plugin['tool.execute.before']!({ tool: 'edit', sessionID: 'root', callID: 'c1' }, { args: {} })
  }
  await expect(startTool('{"refused":"It was undone."}\n')).rejects.toThrow(/^It was undone\.$/)
  for (const printed of ['', '{"text":"a review"}', 'not JSON', '{"refused":1}']) await startTool(printed)
})
