/** [B22] Plans for a disk that takes several spellings of a name for one; test/disks carries them out on such a disk. */
import { expect, test } from 'vitest'
import { noteText } from '../../../../src/contract/words/plan.ts'
import { parentOf } from '../../../../src/main/engine/files/paths.ts'
import { foldName } from '../../../../src/main/engine/files/spelling.ts'
import { planRestore } from '../../../../src/main/engine/restore/plan.ts'
import type { PathInput } from '../../../../src/main/engine/restore/plan-items.ts'
import { ABSENT } from '../../../../src/main/engine/store/fixed-versions.ts'

const FILE = { ...ABSENT, kind: 'file' as const, size: 1, mode: 0o644, hash: 'h' }
const DIR = { ...ABSENT, kind: 'dir' as const, mode: 0o755 }
type State = typeof ABSENT | typeof FILE | typeof DIR

/**
 * The action, or the note of a kept path, when a folder with the versions `now` is restored to `target`. `renamed`: present
 * and old names.
 */
function planned(
  now: Record<string, State>,
  target: Record<string, State>,
  { folds = true, renamed = {} }: { folds?: boolean; renamed?: Record<string, string> } = {}
): Record<string, string> {
  const nowOf = (path: string): State => now[path] ?? ABSENT
  const moveOf = (to: string | undefined): PathInput['move'] =>
    to === undefined ? null : { to, nowThere: nowOf(to), left: { version: ABSENT, base: 0 } }
  const paths = [...new Set([...Object.keys(now), ...Object.keys(target), ...Object.keys(renamed)])].map(
    (path): PathInput => ({
      path,
      now: nowOf(path),
      target: target[renamed[path] ?? path] ?? ABSENT,
      base: 0,
      foreign: [],
      foreignCause: 'after-restore',
      merge: null,
      onlyByMerge: false,
      move: moveOf(renamed[path])
    })
  )
  const { items } = planRestore({
    paths,
    nowOf,
    presentIn: (folder) => Object.keys(now).filter((path) => parentOf(path) === folder),
    lastFolder: () => null,
    resolutions: {},
    defaultResolution: 'keep',
    ...(folds ? { fold: foldName } : {})
  })
  return Object.fromEntries(
    items.map((item) => [item.path, item.action === 'keep' ? noteText(item.note) : item.action])
  )
}

test('a name restored in another spelling replaces the spelling that is removed', () => {
  expect(planned({ a: FILE, dir: DIR, 'dir/x': FILE }, { A: FILE, Dir: DIR, 'Dir/x': FILE })).toEqual({
    A: 'create',
    Dir: 'mkdir',
    'Dir/x': 'create',
    a: 'delete',
    dir: 'rmdir',
    'dir/x': 'delete'
  })
})

test('a present name is kept, and a colliding one is reported; on a case-sensitive disk both are restored', () => {
  const [now, target] = [{ README: FILE }, { README: FILE, readme: FILE }]
  expect(planned(now, target)).toEqual({ readme: 'conflicts with README on this case-insensitive disk' })
  expect(planned(now, target, { folds: false })).toEqual({ readme: 'create' })
})

test('of two colliding names the first is restored with its content, and the other is not', () => {
  expect(planned({}, { Src: DIR, 'Src/a': FILE, src: DIR, 'src/b': FILE })).toEqual({
    Src: 'mkdir',
    'Src/a': 'create',
    src: 'conflicts with Src on this case-insensitive disk',
    'src/b': 'conflicts with Src on this case-insensitive disk'
  })
})

test('composed and decomposed letters are one name, too', () => {
  expect(planned({ '\u00e9': FILE }, { '\u00e9': FILE, 'e\u0301': FILE })).toEqual({
    'e\u0301': 'conflicts with \u00e9 on this case-insensitive disk'
  })
})

test('a file that was renamed by letter case and then deleted is restored', () => {
  const target = { d: DIR, 'd/x': FILE }
  expect(planned({ D: DIR }, target, { renamed: { 'D/x': 'd/x' } })).toEqual({
    D: 'rmdir',
    'D/x': 'delete',
    d: 'mkdir',
    'd/x': 'create'
  })
})

test('a kept folder keeps its content', () => {
  const kept = { ...DIR, notStored: 'ignored' as const }
  const now = { dir: DIR, 'dir/x': FILE, 'dir/built': kept }
  expect(planned(now, { Dir: DIR, 'Dir/x': FILE, 'dir/built': kept })).toEqual({
    Dir: 'conflicts with dir on this case-insensitive disk',
    'Dir/x': 'conflicts with dir on this case-insensitive disk',
    dir: 'still contains built',
    'dir/x': 'kept: its replacement cannot be written'
  })
})

test('[B22] a plan reads only the folders of the names that it makes, however large the rest is', () => {
  const read: string[] = []
  const now: Record<string, State> = { big: DIR, 'big/x': FILE, src: DIR, 'src/A': FILE, 'src/b': FILE }
  const pathOf = (path: string, target: State): PathInput => ({
    ...{ path, now: now[path] ?? ABSENT, target, base: 0, foreign: [], foreignCause: 'after-restore' as const },
    ...{ merge: null, onlyByMerge: false, move: null }
  })
  const { items } = planRestore({
    paths: [pathOf('src/a', FILE), pathOf('src/b', { ...FILE, hash: 'other' })],
    nowOf: (path) => now[path] ?? ABSENT,
    presentIn: (folder) => {
      read.push(folder)
      return Object.keys(now).filter((path) => parentOf(path) === folder)
    },
    lastFolder: () => null,
    ...{ resolutions: {}, defaultResolution: 'keep', fold: foldName }
  })
  expect(items.map(({ path, action, note }) => [path, action, note && noteText(note)])).toEqual([
    ['src/a', 'keep', expect.stringContaining('src/A')],
    ['src/b', 'write', null]
  ])
  expect(read.sort()).toEqual(['', 'src'])
})
