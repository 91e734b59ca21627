import { describe, expect, it } from 'vitest'
import { createDirtySet } from '../../../../src/main/engine/watch/dirty-set.ts'
import { manualClock } from './manual-clock.ts'

function opened() {
  const clock = manualClock()
  const dirty = createDirtySet(clock)
  dirty.take(false)
  let told = 0
  dirty.onDirty(() => told++)
  return { clock, dirty, told: () => told }
}

describe('the dirty set', () => {
  it('answers all until somebody has read everything once', () => {
    const dirty = createDirtySet(manualClock())
    expect(dirty.take(true)).toBe('all')
    expect(dirty.take(false)).toBe('all')
    expect(dirty.take(false)).toEqual({ paths: new Set(), trees: new Set() })
  })

  it('speaks after 100 ms of quiet', () => {
    const { clock, dirty, told } = opened()
    dirty.addPath('a')
    clock.advance(60)
    dirty.addPath('b')
    clock.advance(99)
    expect(told()).toBe(0)
    clock.advance(1)
    expect(told()).toBe(1)
    clock.advance(10_000)
    expect(told()).toBe(1)
  })

  it('speaks 400 ms after the first event even if it never gets quiet', () => {
    const { clock, dirty, told } = opened()
    dirty.addPath('a')
    for (let ms = 0; ms < 390; ms += 10) {
      clock.advance(10)
      dirty.addPath('a')
    }
    expect(told()).toBe(0)
    clock.advance(10)
    expect(told()).toBe(1)
  })

  it('gives each path once and forgets it when taken', () => {
    const { dirty } = opened()
    dirty.addPath('a')
    dirty.addPath('a')
    expect(dirty.take(false)).toEqual({ paths: new Set(['a']), trees: new Set() })
    expect(dirty.take(false)).toEqual({ paths: new Set(), trees: new Set() })
  })

  it('names only the outermost folders', () => {
    const { dirty } = opened()
    for (const folder of ['a/b', 'a', 'a/b/c', 'ab', 'x/y']) dirty.addTree(folder)
    expect(dirty.take(false)).toEqual({ paths: new Set(), trees: new Set(['a', 'ab', 'x/y']) })
    dirty.addTree('a')
    dirty.addTree('')
    expect(dirty.take(false)).toEqual({ paths: new Set(), trees: new Set(['']) })
  })

  it('asks for a scan rather than holding more than 50,000 names', () => {
    const { dirty } = opened()
    for (let i = 0; i <= 50_000; i++) dirty.addPath(`f${i}`)
    expect(dirty.take(false)).toBe('all')
  })
})
