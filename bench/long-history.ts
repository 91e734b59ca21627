/**
 * A history of 60 runs that each change 1,000 files, and one of a file with 500 versions: recording one more run, its
 * patch and its list of files compared with git, and what reads the whole history.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Engine } from '../src/main/engine/engine.ts'
import { ownProcess } from '../src/main/engine/ports/processes.ts'
import type { Figure, Row, Setting } from './figure.ts'
import { random, sourceText } from './generated-tree.ts'
import { openEngine, record, recordRun, workspaceOf } from './recorded.ts'
import { shadowRepository } from './shadow-repository.ts'
import { inSeconds, median, times } from './statistics.ts'

const [FILES, QUICK_FILES] = [1000, 200]
const [RUNS, QUICK_RUNS] = [60, 6]
const [VERSIONS, QUICK_VERSIONS] = [500, 50]
const FOLDERS = 50
/** Bytes of a file and of a line that replaces another. */
const [SIZE, LINE] = [3000, 30]

export const LONG_HISTORY: Figure = {
  name: 'long-history',
  measure: async (setting) => {
    const [files, runs] = setting.quick ? [QUICK_FILES, QUICK_RUNS] : [FILES, RUNS]
    const long = await writeLongHistory(setting, files, runs)
    const rows = await measureHistory(setting, long, `${runs} runs of ${files} files`)
    return [...rows, await measureVersions(setting, setting.quick ? QUICK_VERSIONS : VERSIONS)]
  }
}

interface LongHistory {
  readonly data: string
  readonly tree: string
  readonly workspace: string
  /** Run ids, oldest first. */
  readonly runs: readonly string[]
  /** Changes one line of every file, at a random place. */
  change(): void
}

/** Writes files of about 3 kB, records them, and then runs that each change one line of every file. */
export async function writeLongHistory(
  setting: Pick<Setting, 'folder'>,
  files: number,
  runs: number
): Promise<LongHistory> {
  const tree = setting.folder('project')
  const next = random(files + runs)
  const paths = Array.from({ length: files }, (_, n) => join(tree, `part-${n % FOLDERS}`, `module-${n}.ts`))
  for (let n = 0; n < FOLDERS; n++) mkdirSync(join(tree, `part-${n}`))
  for (const path of paths) writeFileSync(path, sourceText(SIZE, next))
  const data = await record(setting, tree)
  const change = (): void => {
    for (const path of paths) {
      const lines = readFileSync(path, 'utf8').split('\n')
      lines[Math.floor(next() * (lines.length - 1))] = sourceText(LINE, next).trimEnd()
      writeFileSync(path, lines.join('\n'))
    }
  }
  const engine = await openEngine(data, false)
  const workspace = await workspaceOf(engine)
  const ids: string[] = []
  for (let run = 0; run < runs; run++) ids.push(await recordRun(engine, workspace, `run ${run}`, change))
  await engine.close()
  return { data, tree, workspace, runs: ids, change }
}

async function measureHistory(setting: Setting, history: LongHistory, on: string): Promise<Row[]> {
  const { data, workspace } = history
  const [first, middle] = [history.runs[0] as string, history.runs[history.runs.length >> 1] as string]
  const engine = await openEngine(data, false)
  const compared = await compareWithGit(setting, engine, history, on)
  const alone = async (figure: string, limit: number, read: () => Promise<unknown>): Promise<Row> =>
    row(figure, on, await seconds(read), limit)
  const request = { kind: 'undo-run', run: first, onConflict: 'merge' } as const
  const rows = [
    ...compared,
    await alone('patch of a run in the middle', 1, () => engine.call('diff.patch', { workspace, target: middle })),
    await alone('undo of the first run, preview', 5, () => engine.call('restore.plan', { workspace, request })),
    await alone('first run to now', 1, () => engine.call('diff.files', { workspace, target: first, to: 'now' })),
    await searchRow(engine, workspace, on),
    await alone('doctor', 10, () => engine.call('doctor.run', { workspace }))
  ]
  await engine.close()
  return rows
}

