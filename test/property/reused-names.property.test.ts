/**
 * [RS-20] [RS-6] Random runs that write, move, swap and replace files of few names, each tool call recorded by itself: the
 * undo of the newest run gives the very bytes from before it, and undo and redo of that give both states again.
 */
import { appendFileSync, lstatSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import type { RestoreRequest } from '../../src/contract/restore.ts'
import { seededRandom } from '../support/random-writer.ts'
import { type RecordedFolder, recordedFolder } from '../support/recorded-folder.ts'
import { LONG, limitFor, SEED, scaled } from '../support/scale.ts'
import type { Tree } from '../support/tree.ts'

const HISTORIES = LONG ? scaled(4) : 8
const RUNS = 4
const NAMES = ['a', 'b', 'c', 'd/a', 'd/b', 'e/a']

test(`[RS-20] [RS-6] ${HISTORIES} random histories: the undo of a run returns every file whose name it reused (seed ${SEED})`, {
  timeout: limitFor(HISTORIES)
}, async () => {
  for (let history = 0; history < HISTORIES; history++) await play(SEED + history)
})

async function play(seed: number): Promise<void> {
  const random = seededRandom(seed)
  const below = (count: number): number => Math.floor(random() * count)
  await using folder = await recordedFolder({ files: { a: 'first\n', b: 'second\n', 'd/a': 'third\n' } })
  for (let n = 0; n < RUNS; n++) {
    const done: string[] = []
    const before = folder.tree()
    const run = await folder.run('work', async () => {
      for (let calls = 1 + below(3); calls > 0; calls--) {
        for (let changes = 1 + below(3); changes > 0; changes--) done.push(change(folder.root, below))
        await folder.check()
      }
    })
    const after = folder.tree()
    const what = `seed ${seed}, run ${n}: ${done.join(', ')}`
    if (!(await become(folder, { kind: 'undo-run', run }, before, what)) || random() < 0.2) continue
    await become(folder, { kind: 'undo' }, after, what)
    if (random() < 0.5) continue
    await become(folder, { kind: 'redo' }, before, what)
    await become(folder, { kind: 'undo' }, after, what)
  }
}

/** False when there was nothing to do. */
async function become(folder: RecordedFolder, request: RestoreRequest, wanted: Tree, what: string): Promise<boolean> {
  const { state } = await folder.apply(request)
  expect(['done', 'nothing-to-do'], `${request.kind} of ${what}`).toContain(state)
  expect(folder.tree(), `${request.kind} of ${what}`).toEqual(wanted)
  return state === 'done'
}

/** Makes one change, where it is possible. Returns what it did. */
function change(root: string, below: (count: number) => number): string {
  const pick = <T>(all: readonly T[]): T => all[below(all.length)] as T
  const at = (name: string): string => join(root, name)
  const kindOf = (path: string): 'file' | 'folder' | null => {
    const stat = lstatSync(path, { throwIfNoEntry: false })
    return stat ? (stat.isFile() ? 'file' : 'folder') : null
  }
  const [name, other, text] = [pick(NAMES), pick(NAMES), `${'unchanged\n'.repeat(below(2) * 9)}${below(1e6)}\n`]
  const isFile = kindOf(at(name)) === 'file'
  const canHold = kindOf(at(other)) !== 'folder' && kindOf(dirname(at(other))) !== 'file'
  const move = (from: string, to: string): void => {
    mkdirSync(dirname(at(to)), { recursive: true })
    renameSync(at(from), at(to))
  }
  const changes = {
    write: () => {
      if (!canHold) return
      mkdirSync(dirname(at(other)), { recursive: true })
      writeFileSync(at(other), text)
    },
    append: () => isFile && appendFileSync(at(name), text),
    remove: () => isFile && rmSync(at(name)),
    move: () => isFile && canHold && move(name, other),
    rotate: () => {
      if (!isFile || !canHold) return
      move(name, other)
      writeFileSync(at(name), text)
    },
    swap: () => {
      if (!isFile || kindOf(at(other)) !== 'file' || name === other) return
      move(name, 'between')
      move(other, name)
      move('between', other)
    },
    'move the folder': () => {
      const [from, to] = pick(['de', 'ed', 'db', 'be'])
      if (from && to && kindOf(at(from)) === 'folder' && kindOf(at(to)) === null) move(from, to)
    }
  }
  const kind = pick(['move', 'move', ...Object.keys(changes)]) as keyof typeof changes
  changes[kind]()
  return `${kind} ${name} ${other}`
}
