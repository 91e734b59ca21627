/** Events over connections that are cut at any moment: the engine's backlog and the client's order, in memory. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createEventOrder } from '../../src/contract/event-order.ts'
import type { EventFrame } from '../../src/contract/wire.ts'
import { createEventBacklog, type EventBacklog } from '../../src/main/engine/event-backlog.ts'

const keyOf = ({ payload }: Pick<EventFrame, 'payload'>): string => (payload as { key: string }).key

/** A client of a backlog, whose connection carries frames and the answer to `app.resume` in the order of sending. */
function client(backlog: () => EventBacklog) {
  const delivered: string[] = []
  const order = createEventOrder((frame) => delivered.push(keyOf(frame)))
  let line: (() => void)[] = []
  let isConnected = true
  let reloads = 0
  return {
    delivered,
    reloads: () => reloads,
    emit(key: string): void {
      const n = backlog().add('settings.changed', { key, value: '' })
      const frame = { event: 'settings.changed', payload: { key }, stream: backlog().stream, n: n as number } as const
      if (isConnected) line.push(() => order.receive(frame))
    },
    /** The next `count` frames arrive. */
    arrive(count: number): void {
      for (const frame of line.splice(0, count)) frame()
    },
    cut(): void {
      isConnected = false
      line = []
    },
    connect(): void {
      if (isConnected) return
      isConnected = true
      const last = order.position()
      if (!last) return
      order.hold()
      const answer = backlog().after(last.stream, last.after)
      line.push(() => {
        if (!order.resume(answer)) reloads += 1
      })
    }
  }
}

const step = fc.oneof(
  fc.record({ kind: fc.constant('emit' as const) }),
  fc.record({ kind: fc.constant('arrive' as const), count: fc.nat(4) }),
  fc.record({ kind: fc.constant('cut' as const) }),
  fc.record({ kind: fc.constant('connect' as const) })
)

describe('[WR-4] events over connections that are cut', () => {
  test('each arrives once and in order, wherever the cuts are', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const backlog = createEventBacklog()
        const { delivered, reloads, emit, arrive, cut, connect } = client(() => backlog)
        const sent = ['first']
        emit('first')
        arrive(1)
        for (const next of steps) {
          if (next.kind === 'emit') {
            sent.push(`e${sent.length}`)
            emit(sent.at(-1) as string)
          } else if (next.kind === 'arrive') arrive(next.count)
          else if (next.kind === 'cut') cut()
          else connect()
        }
        connect()
        arrive(1000)
        expect(delivered).toEqual(sent)
        expect(reloads()).toBe(0)
      })
    )
  })

  test('when more was missed than is kept, and of another engine, the client has to fetch again, once', () => {
    let backlog = createEventBacklog(3)
    const { delivered, reloads, emit, arrive, cut, connect } = client(() => backlog)
    const all = (...keys: string[]) => keys.forEach(emit)
    all('a')
    arrive(1)
    cut()
    all('b', 'c', 'd', 'e')
    connect()
    emit('f')
    arrive(9)
    expect([delivered, reloads()]).toEqual([['a', 'f'], 1])
    cut()
    all('g', 'h')
    connect()
    arrive(9)
    expect([delivered, reloads()]).toEqual([['a', 'f', 'g', 'h'], 1])
    cut()
    backlog = createEventBacklog()
    all('i')
    connect()
    all('j')
    arrive(9)
    expect([delivered, reloads()]).toEqual([['a', 'f', 'g', 'h', 'j'], 2])
  })

  test('the backlog keeps a bounded number of events and paths, and none about progress', () => {
    const backlog = createEventBacklog(100)
    const changed = (paths: number) =>
      backlog.add('workspace.changed', {
        workspace: 'w',
        rev: 1,
        kinds: ['edits'],
        paths: Array.from({ length: paths }, String)
      })
    expect([changed(60), changed(30), changed(20)]).toEqual([1, 2, 3])
    expect(backlog.after(backlog.stream, 0).missed).toBeNull()
    expect(backlog.after(backlog.stream, 1).missed?.map(({ n }) => n)).toEqual([2, 3])
    expect(backlog.after(backlog.stream, 4).missed).toBeNull()
    const progress = { workspace: 'w', restore: 'r', phase: 'write', done: 1, total: 2, path: '' } as const
    expect(backlog.add('restore.progress', progress)).toBeNull()
    expect(backlog.after(backlog.stream, 3)).toEqual({ stream: backlog.stream, last: 3, missed: [] })
  })
})
