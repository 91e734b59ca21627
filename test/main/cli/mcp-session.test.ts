import { afterEach, expect, test, vi } from 'vitest'
import { DriftlineError } from '../../../src/contract/errors.ts'
import type { Context } from '../../../src/main/cli/context.ts'
import { createSession } from '../../../src/main/cli/mcp/session.ts'

afterEach(() => {
  vi.useRealTimers()
})

/** A context whose host exits during the method named in `exitDuring`. */
function createFakeContext() {
  const host = { exitDuring: '', closed: 0, calls: [] as string[] }
  const context = {
    invocation: { env: {} },
    folder: () => '/project',
    call: async (method: string) => {
      host.calls.push(method)
      if (host.exitDuring === method) throw new DriftlineError('Disconnected', 'gone')
      return method === 'workspaces.find' ? { workspace: { id: 'ws', root: '/project' } } : { run: null }
    },
    open: async () => ({ where: 'host' }),
    reconnect: async () => {
      host.exitDuring = ''
    },
    close: async () => {
      host.closed++
    }
  } as unknown as Context
  return { host, session: createSession(context) }
}

test('an idempotent call is repeated when the host exits', async () => {
  const { host, session } = createFakeContext()
  host.exitDuring = 'tools.use'
  await session.use({ tool: 'write_file', path: 'a', content: '' }, null)
  expect(host.calls).toEqual(['workspaces.find', 'tools.use', 'tools.use'])
})

test('a copy or a move is not repeated when the host exits; the client is asked to check the files', async () => {
  const { host, session } = createFakeContext()
  host.exitDuring = 'tools.use'
  await expect(session.use({ tool: 'move_file', source: 'a', destination: 'b' }, null)).rejects.toThrow(
    'Check the files'
  )
  expect(host.calls).toEqual(['workspaces.find', 'tools.use'])
  await session.use({ tool: 'move_file', source: 'a', destination: 'b' }, null)
})

test('the engine is closed when idle, and never during a call', async () => {
  vi.useFakeTimers()
  const { host, session } = createFakeContext()
  await session.workspace()
  await vi.advanceTimersByTimeAsync(19_000)
  await session.workspace()
  await vi.advanceTimersByTimeAsync(19_000)
  expect(host.closed).toBe(0)
  await vi.advanceTimersByTimeAsync(2000)
  expect(host.closed).toBe(1)
})
