/**
 * [RS-4] [RS-5] What goes wrong in the middle: no permission, no space, a failing disk, a file nobody lets go of, a folder
 * that becomes a link. Each ends refused or partial with a reason per file, and both trying again and undo are exact.
 */
import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { RestoreResult } from '../../../../src/contract/restore.ts'
import { outcomeReason } from '../../../../src/contract/words/plan.ts'
import { createPatience } from '../../../../src/main/engine/files/in-use.ts'
import { MANY_FILES } from '../../../../src/main/engine/files/sync-disks.ts'
import type { ApplyPoint } from '../../../../src/main/engine/restore/apply-state.ts'
import { openRecorder } from '../../../support/crash-recorder.ts'
import { failingDisk, fill, fillNames, mount, smallDisk } from '../../../support/faulty-disk.ts'
import { mountForeignDisk } from '../../../support/foreign-disk.ts'
import { type RecordedFolder, recordedFolder } from '../../../support/recorded-folder.ts'
import { expectSound } from '../../../support/round-trip.ts'
import { LONG } from '../../../support/scale.ts'
import { tempFolder } from '../../../support/tmp.ts'
import { readTree, remove, type Tree, writeFiles } from '../../../support/tree.ts'
import { asUnprivilegedUser } from '../../../support/unprivileged-user.ts'

/** More than what is free elsewhere on a disk that fails or is full. */
const LARGE = 'large content that has to be written\n'.repeat(16_000)
const BEFORE = {
  'd/edit': LARGE,
  'd/gone': 'gone',
  'd/sub/deep': 'deep',
  'd/mode': { bytes: 'm', mode: 0o644 },
  'd/link': { link: 'edit' },
  'd/swap': 'a file',
  other: 'one'
}

/** So many that they become durable together. */
const MANY = Object.fromEntries(Array.from({ length: MANY_FILES }, (_, n) => [`d/many/${n}`, `before ${n}`]))

function change(root: string): void {
  remove(root, 'd/gone', 'd/sub', 'd/link', 'd/swap')
  writeFiles(root, {
    'd/edit': 'two',
    'd/new': 'n',
    'd/newdir/x': 'x',
    'd/link': { link: 'mode' },
    'd/swap/in': 'i',
    other: 'two'
  })
  chmodSync(join(root, 'd/mode'), 0o755)
}

interface Fault {
  /** Brings it about; returns what ends it. Null: it cannot be had here. */
  begin(root: string): (() => void) | null
  readonly at: 'before' | ApplyPoint
  readonly ends: readonly string[] | string
  readonly reason: RegExp
}

interface Ended {
  readonly state: string
  readonly reasons: string
  /** Paths that were reported as done. */
  readonly done: readonly string[]
  /** Takes the fault away; null: it could not be had here. */
  readonly end: (() => void) | null
}

/** Undoes the run while the fault is there. */
async function applyFaulty(folder: RecordedFolder, run: string, { at, begin }: Fault): Promise<Ended> {
  const met: { end: (() => void) | null } = { end: null }
  if (at === 'before') {
    met.end = begin(folder.root)
    await folder.check()
  }
  await using open = openRecorder(folder.dataDir, folder.workspace)
  try {
    const { state, refusal, items } = await open.restore({
      request: { kind: 'undo-run', run },
      patience: createPatience(0),
      point: (point) => {
        if (point === at) met.end = begin(folder.root)
      }
    })
    for (const item of items) if (item.result === 'failed') expect(item.reason, item.path).toBeTruthy()
    const done = items.flatMap(({ path, result }) => (result === 'done' ? [path] : []))
    return { ...met, state, reasons: failuresOf({ refusal, items }), done }
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error
    return { ...met, state: String(error.code), reasons: error.message, done: [] }
  }
}

