import { describe, expect, it } from 'vitest'
import { createDirtySet, type Dirty } from '../../../../src/main/engine/watch/dirty-set.ts'
import { manualClock } from './manual-clock.ts'

function opened() {
  const clock = manualClock()
  const dirty = createDirtySet(clock)
  dirty.take()
  let notified = 0
  dirty.onDirty(() => notified++)
  return { clock, dirty, notified: () => notified }
}

describe('the dirty set', () => {
  it('returns all until everything was scanned once', () => {
    const dirty = createDirtySet(manualClock())
    expect(dirty.take({ keepLost: true })).toBe('all')
    expect(dirty.take()).toBe('all')
    expect(dirty.take()).toEqual({ paths: new Set(), trees: new Set() })
  })

  it('notifies after 100 ms without events', () => {
    const { clock, dirty, notified } = opened()
    dirty.addPath('a')
    clock.advance(60)
    dirty.addPath('b')
    clock.advance(99)
    expect(notified()).toBe(0)
    clock.advance(1)
    expect(notified()).toBe(1)
    clock.advance(10_000)
    expect(notified()).toBe(1)
  })

  it('notifies 400 ms after the first event even if events continue', () => {
    const { clock, dirty, notified } = opened()
    dirty.addPath('a')
    for (let ms = 0; ms < 390; ms += 10) {
      clock.advance(10)
      dirty.addPath('a')
    }
    expect(notified()).toBe(0)
    clock.advance(10)
    expect(notified()).toBe(1)
  })

  it('[CP-2] gives a check in the background nothing that may be half written, and notifies again', () => {
    const { clock, dirty, notified } = opened()
    dirty.addPath('a')
    // The check waited for something else meanwhile.
    clock.advance(5000)
    expect(notified()).toBe(1)
    dirty.addPath('b')
    expect(dirty.take({ onlyQuiet: true })).toEqual({ paths: new Set(), trees: new Set() })
    clock.advance(100)
    expect(notified()).toBe(2)
    expect(dirty.take({ onlyQuiet: true })).toEqual({ paths: new Set(['a', 'b']), trees: new Set() })
  })

  it('gives a check in the background what is written without a pause after 400 ms, and any other check at once', () => {
    const { clock, dirty } = opened()
    const taken = [0, 1, 2, 3, 4, 5].map(() => {
      clock.advance(90)
      dirty.addPath('a')
      const { paths } = dirty.take({ onlyQuiet: true }) as Exclude<Dirty, 'all'>
      return paths.size
    })
    expect(taken).toEqual([0, 0, 0, 0, 0, 1])
    dirty.addPath('b')
    expect(dirty.take()).toEqual({ paths: new Set(['b']), trees: new Set() })
  })

  it('returns each path once and drops it when taken', () => {
    const { dirty } = opened()
    dirty.addPath('a')
    dirty.addPath('a')
    expect(dirty.take()).toEqual({ paths: new Set(['a']), trees: new Set() })
    expect(dirty.take()).toEqual({ paths: new Set(), trees: new Set() })
  })

  it('returns only the outermost folders', () => {
    const { dirty } = opened()
    for (const folder of ['a/b', 'a', 'a/b/c', 'ab', 'x/y']) dirty.addTree(folder)
    expect(dirty.take()).toEqual({ paths: new Set(), trees: new Set(['a', 'ab', 'x/y']) })
    dirty.addTree('a')
    dirty.addTree('')
    expect(dirty.take()).toEqual({ paths: new Set(), trees: new Set(['']) })
  })

  it('requires a scan rather than holding more than 50,000 names', () => {
    const { dirty } = opened()
    for (let i = 0; i <= 50_000; i++) dirty.addPath(`f${i}`)
    expect(dirty.take()).toBe('all')
  })
})
