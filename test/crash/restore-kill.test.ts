/** [RS-7] A restore killed at every named moment: nothing is written until a person says so, then Finish and Undo both work. */
import { chmodSync, cpSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { expect, test } from 'vitest'
import { KILLED, runCrashChild } from '../support/crash-process.ts'
import { recordedFolder } from '../support/recorded-folder.ts'
import { LONG } from '../support/scale.ts'
import { type Content, readTree, remove, writeFiles } from '../support/tree.ts'

/** Every kind of change, swaps of kind with content on both sides among them. */
const BEFORE: Record<string, Content> = {
  same: 'same\n',
  text: 'one\ntwo\n',
  binary: Buffer.from([0, 255, 1, 254]),
  gone: 'deleted by the run',
  'gone-tree/a': 'a',
  'gone-tree/deep/b': 'b',
  script: { bytes: '#!/bin/sh\n', mode: 0o644 },
  link: { link: 'text' },
  'dir-to-file/x': 'x',
  'dir-to-file/sub/y': 'y',
  'file-to-dir': 'was a file',
  'dir-to-link/z': 'z',
  'link-to-dir': { link: 'nowhere' },
  'file-to-link': 'plain',
  'link-to-file': { link: 'text' },
  'empty-dir': null
}

function change(root: string): void {
  remove(root, 'gone', 'gone-tree', 'link', 'dir-to-file', 'file-to-dir', 'dir-to-link', 'link-to-dir', 'file-to-link')
  remove(root, 'link-to-file', 'empty-dir')
  chmodSync(join(root, 'script'), 0o755)
  writeFiles(root, {
    text: 'one\nTWO\n',
    binary: Buffer.from([9, 9, 9]),
    link: { link: 'script' },
    'dir-to-file': 'now a file',
    'file-to-dir/new': 'inside',
    'file-to-dir/deep/new2': 'inside',
    'dir-to-link': { link: 'script' },
    'link-to-dir/k': 'k',
    'file-to-link': { link: 'text' },
    'link-to-file': 'plain now',
    'added/new/file': 'new'
  })
}

/** Copies a folder with its times, and with the modes of its folders, which `cpSync` leaves out. */
function copyFolder(from: string, to: string): void {
  rmSync(to, { recursive: true, force: true })
  cpSync(from, to, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true })
  const folders = readdirSync(from, { recursive: true, withFileTypes: true }).filter((entry) => entry.isDirectory())
  for (const { parentPath, name } of folders) {
    const folder = relative(from, join(parentPath, name))
    chmodSync(join(to, folder), statSync(join(from, folder)).mode & 0o7777)
  }
}

function ours(root: string): string[] {
  return (readdirSync(root, { recursive: true }) as string[]).filter((name) => name.includes('.driftline-'))
}

/**
 * The number after a point is that of its step. The later ones are the same place in the code, with more behind it; within the
 * process, a restore is cut off at every point by test/property/history.property.test.ts.
 */
const POINTS = LONG
  ? [
      ...[
        'journalled',
        'staged',
        'checked',
        'aside:1',
        'aside',
        'made:1',
        'placed:1',
        'placed',
        'removed:1',
        'removed'
      ],
      ...['modes:1', 'verified', 'made:3', 'placed:4', 'removed:4', 'modes']
    ]
  : ['staged', 'aside:1', 'placed:1', 'verified']

const WAYS = ['finish', 'undo'] as const
/** Every moment and each way, in the long form both ways from every moment. */
const KILLS = POINTS.map((at, n) => ({ at, ways: LONG ? WAYS : WAYS.filter((_, way) => way === n % 2) }))

test.each(KILLS)(
  '[A24] [RS-7] killed at $at: reported by status, written by nobody, and recover $ways ends exactly there',
  async ({ at, ways }) => {
    await using recorded = await recordedFolder({ files: BEFORE })
    const { workspace } = recorded
    const before = recorded.tree()
    const run = await recorded.run('everything', () => change(recorded.root))
    const after = recorded.tree()
    await recorded.engine.close()
    const ended = await runCrashChild(recorded, { do: 'restore', request: { kind: 'restore', target: run }, at })
    expect(ended, ended.errors).toMatchObject(KILLED)
    const left = readTree(recorded.root)
    const places = [recorded.root, recorded.dataDir]
    if (ways.length > 1) for (const place of places) copyFolder(place, `${place}.left`)

    for (const [n, how] of ways.entries()) {
      if (n > 0) {
        // The same killed restore once more.
        await recorded.engine.close()
        for (const place of places) copyFolder(`${place}.left`, place)
      }
      await recorded.reopen()
      const status = await recorded.engine.call('workspace.status', { workspace, check: true })
      expect(status.interruptedRestore).toMatchObject({ written: expect.any(Number), total: expect.any(Number) })
      // Known by stats alone, which copies do not keep.
      if (n === 0 && ['journalled', 'staged', 'checked'].includes(at))
        expect(status.interruptedRestore?.written).toBe(0)
      expect(status.drift, 'what a restore wrote is not drift').toEqual([])
      await expect(recorded.apply({ kind: 'restore', target: run })).rejects.toMatchObject({ code: 'Refused' })
      await expect(recorded.apply({ kind: 'undo' })).rejects.toMatchObject({ code: 'Refused' })
      expect(readTree(recorded.root), 'nothing is written by itself').toEqual(left)

      const result = await recorded.apply({ kind: 'recover', how })
      expect(result, JSON.stringify(result.items.filter((item) => item.result !== 'done'))).toMatchObject({
        state: expect.stringMatching(/^(done|nothing-to-do)$/)
      })
      expect(ours(recorded.root)).toEqual([])
      expect(readTree(recorded.root), how).toEqual(how === 'finish' ? before : after)
      const then = await recorded.engine.call('workspace.status', { workspace, check: true })
      expect([then.interruptedRestore, then.drift]).toEqual([null, []])
      expect((await recorded.engine.call('doctor.run', { deep: true })).problems).toEqual([])
    }
  }
)
