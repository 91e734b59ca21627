/** [LG-5] A watch that starts lists only the folders whose names may be others than those of the log. */
import { lstatSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { recordedRoot } from '../../../../src/main/engine/capture/recorded-folder.ts'
import { systemClock } from '../../../../src/main/engine/ports/clock.ts'
import { openStore, type Store } from '../../../../src/main/engine/store/open-store.ts'
import { run, transact } from '../../../../src/main/engine/store/sql.ts'
import { watchFolder } from '../../../../src/main/engine/watch/watcher.ts'
import { storeFile } from '../../../../src/main/engine/workspaces/store-file.ts'
import { recordedFolder } from '../../../support/recorded-folder.ts'
import { writeFiles } from '../../../support/tree.ts'
import { reaches } from '../watch/recorder.ts'

const FILES = { top: '', 'a/b/f': '', 'a/c/f': '', 'a/g': '' }

/** A store of a folder with FILES, as if its last scan were an hour later: by then its stats are trusted (DR-2). */
async function recorded(body: (root: string, store: Store, barrierDir: string) => unknown): Promise<void> {
  await using folder = await recordedFolder({ files: FILES })
  await folder.engine.close()
  const store = openStore(storeFile(folder.dataDir, folder.workspace))
  transact(store, (tx) => run(tx, 'UPDATE path SET seen = seen + 3600000'))
  try {
    await body(folder.root, store, join(folder.dataDir, 'barrier'))
  } finally {
    store.close()
    await folder.reopen()
  }
}

test('a folder whose times are those recorded has the names of the log, any other has to be listed', () =>
  recorded((root, store) => {
    const entries = recordedRoot(store, root)?.entries(lstatSync(root))
    expect(entries?.files).toBe(1)
    expect(entries?.folders.map(({ name }) => name)).toEqual(['a'])
    const [a] = entries?.folders ?? []
    expect(a?.entries(lstatSync(join(root, 'a')))?.folders.map(({ name }) => name)).toEqual(['b', 'c'])
    writeFiles(root, { 'a/new': '' })
    expect(a?.entries(lstatSync(join(root, 'a')))).toBeNull()
  }))

test('no folder is taken from a log that is not complete', () =>
  recorded((root, store) => {
    transact(store, (tx) => run(tx, "UPDATE meta SET value = 'copying' WHERE key = 'coverage'"))
    expect(recordedRoot(store, root)).toBeNull()
  }))

test('a watch that starts with the log reports changes in old folders and in those that came since', () =>
  recorded(async (root, store, barrierDir) => {
    mkdirSync(join(root, 'a/new/deep'), { recursive: true })
    rmSync(join(root, 'a/c'), { recursive: true })
    const watch = watchFolder({
      ...{ root, barrierDir, clock: systemClock },
      ignoresDir: () => false,
      recorded: () => recordedRoot(store, root)
    })
    try {
      await reaches(watch, 'live')
      watch.take()
      writeFiles(root, { 'a/b/f': 'changed', 'a/new/deep/g': '', top: 'changed' })
      expect(await watch.barrier()).toBe(true)
      expect(watch.take()).toEqual({ paths: new Set(['a/b/f', 'a/new/deep/g', 'top']), trees: new Set() })
    } finally {
      await watch.close()
    }
  }))
