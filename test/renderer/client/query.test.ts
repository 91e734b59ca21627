/** Requests over the channel: no flicker, no stale data, and bursts of changes are merged. */
import { keepPreviousData, QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createConnection } from '../../../src/renderer/client/connection.ts'
import { createQueries, staleTimeOf } from '../../../src/renderer/client/queries.ts'
import { fakeChannels } from './fake-channel.ts'

interface Asked {
  readonly resolve: (value: string) => void
  readonly reject: (error: Error) => void
}

function start() {
  const { ends, connect } = fakeChannels()
  const queries = createQueries(createConnection(connect))
  ends[0]?.open()
  const asked: Asked[] = []
  const key = ['timeline.list', { workspace: 'w' }]
  const options = (queryKey: readonly unknown[]) => ({
    queryKey,
    queryFn: () => new Promise<string>((resolve, reject) => asked.push({ resolve, reject })),
    placeholderData: keepPreviousData,
    staleTime: staleTimeOf('timeline.list')
  })
  const observer = new QueryObserver(queries.cache, options(key))
  const stop = observer.subscribe(() => {})
  let rev = 1
  return {
    queries,
    asked,
    stop,
    observe: () => observer.subscribe(() => {}),
    hash: JSON.stringify(key),
    result: () => observer.getCurrentResult(),
    ask: (text: string) => observer.setOptions(options(['timeline.list', { workspace: 'w', text }])),
    change: (...kinds: string[]) =>
      ends[0]?.event('workspace.changed', { workspace: 'w', rev: rev++, kinds, paths: [] })
  }
}
const settle = () => vi.advanceTimersByTimeAsync(0)

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

