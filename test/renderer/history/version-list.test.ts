import { expect, test } from 'vitest'
import { versionRails } from '../../../src/renderer/features/history/version-list.tsx'
import { first, outside, version } from '../../contract/make.ts'

test('the rail leads around the versions a restore undid, and bends at outside changes', () => {
  const rails = versionRails([
    version({ ...outside, seq: 9, drift: 'open' }),
    version({ ...outside, origin: 'restore', seq: 8, back: 2 }),
    version({ seq: 5, inForce: false }),
    version({ seq: 2 }),
    version({ ...first })
  ])
  const kinds = rails.map(({ paths }) => [...new Set(paths.map(({ style }) => style))])
  expect(kinds).toEqual([['off', 'warn'], ['axis', 'off', 'back'], ['off', 'back'], ['off', 'back'], ['axis']])
})
