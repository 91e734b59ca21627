/** The connection of a window: it reconnects, keeps its listeners, and reports when data must be fetched again. */
import { QueryObserver } from '@tanstack/react-query'
import { describe, expect, test, vi } from 'vitest'
import { type Clock, createConnection } from '../../../src/renderer/client/connection.ts'
import { readFragment } from '../../../src/renderer/client/hosts.ts'
import { createQueries } from '../../../src/renderer/client/queries.ts'
import { fakeChannels } from './fake-channel.ts'

function start() {
  const { ends, connect } = fakeChannels()
  const timers: { ms: number; run: () => void; cancelled: boolean }[] = []
  let now = 1000
  const clock: Clock = {
    now: () => now,
    later: (ms, run) => {
      const timer = { ms, run, cancelled: false }
      timers.push(timer)
      return () => {
        timer.cancelled = true
      }
    }
  }
  const connection = createConnection(connect, clock)
  const end = (index = -1) => {
    const found = ends.at(index)
    if (!found) throw new Error('no connection was made')
    return found
  }
  const fire = () => {
    const timer = timers.at(-1)
    if (timer && !timer.cancelled) timer.run()
    return timer?.ms
  }
  return { connection, ends, end, timers, fire, pass: (ms: number) => (now += ms) }
}

describe('connection', () => {
  test('a lost connection is retried with growing delays, and at once on request', () => {
    const { connection, ends, end, fire, pass } = start()
    end().open()
    expect(connection.state()).toMatchObject({ phase: 'open', generation: 1, downSince: null })
    pass(500)
    end().close()
    expect(connection.state()).toMatchObject({ phase: 'waiting', downSince: 1500, lastContact: 1000 })
    expect(fire()).toBe(250)
    end().close()
    expect(fire()).toBe(500)
    end().close()
    connection.retry()
    expect(ends).toHaveLength(4)
    end().open()
    expect(connection.state()).toMatchObject({ phase: 'open', generation: 2, downSince: null })
  })

  test('the time of the loss is kept while attempts fail', () => {
    const { connection, end, fire, pass } = start()
    end().open()
    end().close()
    pass(9000)
    fire()
    end().close()
    expect(connection.state().downSince).toBe(1000)
  })

  test('open calls fail with Disconnected, and so do calls while waiting', async () => {
    const { connection, end } = start()
    end().open()
    const open = connection.client.call('app.info', {})
    end().close()
    await expect(open).rejects.toMatchObject({ code: 'Disconnected' })
    await expect(connection.client.call('app.info', {})).rejects.toMatchObject({ code: 'Disconnected' })
  })

  test('listeners survive a reconnect', () => {
    const { connection, end, fire } = start()
    const heard: string[] = []
    connection.client.on('run.ended', ({ title }) => heard.push(title))
    end().open()
    end().event('run.ended', { workspace: 'w', run: 'r', title: 'one', files: 1 })
    end().close()
    fire()
    end().open()
    end().event('run.ended', { workspace: 'w', run: 'r', title: 'two', files: 1 })
    expect(heard).toEqual(['one', 'two'])
  })
})

describe('[WR-4] after a reconnect', () => {
  const ended = (title: string) => ({ workspace: 'w', run: 'r', title, files: 1 })
  /** A connection that was lost after the first numbered event, and is open again. */
  async function again() {
    const started = start()
    const { connection, end, fire } = started
    const heard: string[] = []
    connection.client.on('run.ended', ({ title }) => heard.push(title))
    end().open()
    end().event('run.ended', ended('one'), { stream: 's', n: 7 })
    end().close()
    fire()
    end().open()
    const [call] = end().calls
    expect([call?.method, call?.params]).toEqual(['app.resume', { stream: 's', after: 7 }])
    end().event('run.ended', ended('three'), { stream: 's', n: 9 })
    expect([heard, connection.state().generation]).toEqual([['one'], 1])
    const answer = async (result: object | null) => {
      if (result) end().reply(call?.id ?? 0, result)
      else end().fail(call?.id ?? 0, 'Usage')
      await vi.waitFor(() => expect(heard).toContain('three'))
    }
    return { ...started, heard, answer }
  }

  test('the missed events come before those that arrived meanwhile, and nothing is fetched again', async () => {
    const { connection, heard, answer } = await again()
    const missed = [8, 9].map((n) => ({ n, event: 'run.ended', payload: ended(n === 8 ? 'two' : 'three') }))
    await answer({ stream: 's', last: 9, missed })
    expect([heard, connection.state().generation]).toEqual([['one', 'two', 'three'], 1])
  })

  test('when they are not kept, or the recorder keeps none, everything is fetched again', async () => {
    for (const result of [{ stream: 's2', last: 0, missed: null }, null]) {
      const { connection, heard, answer } = await again()
      await answer(result)
      await vi.waitFor(() => expect(connection.state().generation).toBe(2))
      expect(heard).toEqual(['one', 'three'])
    }
  })
})

