import { afterEach, expect, test, vi } from 'vitest'
import { DriftlineError } from '../../../src/contract/errors.ts'
import type { Context } from '../../../src/main/cli/context.ts'
import { createSession } from '../../../src/main/cli/mcp/session.ts'

afterEach(() => {
  vi.useRealTimers()
})

/** The way to an engine that a test can cut. */
function wayToEngine() {
  const way = { cut: '', closed: 0, asked: [] as string[] }
  const context = {
    surroundings: { env: {} },
    folder: () => '/project',
    call: async (method: string) => {
      way.asked.push(method)
      if (way.cut === method) throw new DriftlineError('Disconnected', 'gone')
      return method === 'workspaces.find' ? { workspace: { id: 'ws', root: '/project' } } : { run: null }
    },
    openHere: async () => {
      way.cut = ''
    },
    close: async () => {
      way.closed++
    }
  } as unknown as Context
  return { way, session: createSession(context) }
}

test('a use that a host left is made again, when that comes to the same', async () => {
  const { way, session } = wayToEngine()
  way.cut = 'tools.use'
  await session.use({ tool: 'write_file', path: 'a', content: '' }, null)
  expect(way.asked).toEqual(['workspaces.find', 'tools.use', 'tools.use'])
})

test('a copy or a move that a host left is not made again; the client is told to look', async () => {
  const { way, session } = wayToEngine()
  way.cut = 'tools.use'
  await expect(session.use({ tool: 'move_file', source: 'a', destination: 'b' }, null)).rejects.toThrow(
    'Look at the files'
  )
  expect(way.asked).toEqual(['workspaces.find', 'tools.use'])
  await session.use({ tool: 'move_file', source: 'a', destination: 'b' }, null)
})

test('after a while without a call the engine is let go of, never in the middle of one', async () => {
  vi.useFakeTimers()
  const { way, session } = wayToEngine()
  await session.workspace()
  await vi.advanceTimersByTimeAsync(19_000)
  await session.workspace()
  await vi.advanceTimersByTimeAsync(19_000)
  expect(way.closed).toBe(0)
  await vi.advanceTimersByTimeAsync(2000)
  expect(way.closed).toBe(1)
})
