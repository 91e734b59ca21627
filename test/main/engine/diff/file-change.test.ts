import { expect, it } from 'vitest'
import type { FileVersion } from '../../../../src/contract/log.ts'
import type { PathChange } from '../../../../src/main/engine/diff/aggregate.ts'
import { contentKindOf, describeChange } from '../../../../src/main/engine/diff/describe-changes.ts'
import { ABSENT, file, link, versionOf } from './trees.ts'

const A = versionOf(file('a\n'))
const B = versionOf(file('b\n'))
const DIR: FileVersion = { ...ABSENT, kind: 'dir', mode: 0o755 }
const UNKNOWN: FileVersion = { ...ABSENT, kind: 'unknown' }
const change = (before: FileVersion, after: FileVersion, rest: Partial<PathChange> = {}): PathChange => ({
  path: 'p',
  before,
  after,
  attribution: 'declared',
  interleaved: false,
  ...rest
})

it('describes a change with all the keys of FILE', () => {
  const counted = describeChange(change(A, B), { added: 1, deleted: 2, hunks: 1 }, 'text')
  expect(counted).toEqual({
    path: 'p',
    change: 'modified',
    kind: 'text',
    added: 1,
    deleted: 2,
    hunks: 1,
    attribution: 'declared',
    interleaved: false,
    secret: false,
    counted: true
  })
  expect(describeChange(change(A, B), null, 'text')).toMatchObject({ added: 0, deleted: 0, hunks: 0, counted: false })
})

it.each<[string, PathChange]>([
  ['added', change(ABSENT, A)],
  ['deleted', change(A, ABSENT)],
  ['modified', change(A, B)],
  ['modified', change(A, { ...B, mode: 0o755 })],
  ['mode', change(A, { ...A, mode: 0o755 })],
  ['mode', change(DIR, { ...DIR, mode: 0o700 })],
  ['type', change(A, versionOf(link('x')))],
  ['type', change(DIR, A)],
  ['modified', change(versionOf(link('x')), versionOf(link('y')))],
  ['modified', change(UNKNOWN, A)],
  ['renamed', change(A, B, { oldPath: 'old' })]
])('calls it %s', (kind, one) => {
  expect(describeChange(one, null, 'text').change).toBe(kind)
})

it('[UI-1] gives the reason for missing content on either side', () => {
  const large: FileVersion = { ...ABSENT, kind: 'file', size: 60_000_000, notStored: 'too-large' }
  expect(describeChange(change(large, A), null, 'large').notStored).toBe('too-large')
  expect(describeChange(change(A, large), null, 'large').notStored).toBe('too-large')
  expect(describeChange(change(UNKNOWN, A), null, 'text').notStored).toBe('pending')
  expect(describeChange(change(A, B), null, 'text')).not.toHaveProperty('notStored')
})

it('marks secrets by the new and by the old name', () => {
  expect(describeChange(change(A, B, { path: '.env' }), null, 'text').secret).toBe(true)
  expect(describeChange(change(A, B, { oldPath: 'id_rsa' }), null, 'text').secret).toBe(true)
})

it('finds how content is shown from both sides', () => {
  const kind = (before: FileVersion, after: FileVersion, old: string | null, now: string | null) =>
    contentKindOf(change(before, after), old === null ? null : Buffer.from(old), now === null ? null : Buffer.from(now))
  expect(kind(A, B, 'a\n', 'b\n')).toBe('text')
  expect(kind(A, B, 'a\n', '\0')).toBe('binary')
  expect(kind(A, ABSENT, '\0', null)).toBe('binary')
  expect(kind(A, B, 'a\n', 'x'.repeat(6000))).toBe('large')
  expect(kind(A, { ...B, size: 60_000_000, notStored: 'too-large' }, 'a\n', null)).toBe('large')
  expect(kind(A, versionOf(link('x')), 'a\n', null)).toBe('symlink')
  expect(kind(versionOf(link('x')), ABSENT, null, null)).toBe('symlink')
  expect(kind(DIR, ABSENT, null, null)).toBe('dir')
  expect(kind(DIR, A, null, 'a\n')).toBe('text')
})
