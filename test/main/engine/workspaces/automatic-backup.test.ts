/** [BK-3] When backups start by themselves, and how their end is kept. */
import { expect, test } from 'vitest'
import {
  type AutomaticBackup,
  type BackupEnd,
  createAutomaticBackup
} from '../../../../src/main/engine/workspaces/automatic-backup.ts'
import { createManualClock } from '../../../support/manual-clock.ts'

const MINUTE = 60_000
const REPOSITORY = '/backups'

/** A recorder that can be started again with what it stored; each backup ends when the test says so. */
function createScene(stored = new Map<string, string>()) {
  const clock = createManualClock()
  const settings = { 'backup.repository': REPOSITORY, 'backup.delay': '1', 'backup.interval': '0' }
  const running: ((end: BackupEnd) => void)[] = []
  const scene = { restoreOpen: false, started: 0, changes: 0 }
  const backup: AutomaticBackup = createAutomaticBackup({
    clock,
    setting: (key) => settings[key],
    readStored: (key) => stored.get(key) ?? null,
    store: (key, value) => void stored.set(key, value),
    isRestoreOpen: () => scene.restoreOpen,
    backUp: () => {
      scene.started++
      return new Promise((end) => running.push(end))
    },
    onChanged: () => void scene.changes++
  })
  const end = async (ok: boolean, message: string): Promise<void> => {
    running.shift()?.({ ok, message })
    // What follows the end runs in microtasks.
    await new Promise(setImmediate)
  }
  return { clock, settings, stored, scene, backup, end }
}

test('[BK-3] runs that end one after another give one backup, ten minutes after the first of them at most', () => {
  const { clock, scene, backup } = createScene()
  backup.request()
  clock.jump(MINUTE - 1)
  backup.request()
  clock.jump(MINUTE - 1)
  expect(scene.started).toBe(0)
  clock.jump(1)
  expect(scene.started).toBe(1)
  const busy = createScene()
  for (let seconds = 0; seconds < 600; seconds += 30) {
    busy.backup.request()
    busy.clock.jump(30_000)
  }
  expect(busy.scene.started).toBe(1)
})

test('[BK-3] a run that ends during a backup gets the next one, and two never run at once', async () => {
  const { clock, scene, backup, end } = createScene()
  backup.request()
  clock.jump(MINUTE)
  backup.request()
  clock.jump(20 * MINUTE)
  expect(scene.started).toBe(1)
  await end(true, 'done')
  clock.jump(MINUTE)
  expect(scene.started).toBe(2)
})

test('[BK-3] none starts while a restore is open', () => {
  const { clock, scene, backup } = createScene()
  scene.restoreOpen = true
  backup.request()
  clock.jump(MINUTE)
  clock.jump(10_000)
  expect(scene.started).toBe(0)
  scene.restoreOpen = false
  clock.jump(10_000)
  expect(scene.started).toBe(1)
})

test('[BK-3] how the last one ended is kept, and one that failed is tried again', async () => {
  const { clock, stored, scene, backup, end } = createScene()
  expect(backup.state()).toEqual({ repository: REPOSITORY, startedAt: null, last: null })
  backup.request()
  clock.jump(MINUTE)
  expect(backup.state()?.startedAt).toBe(clock.now())
  await end(false, 'no route to host')
  const failed = { repository: REPOSITORY, at: clock.now(), ok: false, message: 'no route to host' }
  expect(backup.state()).toEqual({ repository: REPOSITORY, startedAt: null, last: failed })
  expect(createScene(stored).backup.state()?.last).toEqual(failed)
  clock.jump(60 * MINUTE)
  await end(true, 'done')
  expect(backup.state()?.last).toMatchObject({ ok: true, message: 'done' })
  expect(scene.changes).toBe(4)
  clock.jump(600 * MINUTE)
  expect(scene.started).toBe(2)
})

test('[BK-3] what a recorder leaves undone, the next one does', () => {
  const first = createScene()
  first.backup.request()
  first.clock.jump(MINUTE)
  first.backup.close()
  const second = createScene(first.stored)
  second.clock.jump(MINUTE)
  expect(second.scene.started).toBe(1)
})

test('[BK-3] without a repository nothing is due, and nothing is shown', () => {
  const { clock, settings, stored, scene, backup } = createScene()
  settings['backup.repository'] = ''
  backup.request()
  clock.jump(60 * MINUTE)
  expect([scene.started, backup.state(), stored.size]).toEqual([0, null, 0])
})

test('[BK-3] with an interval a backup starts each time it is over, not after each run, and again by the next recorder', async () => {
  const { clock, scene, settings, stored, backup, end } = createScene()
  settings['backup.interval'] = '60'
  backup.request()
  clock.jump(MINUTE)
  expect(scene.started).toBe(1)
  await end(true, 'done')
  backup.request()
  clock.jump(59 * MINUTE)
  expect(scene.started).toBe(1)
  clock.jump(MINUTE)
  expect(scene.started).toBe(2)
  await end(true, 'done')
  clock.jump(60 * MINUTE)
  expect(scene.started).toBe(3)
  await end(false, 'no connection')
  clock.jump(60 * MINUTE)
  expect(scene.started).toBe(4)
  await end(true, 'done')
  backup.close()
  expect(stored.get('backup.due')).toBe('')
})
