import { expect, test } from 'vitest'
import type { PathVersion } from '../../../src/contract/log.ts'
import { versionWords, whyNotShown } from '../../../src/renderer/features/diff/version-words.ts'

const at = new Date(2026, 10, 20, 14, 8).getTime()
const version = (more: Partial<PathVersion>): PathVersion => ({
  seq: 3,
  origin: 'agent',
  run: 'run_1',
  prompt: 'Round half to even\nand more',
  at,
  kind: 'file',
  size: 1900,
  hash: 'a',
  stored: true,
  ...more
})

test.each([
  [{}, '14:08 · Round half to even · 1.9 kB'],
  [{ origin: 'outside', run: null, prompt: null }, '14:08 · changed outside · 1.9 kB'],
  [{ origin: 'outside', run: null, prompt: null, kind: 'absent' }, '14:08 · deleted outside'],
  [{ kind: 'absent' }, '14:08 · deleted, Round half to even'],
  [{ origin: 'baseline', run: null, prompt: null }, '14:08 · from the first copy · 1.9 kB'],
  [{ origin: 'restore', run: null, prompt: null }, '14:08 · restored · 1.9 kB']
] as const)('a version says when, who and how large: %o', (more, words) => {
  expect(versionWords(version(more), at)).toBe(words)
})

test('[UI-1] a version whose content is not kept says so; one that did not exist can be looked at', () => {
  expect(whyNotShown(version({ stored: false }))).toBe('Its content is not kept')
  expect(whyNotShown(version({ stored: false, kind: 'absent' }))).toBeNull()
})
