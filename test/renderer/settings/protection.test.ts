/** Protecting an ignored folder and removing the protection, as two settings. */
import { expect, test } from 'vitest'
import { protect, unprotect, unprotected } from '../../../src/renderer/features/settings/excluded-paths.tsx'

const NONE = { include: [], never: [] }

test('protecting, unprotecting and protecting again restores the settings and keeps other lines', () => {
  const mine = { include: ['out'], never: ['*.log'] }
  const kept = protect(mine, 'dist')
  expect(kept).toEqual({ include: ['out', 'dist'], never: ['*.log'] })
  const left = unprotect(kept, 'dist')
  expect(left).toEqual({ include: ['out'], never: ['*.log', '/dist/'] })
  expect(unprotect(left, 'dist')).toEqual(left)
  expect(unprotected(left)).toEqual(['dist'])
  expect(protect(left, 'dist')).toEqual(kept)
})

test('special pattern characters in a folder name match only that folder', () => {
  for (const folder of ['a b', 'a*b', '[x]/!y', '#1', 'back\\slash', 'deep/down']) {
    const left = unprotect(NONE, folder)
    expect(unprotected(left), folder).toEqual([folder])
    expect(protect(left, folder).never).toEqual([])
  }
})
