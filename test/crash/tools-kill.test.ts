import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { expect, test } from 'vitest'
import { createCliProject } from '../main/cli/cli-project.ts'
import { CLI } from '../support/programs.ts'
import { LONG } from '../support/scale.ts'
import { readTree } from '../support/tree.ts'

const EDITS = 40

test.each(LONG ? [1, 4, 9, 15] : [1, 9])(
  '[GW-3] killed after %i edits, the file is whole, nothing is left beside it, and all of it goes back',
  async (after) => {
    const place = createCliProject()
    try {
      place.write('src/list.txt', `${Array.from({ length: EDITS }, (_, n) => `number ${n} of the list`).join('\n')}\n`)
      await place.call(['add', '.'])
      const before = readTree(place.root)
      const child = spawn(process.execPath, [CLI, 'mcp'], {
        cwd: place.root,
        env: place.env,
        stdio: ['pipe', 'pipe', 'inherit']
      })
      const send = (message: object): void => {
        child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
      }
      send({
        id: 'hello',
        method: 'initialize',
        params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'killed', version: '1' } }
      })
      send({ method: 'notifications/initialized' })
      for (let n = 0; n < EDITS; n++) {
        const args = { path: 'src/list.txt', old_string: `number ${n} of the list`, new_string: `done ${n}` }
        send({ id: n, method: 'tools/call', params: { name: 'edit_file', arguments: args } })
      }
      let answered = 0
      for await (const line of createInterface({ input: child.stdout })) {
        if (typeof (JSON.parse(line) as { id: unknown }).id === 'number') answered++
        if (answered === after) break
      }
      child.kill('SIGKILL')
      await once(child, 'exit')

      const { doc } = await place.json<{ drift: unknown[]; activeRuns: unknown[] }>(['status'])
      expect([doc.drift, doc.activeRuns]).toEqual([[], []])
      expect(Object.keys(readTree(place.root))).toEqual(Object.keys(before))
      const lines = place.read('src/list.txt').trimEnd().split('\n')
      const done = lines.filter((line, n) => line === `done ${n}`).length
      expect(done).toBeGreaterThanOrEqual(after)
      expect(lines).toEqual(
        Array.from({ length: EDITS }, (_, n) => (n < done ? `done ${n}` : `number ${n} of the list`))
      )
      const diff = await place.json<{ files: unknown[] }>(['diff', 'latest'])
      expect(diff.doc.files).toMatchObject([{ path: 'src/list.txt', added: done, attribution: 'declared' }])
      expect((await place.call(['undo-run', 'latest', '--yes'])).code).toBe(0)
      expect(readTree(place.root)).toEqual(before)
    } finally {
      place.remove()
    }
  }
)
