/** What to look at first in a run that changed 1,000 files, and again when it wrote one more. */
import { appendFileSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Engine } from '../src/main/engine/engine.ts'
import { ownProcess } from '../src/main/engine/ports/processes.ts'
import type { Figure, Row } from './figure.ts'
import { openEngine, record, workspaceOf } from './recorded.ts'
import { inSeconds, median } from './statistics.ts'

const [FILES, QUICK_FILES, ROUNDS] = [1000, 200, 7]
const MOST_SECONDS = 0.2

export const FINDINGS: Figure = {
  name: 'findings',
  measure: async (setting) => {
    const files = setting.quick ? QUICK_FILES : FILES
    const tree = await setting.generated(files)
    const data = await record(setting, tree)
    const paths = filesIn(tree).slice(0, files)
    let engine = await openEngine(data, false)
    const workspace = await workspaceOf(engine)
    const { pid, start } = ownProcess()
    const { run } = await engine.call('run.begin', { workspace, title: 'work', agent: 'bench', pid, pidStart: start })
    for (const path of paths) writeFileSync(path, changed(readFileSync(path, 'utf8')))
    await engine.call('workspace.status', { workspace, check: true })
    const [first, again]: [number[], number[]] = [[], []]
    for (let round = 0; round < ROUNDS; round++) {
      first.push(await secondsOf(engine, workspace, run))
      appendFileSync(paths[round] as string, '// one more line\n')
      await engine.call('workspace.status', { workspace, check: true })
      again.push(await secondsOf(engine, workspace, run))
      // What was found is known to the process alone.
      await engine.close()
      engine = await openEngine(data, false)
    }
    await engine.call('run.end', { workspace, run, exitCode: 0 })
    await engine.close()
    const on = `${files} changed files`
    return [
      row('findings of a run, processor time', on, median(first)),
      row('— after one more edit, live', on, median(again))
    ]
  }
}

/** One line is replaced by two. */
function changed(text: string): string {
  const lines = text.split('\n')
  lines.splice(Math.min(40, lines.length), 1, 'const changed = 1', 'export const more = changed + 1')
  return lines.join('\n')
}

/** Processor time: on a busy computer the other is that of the others. */
async function secondsOf(engine: Engine, workspace: string, run: string): Promise<number> {
  const start = process.cpuUsage()
  await engine.call('review.findings', { workspace, run })
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1e6
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())
}

function row(figure: string, on: string, ours: number): Row {
  return {
    figure,
    on,
    ours: inSeconds(ours),
    theirs: '',
    result: inSeconds(ours),
    target: `<= ${inSeconds(MOST_SECONDS)}`,
    reached: ours <= MOST_SECONDS,
    note: '',
    numbers: { seconds: ours }
  }
}