describe('changes', () => {
  const changed = (rev: number, ...kinds: string[]) => ({ workspace: 'w', rev, kinds, paths: [] })
  /** Counts the repeats of requests that are on screen, by method. */
  function watch() {
    const started = start()
    const { cache } = createQueries(started.connection)
    const repeated: string[] = []
    const show = (method: string, params: object) => {
      const key = [method, params]
      cache.setQueryData(key, {})
      new QueryObserver(cache, { queryKey: key, queryFn: () => repeated.push(method), staleTime: 'static' }).subscribe(
        () => {}
      )
    }
    show('sessions.show', { workspace: 'w', session: 's' })
    show('coverage.list', { workspace: 'w' })
    show('coverage.list', { workspace: 'other' })
    show('settings.get', {})
    const settled = async (count = 1) => {
      await vi.waitFor(() => expect(repeated).toHaveLength(count))
      return repeated.splice(0).sort()
    }
    const fail = (method: string) =>
      cache
        .getQueryCache()
        .find({ queryKey: [method, {}] })
        ?.setState({ status: 'error', error: new Error('lost') })
    return { ...started, repeated, settled, fail }
  }

  test('[WR-1] a change repeats the requests it affects; a gap in revisions repeats all of the workspace', async () => {
    const { end, settled } = watch()
    end().open()
    end().event('workspace.changed', changed(5, 'edits'))
    expect(await settled()).toEqual(['coverage.list'])
    end().event('workspace.changed', changed(6, 'runs'))
    expect(await settled()).toEqual(['sessions.show'])
    end().event('workspace.changed', changed(9, 'edits'))
    expect(await settled(2)).toEqual(['coverage.list', 'sessions.show'])
  })

  test('[WR-1] an event of an earlier revision is dropped', async () => {
    const { end, settled } = watch()
    end().open()
    end().event('workspace.changed', changed(5, 'edits'))
    end().event('workspace.changed', changed(4, 'runs'))
    expect(await settled()).toEqual(['coverage.list'])
  })

  test('[WR-4] a reconnect that missed nothing repeats what failed meanwhile, and nothing else', async () => {
    const { end, fire, settled, repeated, fail } = watch()
    end().open()
    end().event('workspaces.changed', {}, { stream: 's', n: 1 })
    fail('settings.get')
    end().close()
    fire()
    end().open()
    end().reply(end().calls[0]?.id ?? 0, { stream: 's', last: 1, missed: [] })
    expect(await settled()).toEqual(['settings.get'])
    expect(repeated).toEqual([])
  })

  test('a reconnect fetches everything again, the first connection does not', async () => {
    const { end, fire, repeated, settled } = watch()
    end().open()
    expect(repeated).toEqual([])
    end().close()
    fire()
    end().open()
    expect(await settled(4)).toEqual(['coverage.list', 'coverage.list', 'sessions.show', 'settings.get'])
  })
})

test('the fragment contains token and workspace', () => {
  expect(readFragment('#token=abc&open=ws_1')).toEqual({ token: 'abc', open: 'ws_1' })
  expect(readFragment('')).toEqual({ token: '', open: '' })
})
