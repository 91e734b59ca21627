/** Live queries: no flicker, no stale data, and bursts of changes are merged. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createQuery } from '../../../src/renderer/client/query.ts'

interface Asked {
  readonly resolve: (value: string) => void
  readonly reject: (error: Error) => void
}

function start() {
  const query = createQuery<string>()
  const asked: Asked[] = []
  const fetch = () => new Promise<string>((resolve, reject) => asked.push({ resolve, reject }))
  return { query, asked, fetch }
}
const settle = () => vi.advanceTimersByTimeAsync(0)

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

describe('query', () => {
  test('a quick answer never shows a loading state', async () => {
    const { query, asked, fetch } = start()
    const seen: boolean[] = []
    query.subscribe(() => seen.push(query.state().loading))
    query.fetchWith(fetch, false)
    await vi.advanceTimersByTimeAsync(140)
    asked[0]?.resolve('one')
    await settle()
    expect(query.state()).toMatchObject({ data: 'one', current: true, loading: false })
    expect(seen).not.toContain(true)
  })

  test('after 150 ms the old content stays and is marked as loading', async () => {
    const { query, asked, fetch } = start()
    query.fetchWith(fetch, false)
    asked[0]?.resolve('one')
    await settle()
    query.fetchWith(fetch, true)
    expect(query.state()).toMatchObject({ data: 'one', current: false, loading: false })
    await vi.advanceTimersByTimeAsync(151)
    expect(query.state()).toMatchObject({ data: 'one', current: false, loading: true })
  })

  test('a late reply to an earlier request is dropped', async () => {
    const { query, asked, fetch } = start()
    query.fetchWith(fetch, false)
    query.fetchWith(fetch, false)
    asked[1]?.resolve('new')
    asked[0]?.resolve('old')
    await settle()
    expect(query.state().data).toBe('new')
  })

  test('an error leaves the old content on screen', async () => {
    const { query, asked, fetch } = start()
    query.fetchWith(fetch, false)
    asked[0]?.resolve('one')
    await vi.advanceTimersByTimeAsync(300)
    query.refetch()
    asked[1]?.reject(new Error('broken'))
    await settle()
    expect(query.state()).toMatchObject({ data: 'one', error: { code: 'Bug' } })
  })

  test('a burst of changes causes one running fetch and one after it', async () => {
    const { query, asked, fetch } = start()
    query.fetchWith(fetch, false)
    for (let i = 0; i < 20; i++) query.refetch()
    expect(asked).toHaveLength(1)
    asked[0]?.resolve('one')
    await vi.advanceTimersByTimeAsync(200)
    expect(asked).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(100)
    expect(asked).toHaveLength(2)
    asked[1]?.resolve('two')
    await vi.advanceTimersByTimeAsync(1000)
    expect(asked).toHaveLength(2)
    expect(query.state().data).toBe('two')
  })

  test('a closed query sends no updates', async () => {
    const { query, asked, fetch } = start()
    query.fetchWith(fetch, false)
    query.close()
    asked[0]?.resolve('late')
    await vi.advanceTimersByTimeAsync(1000)
    expect(query.state().data).toBeNull()
  })
})
