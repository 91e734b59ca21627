/**
 * Programs that write at the same time beside a live recorder, which is killed in the middle of it: each pin is what was on
 * disk, and so is what is restored from it. Real processes and a real watch; the seed decides the changes, not their order.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createCliProject } from '../main/cli/cli-project.ts'
import { endRecorder } from '../support/end-recorder.ts'
import { seededRandom } from '../support/random-writer.ts'
import { limitFor, SEED, scaled } from '../support/scale.ts'
import { readTree, type Tree } from '../support/tree.ts'

const ROUNDS = scaled(2)
const WRITERS = ['p', 'q', 'r']
const WRITER = join(import.meta.dirname, '../support/random-writer.ts')

test(`[CK-2] [DR-1] [RS-6] [LG-5] beside a live recorder that is killed, ${ROUNDS} pins are what was on disk (seed ${SEED})`, {
  tags: ['posix'],
  timeout: limitFor(ROUNDS * 10)
}, async () => {
  const project = createCliProject(undefined, { DRIFTLINE_RECORDER: '' })
  const random = seededRandom(SEED)
  const below = (count: number): number => Math.floor(random() * count)
  const pins: { readonly id: string; readonly tree: Tree }[] = []
  const apply = async (...args: string[]): Promise<string> => {
    const { doc } = await project.json<{ state: string; refusal?: string }>([...args, '--yes'])
    expect(['done', 'nothing-to-do'], `${args.join(' ')}: ${doc.refusal}`).toContain(doc.state)
    return doc.state
  }
  const pin = async (): Promise<void> => {
    const tree = readTree(project.root)
    const { doc } = await project.json<{ checkpoint: string }>(['checkpoint'])
    pins.push({ id: doc.checkpoint, tree })
    const now = await project.json<{ files: unknown[] }>(['diff', doc.checkpoint, '--to', 'now'])
    expect(now.doc.files).toEqual([])
  }
  try {
    for (const name of WRITERS) mkdirSync(join(project.root, name))
    await project.add()
    for (let round = 0; round < ROUNDS; round++) {
      const killedAfter = random() < 0.4 ? below(20) : null
      await write(project.root, below, async (changes) => {
        if (changes === killedAfter) await endRecorder(project.data)
      })
      await pin()
      if (random() < 0.5) continue
      const { id, tree } = pins[below(pins.length)] as (typeof pins)[number]
      const before = readTree(project.root)
      const state = await apply('restore', id, '--outside', 'replace')
      expect(readTree(project.root)).toEqual(tree)
      if (state === 'done') await apply('undo')
      expect(readTree(project.root)).toEqual(before)
    }
    for (const { id, tree } of pins.slice(-3)) {
      await apply('restore', id, '--outside', 'replace')
      expect(readTree(project.root)).toEqual(tree)
    }
    expect((await project.json<{ problems: unknown[] }>(['doctor'])).doc.problems).toEqual([])
  } finally {
    await endRecorder(project.data)
    project.remove()
  }
})

/** Lets all writers work at the same time. `onChange` is called with the number of changes that the first has made. */
async function write(
  root: string,
  below: (count: number) => number,
  onChange: (changes: number) => Promise<void>
): Promise<void> {
  const writers = WRITERS.map((name) => {
    const args = [WRITER, join(root, name), String(below(2 ** 31)), String(20 + below(40))]
    return spawn(process.execPath, ['--experimental-strip-types', '--no-warnings', ...args], {
      stdio: ['ignore', 'pipe', 'inherit']
    })
  })
  const ended = writers.map(async (writer) => {
    const [code] = await once(writer, 'close')
    expect(code).toBe(0)
  })
  let changes = 0
  for await (const dots of writers[0]?.stdout ?? []) for (const _ of String(dots)) await onChange(changes++)
  await Promise.all(ended)
}
