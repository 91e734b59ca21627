/** Restores of many files, killed from outside at any moment: the more kills, the more moments. */
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { startCrashChild } from '../support/crash-process.ts'
import { recordedFolder } from '../support/recorded-folder.ts'
import { LONG, limitFor, SEED, scaled } from '../support/scale.ts'
import { readTree, remove, writeFiles } from '../support/tree.ts'
import { createRandom } from './random.ts'

const KILLS = scaled(3)
const FILES = LONG ? 300 : 80

test(
  `[RS-7] ${KILLS} restores of ${FILES} files killed at random times: each is reported, and finishes or is undone exactly (seed ${SEED})`,
  async () => {
    const files = Object.fromEntries(
      Array.from({ length: FILES }, (_, i) => [`d${i % 11}/f${i}`, `old ${i}\n`.repeat(i % 40)])
    )
    await using folder = await recordedFolder({ files })
    const old = folder.tree()
    const run = await folder.run('all', () => {
      for (const [i, path] of Object.keys(files).entries()) {
        if (i % 7 === 0) remove(folder.root, path)
        else writeFiles(folder.root, { [path]: `new ${i}\n` })
      }
      writeFiles(folder.root, { 'added/one': '1', 'added/two/deep': '2' })
    })
    const changed = folder.tree()
    const { workspace } = folder
    const random = createRandom(SEED)
    let longest = 400
    let interrupted = 0
    for (let kill = 0; kill < KILLS; kill++) {
      const started = performance.now()
      const { child, ended } = startCrashChild(folder, { do: 'restore', request: { kind: 'undo-run', run } })
      await once(child, 'message')
      const after = kill === 0 ? 60_000 : random.below(longest)
      const timer = setTimeout(() => child.kill('SIGKILL'), after)
      const end = await ended
      clearTimeout(timer)
      // The first is left alone: it tells how long one takes.
      if (kill === 0) longest = (performance.now() - started) * 0.6
      const told = `kill ${kill} after ${after.toFixed(1)} ms: ${end.errors}`
      const status = await folder.engine.call('workspace.status', { workspace, check: true })
      expect(status.drift, told).toEqual([])
      if (status.interruptedRestore) {
        interrupted++
        const how = kill % 2 === 0 ? 'finish' : 'undo'
        const result = await folder.apply({ kind: 'recover', how })
        expect(
          result.items.filter((item) => item.result !== 'done'),
          told
        ).toEqual([])
        expect(readTree(folder.root), `${told} ${how}`).toEqual(how === 'finish' ? old : changed)
      }
      // Whatever happened, one of the two whole trees is there; go on from the changed one.
      const now = JSON.stringify(readTree(folder.root))
      expect([JSON.stringify(old), JSON.stringify(changed)], told).toContain(now)
      if (now === JSON.stringify(old)) {
        await folder.apply({ kind: 'restore', target: `${run}:end`, outside: 'replace' })
        expect(readTree(folder.root), told).toEqual(changed)
      }
      const left = (readdirSync(folder.root, { recursive: true }) as string[]).filter((name) =>
        name.includes('.driftline-')
      )
      expect(left, told).toEqual([])
    }
    expect((await folder.engine.call('doctor.run', { deep: true })).problems).toEqual([])
    if (LONG) expect(interrupted, 'some kills must have hit').toBeGreaterThan(2)
  },
  limitFor(KILLS * 3)
)
