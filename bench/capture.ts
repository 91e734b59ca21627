/** One durable capture of a 10 kB edit by the engine, compared with an append of 4 kB and an fsync on the same disk. */
import { closeSync, fsyncSync, mkdirSync, openSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { reconcile } from '../src/main/engine/capture/reconcile.ts'
import { outsideAuthor } from '../src/main/engine/drift/drifts.ts'
import type { Figure, Setting } from './figure.ts'
import { random, sourceText } from './generated-tree.ts'
import { openRecording, record } from './recorded.ts'
import { inSeconds, median, percentile, times } from './statistics.ts'

const MEDIAN_TARGET = 3
const P99_TARGET = 0.015

export const CAPTURE: Figure = {
  name: 'capture',
  measure: async (setting) => {
    const rounds = setting.quick ? 100 : 500
    const { captures, syncs } = await measure(setting, rounds)
    const ratio = median(captures) / median(syncs)
    const slowest = percentile(captures, 0.99)
    const on = `${rounds} edits`
    const numbers = { ratio, p50: median(captures), p99: slowest, fsync50: median(syncs) }
    return [
      {
        figure: 'capture of a 10 kB edit, p50',
        on,
        ours: inSeconds(median(captures)),
        theirs: `4 kB + fsync ${inSeconds(median(syncs))}`,
        result: times(ratio),
        target: `<= ${times(MEDIAN_TARGET)}`,
        reached: ratio <= MEDIAN_TARGET,
        note: '',
        numbers
      },
      {
        figure: 'capture of a 10 kB edit, p99',
        on,
        ours: inSeconds(slowest),
        theirs: `4 kB + fsync ${inSeconds(percentile(syncs, 0.99))}`,
        result: inSeconds(slowest),
        target: `<= ${inSeconds(P99_TARGET)}`,
        reached: slowest <= P99_TARGET,
        note: '',
        numbers: { p99: slowest, fsync99: percentile(syncs, 0.99) }
      }
    ]
  }
}

async function measure(setting: Setting, rounds: number): Promise<{ captures: number[]; syncs: number[] }> {
  const tree = join(setting.folder('project'), 'src')
  mkdirSync(tree)
  const file = join(tree, 'edited.ts')
  const next = random(7)
  const lines = sourceText(10_000, next).split('\n')
  writeFileSync(file, lines.join('\n'))
  const recording = await openRecording(await record(setting, tree), tree)
  const { now } = recording
  const bare = openSync(join(setting.folder('fsync'), 'file'), 'w')
  const page = Buffer.alloc(4096, 1)
  const captures: number[] = []
  const syncs: number[] = []
  try {
    for (let round = -20; round < rounds; round++) {
      lines[Math.floor(next() * lines.length)] = `const edited = ${round} // ${next()}`
      writeFileSync(file, lines.join('\n'))
      const started = performance.now()
      const { edits } = await reconcile(
        recording,
        { paths: ['edited.ts'], trees: [] },
        (tx) => () => outsideAuthor(tx, { cause: 'edits', branches: null }, now())
      )
      const captured = performance.now()
      writeSync(bare, page, 0, page.length)
      fsyncSync(bare)
      const synced = performance.now()
      if (edits.length !== 1) throw new Error(`${edits.length} edits were recorded instead of 1`)
      // Negative rounds warm up both sides.
      if (round < 0) continue
      captures.push((captured - started) / 1000)
      syncs.push((synced - captured) / 1000)
    }
  } finally {
    closeSync(bare)
    recording.store.close()
  }
  return { captures, syncs }
}
