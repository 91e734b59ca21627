import { describe, expect, it } from 'vitest'
import { createDirtySet } from '../../../../src/main/engine/watch/dirty-set.ts'
import { manualClock } from './manual-clock.ts'

function opened() {
  const clock = manualClock()
  const dirty = createDirtySet(clock)
  dirty.take(false)
  let notified = 0
  dirty.onDirty(() => notified++)
  return { clock, dirty, notified: () => notified }
}

describe('the dirty set', () => {
  it('returns all until everything was scanned once', () => {
    const dirty = createDirtySet(manualClock())
    expect(dirty.take(true)).toBe('all')
    expect(dirty.take(false)).toBe('all')
    expect(dirty.take(false)).toEqual({ paths: new Set(), trees: new Set() })
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

  it('returns each path once and drops it when taken', () => {
    const { dirty } = opened()
    dirty.addPath('a')
    dirty.addPath('a')
    expect(dirty.take(false)).toEqual({ paths: new Set(['a']), trees: new Set() })
    expect(dirty.take(false)).toEqual({ paths: new Set(), trees: new Set() })
  })

  it('returns only the outermost folders', () => {
    const { dirty } = opened()
    for (const folder of ['a/b', 'a', 'a/b/c', 'ab', 'x/y']) dirty.addTree(folder)
    expect(dirty.take(false)).toEqual({ paths: new Set(), trees: new Set(['a', 'ab', 'x/y']) })
    dirty.addTree('a')
    dirty.addTree('')
    expect(dirty.take(false)).toEqual({ paths: new Set(), trees: new Set(['']) })
  })

  it('requires a scan rather than holding more than 50,000 names', () => {
    const { dirty } = opened()
    for (let i = 0; i <= 50_000; i++) dirty.addPath(`f${i}`)
    expect(dirty.take(false)).toBe('all')
  })
})
