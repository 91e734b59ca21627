/** Time of a checkpoint. It is one row, so the size of the project must not matter. */
import { addCheckpoint } from '../src/main/engine/checkpoints/checkpoints.ts'
import { transact } from '../src/main/engine/store/sql.ts'
import type { Figure } from './figure.ts'
import { openRecording, record } from './recorded.ts'
import { inSeconds, median, percentile, times } from './statistics.ts'

const TARGET = 0.001
/** Ratios up to this are noise between two series of commits on one disk. */
const MAX_SPREAD = 1.5

export const CHECKPOINT: Figure = {
  name: 'checkpoint',
  measure: async (setting) => {
    const sizes = setting.quick ? [200, 2000] : [1000, 10_000, 100_000]
    const opened = []
    for (const files of sizes) {
      const tree = await setting.generated(files)
      opened.push({ files, root: tree, store: (await openRecording(await record(setting, tree), tree)).store })
    }
    const series = new Map<number, number[]>(sizes.map((files) => [files, []]))
    // Alternating, so that other load affects all sizes alike.
    for (let round = -10; round < 200; round++) {
      for (const { files, root, store } of opened) {
        const started = performance.now()
        transact(store, (tx) => {
          addCheckpoint(tx, root, { reason: 'manual', label: `checkpoint ${round}` }, Date.now())
        })
        if (round >= 0) series.get(files)?.push((performance.now() - started) / 1000)
      }
    }
    for (const { store } of opened) store.close()
    const medians = sizes.map((files) => median(series.get(files) ?? []))
    const spread = Math.max(...medians) / Math.min(...medians)
    return sizes.map((files, n) => {
      const middle = medians[n] as number
      return {
        figure: 'checkpoint row',
        on: `${files} files`,
        ours: inSeconds(middle),
        theirs: `the largest of ${sizes.length} sizes ${times(spread)} the smallest`,
        result: inSeconds(middle),
        target: `<= ${inSeconds(TARGET)}, equal`,
        reached: middle <= TARGET && spread <= MAX_SPREAD,
        note: '',
        numbers: { p50: middle, p99: percentile(series.get(files) ?? [], 0.99), spread }
      }
    })
  }
}