/** [fault] then [the same act again | undo]: the tree is exactly the one before the run, or the one after it. */
async function survives(
  fault: Fault,
  then: 'again' | 'undo',
  place?: string,
  more: Readonly<Record<string, string>> = {}
): Promise<boolean> {
  await using folder = await recordedFolder({
    files: { ...BEFORE, ...more },
    ...(place === undefined ? {} : { place })
  })
  const before = treeOf(folder)
  const run = await folder.run('everything', () => {
    change(folder.root)
    remove(folder.root, ...Object.keys(more))
  })
  const after = treeOf(folder)
  const ended = await applyFaulty(folder, run, fault)
  if (!ended.end) return false
  ended.end()
  expect(fault.ends, ended.reasons).toContain(ended.state)
  expect(ended.reasons).toMatch(fault.reason)
  const { workspace } = folder
  const { interruptedRestore } = await folder.engine.call('workspace.status', { workspace, check: true })
  const cutOff = ended.state === 'interrupted' || ended.state === 'FolderMissing'
  expect(interruptedRestore !== null, 'open only while something of ours lies about').toBe(cutOff)
  const wrote = cutOff || ended.state === 'partial' || ended.state === 'done'
  const now = treeOf(folder)
  if (!wrote) expect(now, 'nothing was changed').toEqual(after)
  for (const path of ended.done) if (before[path]) expect(now[path], `${path} is done`).toBe(before[path])
  if (then === 'again') {
    const again = await folder.apply(cutOff ? { kind: 'recover', how: 'finish' } : { kind: 'undo-run', run })
    expect(['done', 'nothing-to-do'], failuresOf(again)).toContain(again.state)
    expect(treeOf(folder)).toEqual(before)
  } else {
    if (wrote) {
      const back = await folder.apply(cutOff ? { kind: 'recover', how: 'undo' } : { kind: 'undo' })
      expect(['done', 'nothing-to-do'], failuresOf(back)).toContain(back.state)
    }
    expect(treeOf(folder)).toEqual(after)
  }
  await expectSound(folder)
  return true
}

/** Why it did not end well, for a failed expectation. */
function failuresOf({ refusal, items }: Pick<RestoreResult, 'refusal' | 'items'>): string {
  const failed = items.filter((item) => item.result === 'failed')
  return [refusal, ...failed.map((item) => `${item.path}: ${outcomeReason(item)}`)].join('; ')
}

/** Without what the disk itself holds, and what the faults need. */
function treeOf(folder: RecordedFolder): Tree {
  return Object.fromEntries(
    Object.entries(readTree(folder.root)).filter(([path]) => !/^(lost\+found|ballast|filler|fillers)/.test(path))
  )
}

const BOTH = ['again', 'undo'] as const
/** A fault ends in both ways in the long form, else in one. */
const wayOf = (then: (typeof BOTH)[number], way: (typeof BOTH)[number], ...tags: readonly string[]) => ({
  tags: then === way ? [...tags] : [...tags, 'long']
})
/** Of the moments of one fault, each once and every second one for each way; all for both in the long form. */
const momentsFor = (then: (typeof BOTH)[number], ...points: readonly ApplyPoint[]): readonly ApplyPoint[] =>
  LONG ? points : points.filter((_, n) => (n % 2 === 0) === (then === 'again'))
/** Windows has no folders that refuse to be written in by their mode. */
const POSIX = { tags: ['posix'] }
const locked = (root: string): (() => void) => {
  chmodSync(join(root, 'd'), 0o555)
  return () => chmodSync(join(root, 'd'), 0o755)
}