describe('query', () => {
  test('what was requested before it is shown is there at once, and its failure is nobody’s', async () => {
    const { ends, connect } = fakeChannels()
    const queries = createQueries(createConnection(connect))
    ends[0]?.open()
    const params = { workspace: 'w', target: 'run_1' }
    const preloaded = queries.preload('entry.show', params)
    await settle()
    ends[0]?.reply(ends[0].calls.at(-1)?.id ?? 0, { entry: 'one' })
    expect(await preloaded).toEqual({ entry: 'one' })
    expect(queries.cache.getQueryData(['entry.show', params])).toEqual({ entry: 'one' })
    expect(await queries.preload('entry.show', params)).toEqual({ entry: 'one' })
    const failed = queries.preload('entry.show', { ...params, target: 'run_2' })
    await settle()
    ends[0]?.fail(ends[0].calls.at(-1)?.id ?? 0, 'HostUnreachable')
    expect(await failed).toBeNull()
    expect(ends[0]?.calls).toHaveLength(2)
  })

  test('a quick answer never shows a loading state', async () => {
    const { queries, asked, hash, result } = start()
    const seen: boolean[] = []
    queries.subscribeSlow(() => seen.push(queries.isSlow(hash)))
    await vi.advanceTimersByTimeAsync(140)
    asked[0]?.resolve('one')
    await vi.advanceTimersByTimeAsync(300)
    expect(result()).toMatchObject({ data: 'one', isPlaceholderData: false })
    expect(seen).not.toContain(true)
  })

  test('after 150 ms the old content stays and is marked as loading', async () => {
    const { queries, asked, ask, result } = start()
    asked[0]?.resolve('one')
    await settle()
    ask('tax')
    const hash = JSON.stringify(['timeline.list', { text: 'tax', workspace: 'w' }])
    await settle()
    expect(result()).toMatchObject({ data: 'one', isPlaceholderData: true })
    expect(queries.isSlow(hash)).toBe(false)
    await vi.advanceTimersByTimeAsync(151)
    expect(result()).toMatchObject({ data: 'one', isPlaceholderData: true })
    expect(queries.isSlow(hash)).toBe(true)
    asked[1]?.resolve('two')
    await settle()
    expect(queries.isSlow(hash)).toBe(false)
  })

  test('what was requested before a change is not new for the pane that shows it later', async () => {
    const { queries, asked, stop, result, change, observe } = start()
    stop()
    change('edits')
    asked[0]?.resolve('before the change')
    await settle()
    observe()
    await settle()
    expect(asked).toHaveLength(2)
    asked[1]?.resolve('after it')
    await settle()
    expect(result().data).toBe('after it')
    expect(queries.cache.isFetching()).toBe(0)
  })

  test('what was requested just before its pane is shown is not requested again', async () => {
    const { asked, stop, observe, result } = start()
    stop()
    asked[0]?.resolve('loaded early')
    await vi.advanceTimersByTimeAsync(300)
    observe()
    await settle()
    expect(asked).toHaveLength(1)
    expect(result().data).toBe('loaded early')
  })

  test('a late reply to an earlier request is dropped', async () => {
    const { asked, ask, result } = start()
    ask('tax')
    asked[1]?.resolve('new')
    asked[0]?.resolve('old')
    await settle()
    expect(result().data).toBe('new')
  })

  test('an error leaves the old content on screen', async () => {
    const { asked, result, change } = start()
    asked[0]?.resolve('one')
    await vi.advanceTimersByTimeAsync(300)
    change('edits')
    await settle()
    asked[1]?.reject(new Error('broken'))
    await settle()
    expect(result()).toMatchObject({ data: 'one', error: { message: 'broken' } })
  })

  test('a burst of changes causes one running fetch and one after it', async () => {
    const { asked, result, change } = start()
    for (let i = 0; i < 20; i++) change('edits')
    expect(asked).toHaveLength(1)
    asked[0]?.resolve('one')
    await vi.advanceTimersByTimeAsync(200)
    expect(asked).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(100)
    expect(asked).toHaveLength(2)
    asked[1]?.resolve('two')
    await vi.advanceTimersByTimeAsync(1000)
    expect(asked).toHaveLength(2)
    expect(result().data).toBe('two')
  })

  test('a setting that was changed is known at once', async () => {
    const { ends, connect } = fakeChannels()
    const queries = createQueries(createConnection(connect))
    ends[0]?.open()
    const loaded = queries.preload('settings.get', {})
    await settle()
    ends[0]?.reply(ends[0].calls.at(-1)?.id ?? 0, { values: { one: '1' } })
    await loaded
    ends[0]?.event('settings.changed', { key: 'ui.first-run', value: 'done' })
    expect(queries.cache.getQueryData(['settings.get', {}])).toEqual({ values: { one: '1', 'ui.first-run': 'done' } })
  })

  test('a change is shown soon after, also where the answer before it took long', async () => {
    const { asked, change } = start()
    await vi.advanceTimersByTimeAsync(10_000)
    change('runs')
    asked[0]?.resolve('one')
    await vi.advanceTimersByTimeAsync(2000)
    expect(asked).toHaveLength(2)
  })

  test('a change is not forgotten where its request is shown again after the pause', async () => {
    const { asked, stop, observe, change } = start()
    asked[0]?.resolve('one')
    await settle()
    change('edits')
    stop()
    await vi.advanceTimersByTimeAsync(300)
    observe()
    await settle()
    expect(asked).toHaveLength(2)
  })

  test('a request that is no longer shown is not repeated', async () => {
    const { asked, stop, change } = start()
    asked[0]?.resolve('one')
    await settle()
    stop()
    change('edits')
    await vi.advanceTimersByTimeAsync(1000)
    expect(asked).toHaveLength(1)
  })
})

test.each([true, false])(
  '[RH-6] a host that answers again (%s: nothing was missed): its requests are repeated alone',
  async (complete) => {
    const { ends, connect } = fakeChannels()
    const queries = createQueries(createConnection(connect))
    ends[0]?.open()
    const fetched: string[] = []
    const keys = [
      ['timeline.list', { workspace: 'box:w' }],
      ['timeline.list', { workspace: 'boxer:w' }],
      ['timeline.list', { workspace: 'w' }],
      ['settings.get', {}, 'box'],
      ['settings.get', {}]
    ]
    for (const queryKey of keys) {
      const queryFn = async () => fetched.push(JSON.stringify(queryKey))
      new QueryObserver(queries.cache, { queryKey, queryFn }).subscribe(() => {})
    }
    await settle()
    fetched.length = 0
    ends[0]?.event('host.reached', { host: 'box', complete })
    await vi.advanceTimersByTimeAsync(1000)
    expect(fetched).toEqual([keys[0], keys[3]].map((key) => JSON.stringify(key)))
  }
)
