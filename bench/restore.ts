/** Restore of 1,000 files, durable and verified, compared with `cp` and an fsync of each file. */
import { closeSync, copyFileSync, fsyncSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Figure } from './figure.ts'
import { random, sourceText } from './generated-tree.ts'
import { openEngine, record, recordRun, workspaceOf } from './recorded.ts'
import { inSeconds, median, times } from './statistics.ts'
import { settleDisk } from './timed.ts'

const FILES = 1000
const TARGET = 2.5

export const RESTORE: Figure = {
  name: 'restore',
  measure: async (setting) => {
    const tree = setting.folder('project')
    const next = random(11)
    const paths = Array.from({ length: FILES }, (_, n) => `part-${n % 120}/module-${n}.ts`)
    for (const path of paths) {
      mkdirSync(dirname(join(tree, path)), { recursive: true })
      writeFileSync(join(tree, path), sourceText(500 + next() * 7000, next))
    }
    const originals = paths.map((path) => readFileSync(join(tree, path)))
    const aside = setting.folder('originals')
    for (const [n, bytes] of originals.entries()) writeFileSync(join(aside, String(n)), bytes)
    const data = await record(setting, tree)
    const engine = await openEngine(data, false)
    const workspace = await workspaceOf(engine)
    const ours: number[] = []
    const theirs: number[] = []
    for (let pair = 0; pair < (setting.quick ? 1 : 9); pair++) {
      const run = await recordRun(engine, workspace, `rewrite ${pair}`, () => {
        for (const path of paths) writeFileSync(join(tree, path), sourceText(500 + next() * 7000, next))
      })
      await settleDisk()
      const started = performance.now()
      const result = await engine.call('restore.apply', { workspace, request: { kind: 'undo-run', run } })
      ours.push((performance.now() - started) / 1000)
      if (result.state !== 'done') throw new Error(`the restore ended as ${result.state}: ${result.refusal}`)
      for (const [n, path] of paths.entries()) {
        if (!readFileSync(join(tree, path)).equals(originals[n] as Buffer)) throw new Error(`${path} is not restored`)
      }
      const target = setting.folder('copy')
      await settleDisk()
      theirs.push(copyAll(aside, target))
    }
    await engine.close()
    const ratio = median(ours.map((time, n) => time / (theirs[n] as number)))
    return [
      {
        figure: 'restore of 1,000 files',
        on: `${ours.length} pairs`,
        ours: inSeconds(median(ours)),
        theirs: `cp + fsync of each ${inSeconds(median(theirs))}`,
        result: times(ratio),
        target: `<= ${times(TARGET)}`,
        reached: ratio <= TARGET,
        note: 'the whole restore: scan, plan, guard, stage, rename, fsync, verify, append',
        numbers: { ratio, ours, theirs }
      }
    ]
  }
}

/** Copies all files as `cp` does, then syncs each copy. Returns seconds. */
function copyAll(from: string, to: string): number {
  const started = performance.now()
  for (let n = 0; n < FILES; n++) copyFileSync(join(from, String(n)), join(to, String(n)))
  for (let n = 0; n < FILES; n++) {
    const file = openSync(join(to, String(n)), 'r')
    fsyncSync(file)
    closeSync(file)
  }
  return (performance.now() - started) / 1000
}