/** Five more runs: recording, patch and list of each, and the same changes in a git repository. */
async function compareWithGit(
  setting: Setting,
  engine: Engine,
  { tree, workspace, change }: LongHistory,
  on: string
): Promise<Row[]> {
  const { git } = await shadowRepository(setting.folder('shadow'), tree)
  await git('add', '-A')
  await git('commit', '-q', '-m', 'all')
  const measured: Record<'record' | 'patch' | 'list', { ours: number[]; theirs: number[] }> = {
    record: { ours: [], theirs: [] },
    patch: { ours: [], theirs: [] },
    list: { ours: [], theirs: [] }
  }
  for (let pair = 0; pair < (setting.quick ? 2 : 5); pair++) {
    const { pid, start } = ownProcess()
    const begin = { workspace, title: `more ${pair}`, agent: 'bench', pid, pidStart: start }
    const { run } = await engine.call('run.begin', begin)
    change()
    const { record, patch, list } = measured
    record.ours.push(await seconds(() => engine.call('run.end', { workspace, run, exitCode: 0 })))
    record.theirs.push((await git('add', '-A')).wall + (await git('write-tree')).wall)
    patch.ours.push(await seconds(() => engine.call('diff.patch', { workspace, target: run })))
    patch.theirs.push((await git('diff', '--cached')).wall)
    list.ours.push(await seconds(() => engine.call('diff.files', { workspace, target: run })))
    list.theirs.push((await git('diff', '--cached', '--stat')).wall)
    await git('commit', '-q', '-m', `more ${pair}`)
  }
  const ratioRow = (figure: string, { ours, theirs }: { ours: number[]; theirs: number[] }, target: number): Row => {
    const ratio = median(ours.map((time, n) => time / (theirs[n] as number)))
    return {
      ...row(figure, on, median(ours), target),
      theirs: inSeconds(median(theirs)),
      result: times(ratio),
      target: `<= ${times(target)}`,
      reached: ratio <= target,
      numbers: { ratio, ours, theirs }
    }
  }
  const { record, patch, list } = measured
  return [
    ratioRow('recording a run and its summary (git add -A, write-tree)', record, 0.8),
    ratioRow('patch of the newest run (git diff)', patch, 2),
    {
      ...row('files of the newest run (git diff --stat)', on, median(list.ours), 0.3),
      theirs: inSeconds(median(list.theirs))
    }
  ]
}

async function searchRow(engine: Engine, workspace: string, on: string): Promise<Row> {
  let note = ''
  const spent = await seconds(async () => {
    const { searched } = await engine.call('search.run', { workspace, text: 'not-anywhere', limit: 50 })
    if (searched) note = `the time limit was reached after ${searched.changes} of ${searched.of} changes`
  })
  return { ...row('search of a text that is nowhere', on, spent, 1), note }
}

/** Undo of the first of many runs that changed one file. */
async function measureVersions(setting: Setting, versions: number): Promise<Row> {
  const { data, workspace, runs } = await writeLongHistory(setting, 1, versions)
  const engine = await openEngine(data, false)
  const request = { kind: 'undo-run', run: runs[0] as string, onConflict: 'merge' } as const
  // The first call loads what any plan needs.
  await engine.call('restore.plan', { workspace, request: { ...request, run: runs.at(-1) as string } })
  const spent = await seconds(() => engine.call('restore.plan', { workspace, request }))
  await engine.close()
  return row('undo of the first run, preview', `a file with ${versions} versions`, spent, 0.05)
}

async function seconds(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await work()
  return (performance.now() - started) / 1000
}

/** `limit`: seconds. */
function row(figure: string, on: string, spent: number, limit: number): Row {
  return {
    figure,
    on,
    ours: inSeconds(spent),
    theirs: '',
    result: inSeconds(spent),
    target: `<= ${inSeconds(limit)}`,
    reached: spent <= limit,
    note: '',
    numbers: { seconds: spent }
  }
}
