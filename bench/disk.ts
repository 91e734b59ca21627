/** Disk usage of 200 runs with 5 small edits each in files of 10 kB, compared with each version compressed on its own. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { constants, zstdCompressSync } from 'node:zlib'
import { diskUse } from './disk-use.ts'
import type { Figure } from './figure.ts'
import { random, sourceText } from './generated-tree.ts'
import { openEngine, record, recordRun, workspaceOf } from './recorded.ts'
import { inMegabytes, times } from './statistics.ts'

const FILES = 40
const EDITS = 5
const TARGET = 0.5

export const DISK: Figure = {
  name: 'disk',
  measure: async (setting) => {
    const runs = setting.quick ? 20 : 200
    const tree = join(setting.folder('project'), 'src')
    mkdirSync(tree)
    const next = random(3)
    const path = (n: number): string => join(tree, `module-${n}.ts`)
    for (let n = 0; n < FILES; n++) writeFileSync(path(n), sourceText(10_000, next))
    const data = await record(setting, tree)
    const before = diskUse(data)
    const engine = await openEngine(data, false)
    const workspace = await workspaceOf(engine)
    let compressed = 0
    for (let run = 0; run < runs; run++) {
      await recordRun(engine, workspace, `edit ${run}`, () => {
        for (let edit = 0; edit < EDITS; edit++) {
          const file = path((run * EDITS + edit) % FILES)
          const lines = readFileSync(file, 'utf8').split('\n')
          lines[Math.floor(next() * lines.length)] = sourceText(30, next).trimEnd()
          const bytes = Buffer.from(lines.join('\n'))
          writeFileSync(file, bytes)
          compressed += zstdCompressSync(bytes, { params: { [constants.ZSTD_c_compressionLevel]: 3 } }).length
        }
      })
    }
    await engine.close()
    const ours = diskUse(data) - before
    const ratio = ours / compressed
    return [
      {
        figure: 'disk for small edits',
        on: `${runs} runs of ${EDITS} edits`,
        ours: inMegabytes(ours),
        theirs: `each version compressed ${inMegabytes(compressed)}`,
        result: times(ratio),
        target: `<= ${times(TARGET)}`,
        reached: ratio <= TARGET,
        note: `growth of the whole data folder, ${Math.round(ours / (runs * EDITS))} bytes per edit including its rows and checkpoints`,
        numbers: { ratio, ours, theirs: compressed }
      }
    ]
  }
}
