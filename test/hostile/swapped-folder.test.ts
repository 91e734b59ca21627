/** [CP-4] A restore while another process swaps a folder and a file for links that point out of the workspace. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, lstatSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createPatience } from '../../src/main/engine/files/in-use.ts'
import { openRecorder } from '../support/crash-recorder.ts'
import { type RecordedFolder, recordedFolder } from '../support/recorded-folder.ts'
import { tempFolder } from '../support/tmp.ts'
import { readTree, remove, writeFiles } from '../support/tree.ts'

const ROUNDS = process.env.DRIFTLINE_TESTS === 'long' ? 40 : 8
const made = (text: string): Record<string, string> =>
  Object.fromEntries(Array.from({ length: 60 }, (_, i) => [i % 4 === 0 ? `d/e${i}/file` : `d/f${i}`, text]))

/** Stops the swapping process, and waits until it has stopped: a signal takes a moment. */
async function pause(swapper: ChildProcess, folder: RecordedFolder): Promise<void> {
  swapper.kill('SIGSTOP')
  const state = (): string =>
    readFileSync(`/proc/${swapper.pid}/stat`, 'utf8')
      .replace(/^.*\) /, '')
      .slice(0, 1)
  await expect.poll(state, { interval: 1 }).toBe('T')
  for (const name of ['d', 'f']) {
    const [at, link, real] = [name, `.${name}-link`, `.${name}-real`].map((part) => join(folder.root, part))
    const isLink = lstatSync(at as string, { throwIfNoEntry: false })?.isSymbolicLink()
    if (isLink) renameSync(at as string, link as string)
    if (existsSync(real as string) && !existsSync(at as string)) renameSync(real as string, at as string)
    else rmSync(real as string, { recursive: true, force: true })
  }
}

/** Applies the request while the names are swapped, from the checks to the last change. */
async function restoreSwapped(swapper: ChildProcess, folder: RecordedFolder, run: string): Promise<void> {
  await using recorder = openRecorder(folder.dataDir, folder.workspace)
  await recorder.restore({
    request: { kind: 'undo-run', run },
    patience: createPatience(0),
    point: (point) => {
      if (point === 'checked') swapper.kill('SIGCONT')
    }
  })
  await pause(swapper, folder)
}

test('[CP-4] nothing outside is created, renamed, deleted or changed in mode, in any phase', {
  tags: ['linux', 'links'],
  timeout: 60_000 + ROUNDS * 2000
}, async () => {
  using outside = tempFolder()
  writeFiles(outside.path, { ...made('outside'), 'd/kept': 'outside', f: 'outside' })
  const untouched = readTree(outside.path)
  await using folder = await recordedFolder({
    files: {
      'd/kept': 'inside',
      f: 'inside',
      '.gitignore': '.[df]-*\n',
      '.d-link': { link: join(outside.path, 'd') },
      '.f-link': { link: join(outside.path, 'f') }
    }
  })
  const swapper = fork(join(import.meta.dirname, 'link-flipper.ts'), [folder.root], { execArgv: [] })
  await once(swapper, 'message')
  try {
    await pause(swapper, folder)
    for (let round = 0; round < ROUNDS; round++) {
      const change = (): void =>
        writeFiles(folder.root, { ...made(`made ${round}`), 'd/kept': `${round}`, f: `${round}` })
      await restoreSwapped(swapper, folder, await folder.run('change', change))
      expect(readTree(outside.path)).toEqual(untouched)
      const { interruptedRestore } = await folder.engine.call('workspace.status', {
        workspace: folder.workspace,
        check: true
      })
      if (interruptedRestore) await folder.apply({ kind: 'recover', how: 'undo' })
      remove(folder.root, 'd')
      writeFiles(folder.root, { 'd/kept': 'inside', f: 'inside' })
    }
    const before = readTree(folder.root)
    const run = await folder.run('the last change', () => writeFiles(folder.root, made('last')))
    expect((await folder.apply({ kind: 'undo-run', run })).state).toBe('done')
    expect(readTree(folder.root)).toEqual(before)
    expect((await folder.engine.call('doctor.run', { deep: true })).problems).toEqual([])
  } finally {
    swapper.kill('SIGKILL')
    await once(swapper, 'exit')
  }
})
