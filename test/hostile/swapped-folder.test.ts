/**
 * [CP-4] Restores and file tools while another process swaps a folder and a file for links that point out of the
 * workspace.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, lstatSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { DriftlineError } from '../../src/contract/errors.ts'
import { createPatience } from '../../src/main/engine/files/in-use.ts'
import { prepareEdit, prepareWrite } from '../../src/main/engine/tools/edit-tools.ts'
import { prepareCreateDir, prepareRemoveDir } from '../../src/main/engine/tools/folder-tools.ts'
import { prepareCopy, prepareDelete, prepareMove } from '../../src/main/engine/tools/move-tools.ts'
import type { PreparedUse, ToolContext } from '../../src/main/engine/tools/prepared-use.ts'
import { readFile } from '../../src/main/engine/tools/read-tool.ts'
import { openRecorder } from '../support/crash-recorder.ts'
import { type RecordedFolder, recordedFolder } from '../support/recorded-folder.ts'
import { tempFolder } from '../support/tmp.ts'
import { toolUser } from '../support/tool-client.ts'
import { type Content, readTree, remove, writeFiles } from '../support/tree.ts'

const ROUNDS = process.env.DRIFTLINE_TESTS === 'long' ? 40 : 2
const made = (text: string): Record<string, string> =>
  Object.fromEntries(Array.from({ length: 60 }, (_, i) => [i % 4 === 0 ? `d/e${i}/file` : `d/f${i}`, text]))

/** Files, and the links to the same names outside that take their places. */
const withLinks = (outside: string): Record<string, Content> => ({
  'd/kept': 'inside',
  f: 'inside',
  '.gitignore': '.[df]-*\n',
  '.d-link': { link: join(outside, 'd') },
  '.f-link': { link: join(outside, 'f') }
})

/** Starts the swapping process, and stops it until SIGCONT. */
async function startSwapper(folder: RecordedFolder): Promise<ChildProcess> {
  const swapper = fork(join(import.meta.dirname, 'link-flipper.ts'), [folder.root], { execArgv: [] })
  await once(swapper, 'message')
  await pause(swapper, folder)
  return swapper
}

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
  await using folder = await recordedFolder({ files: withLinks(outside.path) })
  const swapper = await startSwapper(folder)
  try {
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

const DRAFT = '.driftline-draft.new'

/** One use of each file tool, prepared in the moment in which it is applied. */
const USES: readonly ((context: ToolContext) => PreparedUse)[] = [
  (context) => prepareWrite(context, { tool: 'write_file', path: 'd/made', content: 'made' }),
  (context) => prepareWrite(context, { tool: 'write_file', path: 'd/kept', content: 'inside' }),
  (context) => prepareEdit(context, { tool: 'edit_file', path: 'd/kept', old: 'inside', new: 'inside, edited' }),
  (context) => prepareCopy(context, { tool: 'copy_file', source: 'd/kept', destination: 'copy', overwrite: true }),
  (context) => prepareMove(context, { tool: 'move_file', source: 'd/made', destination: 'd/moved' }),
  (context) => prepareMove(context, { tool: 'move_file', source: 'copy', destination: 'd/e/moved', overwrite: true }),
  (context) => prepareCreateDir(context, { tool: 'create_dir', path: 'd/new/inner' }),
  (context) => prepareWrite(context, { tool: 'write_file', path: 'd/new/inner/file', content: 'made' }),
  (context) => prepareDelete(context, { tool: 'delete_file', path: 'd/moved' }),
  (context) => prepareRemoveDir(context, { tool: 'remove_dir', path: 'd/new', force: true }),
  (context) => prepareRemoveDir(context, { tool: 'remove_dir', path: 'd/e', force: true }),
  (context) => {
    const answer = readFile(context, { tool: 'read_file', path: 'd/kept' })
    expect(answer.text?.content).not.toContain('outside')
    return { changes: [], destroys: [], apply: null, answer }
  }
]

/** Everything in a folder, and the times of its folders, which change when a draft comes and goes. */
const stateOf = (root: string) => [
  readTree(root),
  ['d', 'd/e', 'd/new', 'd/new/inner'].map((path) => lstatSync(join(root, path)).mtimeMs)
]

/** Whether the use was applied. A refusal is as good; any other error fails the test. */
async function apply(use: (typeof USES)[number], context: ToolContext): Promise<boolean> {
  try {
    const prepared = use(context)
    await prepared.apply?.(DRAFT)
    return true
  } catch (error) {
    if (error instanceof DriftlineError) return false
    throw error
  }
}

test('[CP-4] no file tool reads, creates, renames or deletes anything outside', {
  tags: ['linux', 'links'],
  timeout: 60_000 + ROUNDS * 2000
}, async () => {
  using outside = tempFolder()
  const names = ['kept', 'made', 'moved', 'e/moved', 'new/inner/file']
  writeFiles(outside.path, { ...Object.fromEntries(names.map((name) => [`d/${name}`, 'outside'])), f: 'outside' })
  const untouched = stateOf(outside.path)
  await using folder = await recordedFolder({ files: withLinks(outside.path) })
  const swapper = await startSwapper(folder)
  try {
    const applied = new Set<number>()
    {
      await using opened = openRecorder(folder.dataDir, folder.workspace)
      for (let round = 0; round < ROUNDS * 10; round++) {
        swapper.kill('SIGCONT')
        for (const [n, use] of USES.entries()) if (await apply(use, opened.recorder)) applied.add(n)
        // A folder made while the name was free would block the swapping.
        await pause(swapper, folder)
        writeFiles(folder.root, { 'd/kept': 'inside' })
        expect(stateOf(outside.path)).toEqual(untouched)
      }
    }
    expect(applied.size).toBeGreaterThan(0)
    const inside = Object.entries(readTree(folder.root))
    const content = Buffer.from('outside').toString('base64')
    expect(inside.filter(([path, entry]) => path.endsWith(DRAFT) || entry.endsWith(content))).toEqual([])
    await toolUser(folder).use({ tool: 'write_file', path: 'd/kept', content: 'at rest' })
    expect(readFileSync(join(folder.root, 'd/kept'), 'utf8')).toBe('at rest')
    expect(stateOf(outside.path)).toEqual(untouched)
  } finally {
    swapper.kill('SIGKILL')
    await once(swapper, 'exit')
  }
})
