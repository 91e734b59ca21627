/** [DR-1] Which stats stand for what is recorded: where one part differs, a file is read and a folder is listed again. */
import type { Stats } from 'node:fs'
import { expect, test } from 'vitest'
import { isListingUnchanged, isUnchanged, sameStat } from '../../../../src/main/engine/capture/stat-compare.ts'
import type { Signature } from '../../../../src/main/engine/files/signature.ts'
import type { Head } from '../../../../src/main/engine/store/paths.ts'
import type { StatRow } from '../../../../src/main/engine/store/stat-cache.ts'

const STAT: Signature = { kind: 'file', ino: 7, size: 3, mtime: 1000, ctime: 1000, mode: 0o644 }
const headOf = (signature: Signature | null, more: Partial<Head> = {}): Head => ({
  ...{ id: 1, parent: 0, path: 'a', version: 1, edit: 0, statAt: 60_000, covered: true },
  signature,
  ...more
})
const TYPES = { file: 0o100000, symlink: 0o120000, dir: 0o040000, special: 0o010000 }
const KINDS = { file: 1, symlink: 2, dir: 3, special: 4 }
const rowOf = ({ kind, ino, size, mtime, ctime, mode }: Signature, covered = 1): StatRow => [
  ...([1, 'a', KINDS[kind], ino, size, mtime, ctime, mode, 60_000, covered, 0] as const)
]
const statsOf = ({ kind, ino, size, mtime, ctime, mode }: Signature): Stats =>
  ({ ino, size, mtimeMs: mtime, ctimeMs: ctime, mode: TYPES[kind] | mode }) as Stats

/** Another value of each part. */
const OTHERS = { kind: 'symlink', ino: 8, size: 4, mtime: 999, ctime: 999, mode: 0o600 } as const

test.each(Object.entries(OTHERS))('[DR-1] a file is read again if its %s differs alone', (part, value) => {
  const other = { ...STAT, [part]: value }
  expect([isUnchanged(headOf(STAT), STAT, false), isUnchanged(headOf(STAT), other, false)]).toEqual([true, false])
  expect([sameStat(rowOf(STAT), statsOf(STAT)), sameStat(rowOf(STAT), statsOf(other))]).toEqual([true, false])
})

test('[DR-1] so is one that has no version or no stat yet, and every file of a deep scan', () => {
  expect(isUnchanged(headOf(STAT, { version: null }), STAT, false)).toBe(false)
  expect(isUnchanged(headOf(null), STAT, false)).toBe(false)
  expect(isUnchanged(headOf(STAT), STAT, true)).toBe(false)
})

test.each(['mtime', 'ctime'] as const)('[DR-2] a stat is trusted from 2 s after its %s on', (time) => {
  const young = { ...STAT, [time]: 58_001 }
  const old = { ...STAT, [time]: 58_000 }
  expect([isUnchanged(headOf(young), young, false), isUnchanged(headOf(old), old, false)]).toEqual([false, true])
  expect([sameStat(rowOf(young), statsOf(young)), sameStat(rowOf(old), statsOf(old))]).toEqual([false, true])
  expect([isListingUnchanged(headOf(young), young), isListingUnchanged(headOf(old), old)]).toEqual([false, true])
})

test.each(['ino', 'mtime', 'ctime'] as const)('[LG-5] a folder is listed again if its %s differs alone', (part) => {
  const folder: Signature = { ...STAT, kind: 'dir', mode: 0o755 }
  const other = { ...folder, [part]: OTHERS[part] }
  expect([isListingUnchanged(headOf(folder), folder), isListingUnchanged(headOf(folder), other)]).toEqual([true, false])
})

test('[LG-5] so is one that is not covered, or has no stat', () => {
  const folder: Signature = { ...STAT, kind: 'dir', mode: 0o755 }
  expect(isListingUnchanged(headOf(folder, { covered: false }), folder)).toBe(false)
  expect(isListingUnchanged(headOf(null), folder)).toBe(false)
  expect([sameStat(rowOf(folder), statsOf(folder)), sameStat(rowOf(folder, 0), statsOf(folder))]).toEqual([true, false])
})
