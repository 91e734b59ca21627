/** First protection of a folder: `driftline add` compared with `git add -A` into an empty shadow repository. */
import { rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { countFiles, diskUse } from './disk-use.ts'
import type { Figure, Row, Setting } from './figure.ts'
import { CLI } from './recorded.ts'
import { shadowRepository } from './shadow-repository.ts'
import { inMegabytes, inSeconds, times } from './statistics.ts'
import { settleDisk, type Timed, timed } from './timed.ts'

const REAL_TARGET = 0.4
const GENERATED_TARGET = 0.5
const BYTES_TARGET = 0.8

export const FIRST_PROTECTION: Figure = {
  name: 'first-protection',
  measure: async (setting) => {
    const rows: Row[] = []
    if (setting.tree !== null) rows.push(...(await onTree(setting, setting.tree, REAL_TARGET)))
    for (const files of setting.sizes)
      rows.push(...(await onTree(setting, await setting.generated(files), GENERATED_TARGET)))
    return rows
  }
}

interface Side extends Timed {
  readonly bytes: number
}

async function onTree(setting: Setting, tree: string, target: number): Promise<Row[]> {
  const pairs: { ours: Side; theirs: Side }[] = []
  for (let pair = 0; pair < (setting.quick ? 1 : 3); pair++) {
    // The order alternates, so that the file system cache favours neither side.
    const first = pair % 2 === 0 ? await viaDriftline(setting, tree) : null
    const theirs = await viaGit(setting, tree)
    const ours = first ?? (await viaDriftline(setting, tree))
    pairs.push({ ours, theirs })
    setting.log(`  ${basename(tree)}: ${inSeconds(ours.wall)} against ${inSeconds(theirs.wall)}`)
  }
  const on = `${basename(tree)} (${countFiles(tree)} files)`
  const { ours, theirs } = middlePair(pairs)
  const ratio = ours.wall / theirs.wall
  const bytes = ours.bytes / theirs.bytes
  return [
    {
      figure: 'first protection, time',
      on,
      ours: inSeconds(ours.wall),
      theirs: `git add -A ${inSeconds(theirs.wall)}`,
      result: times(ratio),
      target: `<= ${times(target)}`,
      reached: ratio <= target,
      note: `processor ${cpu(ours)} against ${cpu(theirs)}`,
      numbers: {
        ratio,
        cpuRatio: (ours.user + ours.system) / (theirs.user + theirs.system),
        ours: pairs.map((pair) => pair.ours.wall),
        theirs: pairs.map((pair) => pair.theirs.wall)
      }
    },
    {
      figure: 'first protection, disk',
      on,
      ours: inMegabytes(ours.bytes),
      theirs: `shadow repository ${inMegabytes(theirs.bytes)}`,
      result: times(bytes),
      target: `<= ${times(BYTES_TARGET)}`,
      reached: bytes <= BYTES_TARGET,
      note: '',
      numbers: { ratio: bytes, ours: ours.bytes, theirs: theirs.bytes }
    }
  ]
}

async function viaDriftline(setting: Setting, tree: string): Promise<Side> {
  const data = setting.folder('data')
  await settleDisk()
  const spent = await timed(process.execPath, [CLI, 'add', tree, '--data', join(data, 'store')])
  const bytes = diskUse(data)
  rmSync(data, { recursive: true })
  return { ...spent, bytes }
}

async function viaGit(setting: Setting, tree: string): Promise<Side> {
  const folder = setting.folder('shadow')
  const shadow = await shadowRepository(folder, tree)
  await settleDisk()
  const spent = await shadow.git('add', '-A')
  const bytes = diskUse(shadow.folder)
  rmSync(folder, { recursive: true })
  return { ...spent, bytes }
}

/** The pair with the median ratio, so that a row shows one measurement and not a mix. */
function middlePair<T extends { ours: Side; theirs: Side }>(pairs: readonly T[]): T {
  const ranked = [...pairs].sort((a, b) => a.ours.wall / a.theirs.wall - b.ours.wall / b.theirs.wall)
  return ranked[ranked.length >> 1] as T
}

function cpu({ user, system }: Timed): string {
  return `${user.toFixed(2)} s user + ${system.toFixed(2)} s system`
}