for (const then of BOTH) {
  test(
    `[RS-4] EACCES: a read-only folder refuses it before anything changed; ${then} is exact`,
    wayOf(then, 'again', 'posix'),
    () =>
      asUnprivilegedUser(async () => {
        expect(
          await survives(
            {
              at: 'before',
              begin: locked,
              ends: 'refused',
              reason: /Couldn't write d\/.*permission.*Nothing was changed/
            },
            then
          )
        ).toBe(true)
      })
  )

  test.each(momentsFor(then, 'checked', 'placed:1', ...(LONG ? (['aside', 'placed', 'removed'] as const) : [])))(
    `[RS-5] EACCES: a folder that becomes read-only (%s) makes it partial; ${then} is exact`,
    POSIX,
    (at) =>
      asUnprivilegedUser(async () => {
        expect(
          await survives(
            { at, begin: locked, ends: ['interrupted', 'partial', 'done'], reason: /^; d\/[^;]*permission|^$/ },
            then
          )
        ).toBe(true)
      })
  )

  test(
    `[RS-5] EROFS: a disk that becomes read-only in the middle makes it partial; ${then} is exact`,
    wayOf(then, 'undo'),
    async ({ skip }) => {
      const begin = (root: string): (() => void) | null => {
        const at = join(root, 'd')
        const mounted = mount(at, ['--bind', at])
        if (!mounted) return null
        mount(at, ['-o', 'remount,bind,ro'])
        return () => mounted[Symbol.dispose]()
      }
      if (
        !(await survives(
          { at: 'checked', begin, ends: ['interrupted'], reason: /^; d\/[^;]*the disk is read-only/ },
          then
        ))
      )
        skip('the right to mount a disk')
    }
  )

  test(
    `[RS-5] EBUSY: a file that stays open is failed with its reason; ${then} is exact`,
    wayOf(then, 'again'),
    async ({ skip }) => {
      const begin = (root: string): (() => void) | null => {
        const mounted = mount(join(root, 'd/edit'), ['--bind', join(root, 'd/edit')])
        return mounted && (() => mounted[Symbol.dispose]())
      }
      if (
        !(await survives(
          { at: 'before', begin, ends: ['partial'], reason: /^; d\/edit: it is open in another program$/ },
          then
        ))
      )
        skip('the right to mount a disk')
    }
  )

  test(
    `[RS-4] ENOSPC: a full disk refuses it before anything changed; ${then} is exact`,
    wayOf(then, 'undo'),
    async ({ skip }) => {
      using temp = tempFolder()
      using disk = smallDisk(join(temp.path, 'project'), '2m')
      if (!disk) return skip('the right to mount a disk')
      const begin = (root: string): (() => void) => {
        const filler = fill(root)
        return () => rmSync(filler)
      }
      await survives(
        { at: 'before', begin, ends: 'DiskFull', reason: /Not enough disk space.*Nothing was changed/ },
        then,
        temp.path
      )
    }
  )

  test(
    `[RS-5] ENOSPC: no room for a folder in the middle makes it partial; ${then} is exact`,
    wayOf(then, 'again'),
    async ({ skip }) => {
      using temp = tempFolder()
      using disk = smallDisk(join(temp.path, 'project'), '8m', ',nr_inodes=60')
      if (!disk) return skip('the right to mount a disk')
      const begin = (root: string): (() => void) => {
        const fillers = fillNames(root)
        return () => rmSync(fillers, { recursive: true })
      }
      await survives({ at: 'checked', begin, ends: ['partial'], reason: /d\/sub: the disk is full/ }, then, temp.path)
    }
  )

  test.for([
    ['files', {}],
    ['many files', MANY]
  ] as const)(
    `[RS-4] EIO: a disk that fails while %s are staged refuses it; ${then} is exact once it is whole`,
    wayOf(then, 'undo'),
    async ([, more], { skip }) => {
      using temp = tempFolder()
      using disk = failingDisk(join(temp.path, 'project'))
      if (!disk) return skip('the right to mount a disk')
      const begin = (): (() => void) => {
        disk.fail()
        return () => disk.heal()
      }
      // Linux reports ENOSPC or ENOMEM where it cannot flush what it cached, because it finds no room for more then.
      await survives(
        {
          at: 'before',
          begin,
          ends: ['refused', 'DiskFull'],
          reason: /(Couldn't write d\/|Not enough disk space).*Nothing was changed/
        },
        then,
        temp.path,
        more
      )
    }
  )

  test.for(momentsFor(then, 'staged', 'checked', 'placed:1', 'removed', 'verified'))(
    `[RS-7] a disk pulled out (%s): nothing is lost, and once it is back ${then} is exact`,
    async (at, { skip }) => {
      using temp = tempFolder()
      using disk = mountForeignDisk('ntfs', join(temp.path, 'project'))
      if (!disk) return skip('the right to mount a disk')
      const begin = (): (() => void) => {
        disk.kill()
        return () => disk.again()
      }
      const ends = at === 'verified' ? 'done' : at === 'staged' ? 'FolderMissing' : 'interrupted'
      const reason = at === 'verified' ? /^$/ : /its disk is unreachable/
      await survives({ at, begin, ends: [ends], reason }, then, temp.path)
    }
  )

  test.each(momentsFor(then, 'checked', 'placed:1', ...(LONG ? (['aside', 'placed'] as const) : [])))(
    `[CP-4] [RS-5] a folder replaced by a link (%s) makes it partial or refused; ${then} is exact once it is back`,
    { tags: ['links'] },
    async (at) => {
      const begin = (root: string): (() => void) => {
        mkdirSync(join(root, '../elsewhere'))
        renameSync(join(root, 'd'), join(root, '../d-moved'))
        symlinkSync('../elsewhere', join(root, 'd'))
        return () => {
          expect(readTree(join(root, '../elsewhere')), 'nothing lies behind the link').toEqual({})
          rmSync(join(root, 'd'))
          renameSync(join(root, '../d-moved'), join(root, 'd'))
        }
      }
      await survives({ at, begin, ends: ['interrupted', 'partial'], reason: /^; d\// }, then)
    }
  )

  test(
    `[RS-4] a folder with unrecorded files is kept and reported; ${then} is exact once they are gone`,
    wayOf(then, 'again'),
    async () => {
      const begin = (root: string): (() => void) => {
        writeFiles(root, { 'd/newdir/mine': 'mine' })
        return () => rmSync(join(root, 'd/newdir/mine'))
      }
      await survives({ at: 'checked', begin, ends: ['done'], reason: /^$/ }, then)
    }
  )
}

test('[RS-4] EACCES: a link in a read-only folder refuses the restore, too', { tags: ['posix', 'links'] }, () =>
  asUnprivilegedUser(async () => {
    await using folder = await recordedFolder({ files: { 'd/link': { link: 'one' }, other: 'one' } })
    const run = await folder.run('edit', () => {
      remove(folder.root, 'd/link')
      writeFiles(folder.root, { 'd/link': { link: 'two' }, other: 'two' })
    })
    const after = folder.tree()
    const end = locked(folder.root)
    const { state, refusal } = await folder.apply({ kind: 'undo-run', run })
    end()
    expect([state, refusal]).toEqual(['refused', expect.stringMatching(/d\/link.*permission.*Nothing was changed/)])
    expect(folder.tree()).toEqual(after)
  })
)

test(
  '[RS-7] a recovery that meets the same fault does no harm: without the fault, finish and undo are exact',
  POSIX,
  () =>
    asUnprivilegedUser(async () => {
      for (const how of ['finish', 'undo'] as const) {
        await using folder = await recordedFolder({ files: BEFORE })
        const before = treeOf(folder)
        const run = await folder.run('everything', () => change(folder.root))
        const after = treeOf(folder)
        const ended = await applyFaulty(folder, run, { at: 'placed:1', begin: locked, ends: [], reason: /^/ })
        expect(ended.state).toBe('interrupted')
        await expect(folder.apply({ kind: 'recover', how })).rejects.toMatchObject({
          code: 'Refused',
          message: expect.stringMatching(/Couldn't clean up .* in d: permission denied.*Nothing is lost/)
        })
        ended.end?.()
        expect((await folder.apply({ kind: 'recover', how })).state).toBe('done')
        expect(treeOf(folder)).toEqual(how === 'finish' ? before : after)
        await expectSound(folder)
      }
    })
)
