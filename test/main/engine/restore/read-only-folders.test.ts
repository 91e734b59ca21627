/** [RS-16] Read-only folders. Root is refused nothing, so the tests run as another user. */
import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { cutOffRestore } from '../../../support/crash-recorder.ts'
import { type RecordedFolder, recordedFolder } from '../../../support/recorded-folder.ts'
import { remove, writeFiles } from '../../../support/tree.ts'
import { asUnprivilegedUser } from '../../../support/unprivileged-user.ts'

const FILES = { 'lib/a': 'a', 'lib/sub/b': 'b', other: 'o' }

type Work = (root: string) => void
const modes =
  (mode: number, ...paths: string[]): Work =>
  (root) => {
    for (const path of paths) chmodSync(join(root, path), mode)
  }
const lock = modes(0o555, 'lib/sub', 'lib')
const unlock = modes(0o755, 'lib', 'lib/sub')

/** `make`: before the folder is recorded; `work`: the run. */
const CASES: readonly (readonly [title: string, make: Work, work: Work])[] = [
  [
    'a run deleted it',
    lock,
    (root) => {
      unlock(root)
      remove(root, 'lib')
    }
  ],
  [
    'a run replaced it by a file',
    lock,
    (root) => {
      unlock(root)
      remove(root, 'lib')
      writeFiles(root, { lib: 'a file' })
    }
  ],
  [
    'a run made it so after an edit',
    () => {},
    (root) => {
      remove(root, 'lib/a')
      writeFiles(root, { 'lib/sub/b': 'two', 'lib/new': 'n', 'lib/more/c': 'c' })
      lock(root)
    }
  ],
  [
    'a run made it writable for an edit',
    lock,
    (root) => {
      unlock(root)
      remove(root, 'lib/sub')
      writeFiles(root, { 'lib/a': 'two', 'lib/sub': 'a file' })
    }
  ]
]

/** Temporary folders are deleted by the same user. */
function makeDeletable({ root, tree }: RecordedFolder): void {
  for (const [path, entry] of Object.entries(tree())) if (entry.startsWith('dir ')) chmodSync(join(root, path), 0o755)
}

test.each(CASES)(
  '[RS-6] [RS-16] a read-only folder: %s; undo, its undo and redo are exact',
  {
    tags: ['posix']
  },
  (_, make, work) =>
    asUnprivilegedUser(async () => {
      await using folder = await recordedFolder({ files: FILES, make })
      const before = folder.tree()
      const run = await folder.run('work', () => work(folder.root))
      const after = folder.tree()
      for (const [request, tree] of [
        [{ kind: 'undo-run', run }, before],
        [{ kind: 'undo' }, after],
        [{ kind: 'redo' }, before],
        [{ kind: 'undo' }, after]
      ] as const) {
        const { state, refusal } = await folder.apply(request)
        expect([request.kind, state, refusal]).toEqual([request.kind, 'done', ''])
        expect(folder.tree()).toEqual(tree)
      }
      makeDeletable(folder)
    })
)

test(
  '[RS-7] [RS-16] a restore that was killed after it moved a read-only folder aside is finished and undone',
  {
    tags: ['posix']
  },
  () =>
    asUnprivilegedUser(async () => {
      for (const how of ['finish', 'undo'] as const) {
        await using folder = await recordedFolder({ files: FILES })
        const before = folder.tree()
        const run = await folder.run('replace', () => {
          remove(folder.root, 'other')
          writeFiles(folder.root, { 'other/x': 'x', 'other/sub/y': 'y' })
          modes(0o555, 'other/sub', 'other')(folder.root)
        })
        const after = folder.tree()
        await cutOffRestore(folder, { kind: 'undo-run', run }, 'placed:1')
        const { state } = await folder.apply({ kind: 'recover', how })
        expect(['done', 'nothing-to-do'], how).toContain(state)
        expect(folder.tree()).toEqual(how === 'finish' ? before : after)
        makeDeletable(folder)
      }
    })
)
