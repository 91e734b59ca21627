/** [DR-6] A watch that loses events without knowing, as macOS lets it, is found out by a scan. */
import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { WatcherState, WatchHandles } from '../../../../src/contract/workspace.ts'
import { captureNewlyCovered, checkDisk } from '../../../../src/main/engine/drift/check.ts'
import type { EventSink, FolderEventsOptions } from '../../../../src/main/engine/watch/folder-events.ts'
import { watchFolder } from '../../../../src/main/engine/watch/watcher.ts'
import { openWorkspace } from '../../../../src/main/engine/workspaces/open-workspace.ts'
import { createRegistry } from '../../../../src/main/engine/workspaces/registry.ts'
import type { OpenWorkspace } from '../../../../src/main/engine/workspaces/workspace.ts'
import { INGEST_PROGRAM } from '../../../support/programs.ts'
import { type RecordedFolder, recordedFolder } from '../../../support/recorded-folder.ts'
import { type ManualClock, manualClock } from '../watch/manual-clock.ts'

const MINUTES = 60_000

interface Watched {
  readonly folder: RecordedFolder
  readonly open: OpenWorkspace
  readonly clock: ManualClock
  /** Reports that a path changed, as the system does. */
  report(path: string): void
  /** Writes a file of which no event comes. */
  writeSilently(path: string): void
  /** Resolves when all checks that were started have ended. */
  settled(): Promise<void>
}

/** A watched folder whose events the test gives, with a clock that it moves. */
async function watched(body: (watched: Watched) => Promise<void>, showsLoss = false): Promise<void> {
  await using folder = await recordedFolder({ files: { a: 'a', b: 'b', 'd/c': 'c' } })
  const clock = manualClock()
  const sinks: EventSink[] = []
  const source = ({ sink }: FolderEventsOptions) => {
    sinks.push(sink)
    setImmediate(() => sink.ready())
    const settled = async (): Promise<void> => {}
    return {
      showsLoss,
      handles: (): WatchHandles => 'chokidar',
      folders: () => 1,
      settled,
      rulesChanged() {},
      close: settled
    }
  }
  const registry = createRegistry(folder.dataDir, (opening) =>
    openWorkspace({
      ...opening,
      dataDir: folder.dataDir,
      home: folder.home,
      clock,
      watching: 'on',
      watchFolder: (options) => watchFolder({ ...options, source }),
      ingestProgram: INGEST_PROGRAM,
      emit: () => {},
      onGitChange: () => {},
      filesOfWorktree: async () => [],
      revive: () => null
    })
  )
  try {
    const open = registry.open(folder.workspace)
    const settled = (): Promise<void> => open.lock.run(async () => {})
    const state = (): string => open.watcherState().state
    while (state() !== 'live') await new Promise(setImmediate)
    // The first check after a start is a scan.
    clock.advance(1000)
    await settled()
    await body({
      folder,
      open,
      clock,
      report: (path) => sinks.at(-1)?.pathChanged(path),
      writeSilently: (path) => writeFileSync(join(folder.root, path), `changed ${clock.now()}`),
      settled
    })
  } finally {
    await registry.close()
  }
}

const content = (folder: RecordedFolder, path: string): string =>
  folder.store((store) => {
    const { hash } = store.records.version(store.records.head(path)?.version ?? store.records.absent)
    return String(hash)
  })

test('[DR-6] a change that no event reported is found within minutes, and the watch starts again', () =>
  watched(async ({ folder, open, clock, report, writeSilently, settled }) => {
    const before = content(folder, 'd/c')
    writeSilently('a')
    writeSilently('d/c')
    report('a')
    clock.advance(1000)
    await settled()
    expect(content(folder, 'd/c'), 'not reported').toBe(before)
    clock.advance(5 * MINUTES)
    clock.advance(1000)
    while (content(folder, 'd/c') === before) {
      // A slow comparison rests.
      clock.advance(16)
      await new Promise(setImmediate)
    }
    await settled()
    expect(open.watcherState().state, 'its event may be late').toBe('live')
    const lateBy = (ms: number): WatcherState => {
      clock.advance(ms)
      return open.watcherState().state
    }
    await expect.poll(() => lateBy(5000)).toBe('starting')
    expect(open.watcherState().why).toEqual({ code: 'unreported' })
    clock.advance(500)
    while (open.watcherState().state !== 'live') await new Promise(setImmediate)
  }))

test('[DR-6] an event that comes late is not lost: the watch continues', () =>
  watched(async ({ open, clock, report, writeSilently, settled }) => {
    writeSilently('a')
    report('a')
    clock.advance(1000)
    await settled()
    writeSilently('b')
    let done = false
    const refreshed = open.lock.run(() => open.refresh('position')).finally(() => (done = true))
    while (!done) {
      // The barrier waits until no event comes.
      clock.advance(10)
      await new Promise(setImmediate)
    }
    await refreshed
    report('b')
    clock.advance(5000)
    await settled()
    expect(open.watcherState()).toMatchObject({ state: 'live', why: null })
  }))

test('[DR-6] where nothing changed since the last scan, or lost events show, there is no scan to verify the watch', async () => {
  for (const showsLoss of [false, true])
    await watched(async ({ folder, clock, report, writeSilently, settled }) => {
      const before = content(folder, 'b')
      if (showsLoss) {
        writeSilently('a')
        report('a')
        clock.advance(1000)
        await settled()
      }
      writeSilently('b')
      clock.advance(20 * MINUTES)
      await settled()
      expect(content(folder, 'b')).toBe(before)
    }, showsLoss)
})

test('[DR-1] what was reported to a check that failed, or during which the folder vanished, is compared by the next check', () =>
  watched(async ({ folder, open, report }) => {
    const check = (recordLateResults: () => void = () => {}) =>
      open.lock.run(() => checkDisk({ ...open, recordLateResults }, 'present'))
    const before = content(folder, 'a')
    writeFileSync(join(folder.root, 'a'), 'changed')
    report('a')
    const failing = check(() => {
      throw new Error('no result')
    })
    await expect(failing).rejects.toThrow('no result')
    await check()
    expect(content(folder, 'a')).not.toBe(before)

    rmSync(join(folder.root, 'b'))
    report('b')
    // The folder above is moved and comes back: the watch of the folder itself has no event of that.
    await check(() => renameSync(folder.root, `${folder.root}-away`))
    renameSync(`${folder.root}-away`, folder.root)
    await check()
    expect(content(folder, 'b')).toBe('null')
  }, true))

test('[DR-1] what is covered from now on is recorded later if the folder is missing at that moment', () =>
  watched(async ({ folder, open, writeSilently }) => {
    writeSilently('d/new')
    renameSync(folder.root, `${folder.root}-away`)
    await open.lock.run(() => captureNewlyCovered(open, ['d']))
    renameSync(`${folder.root}-away`, folder.root)
    await open.lock.run(() => checkDisk(open, 'present'))
    expect(open.store.records.head('d/new')).not.toBeNull()
  }, true))
