import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { KILLED, runCrashChild } from '../../support/crash-process.ts'
import { type CliProject, createCliProject } from './cli-project.ts'

interface Status {
  workspace: { id: string }
  interruptedRestore: { id: string; written: number; total: number } | null
}
interface Doc {
  state: string
  plan: string
  items: { path: string }[]
}

const FILES = 30
let project: CliProject

function writeAll(text: string): void {
  for (let i = 0; i < FILES; i++) project.write(`d/${i}`, `${text} ${i}`)
}

const contents = (): Set<string> => {
  const names = readdirSync(join(project.root, 'd'))
  return new Set(names.map((name) => project.read(`d/${name}`).split(' ')[0]!))
}

/** Starts a restore of all files, and kills it after the first third of them. */
async function killedRestore(): Promise<void> {
  const { doc } = await project.json<Status>(['status'])
  const folder = { dataDir: project.data, workspace: doc.workspace.id, root: project.root }
  const work = { do: 'restore', request: { kind: 'restore', target: 'latest' }, at: `placed:${FILES / 3}` } as const
  expect(await runCrashChild(folder, work)).toMatchObject(KILLED)
}

beforeEach(async () => {
  project = createCliProject()
  writeAll('old')
  await project.add()
  await project.run('write all', () => writeAll('new'))
})
afterEach(() => project.remove())

test.each([
  ['finish', 'old'],
  ['undo', 'new']
])(
  '[RS-7] a restore that was killed is reported by status, and `recover %s` makes everything %s',
  async (how, state) => {
    await killedRestore()
    const { doc } = await project.json<Status>(['status'])
    expect(doc.interruptedRestore).toMatchObject({
      id: expect.stringMatching(/^rst_/),
      written: FILES / 3,
      total: FILES
    })
    const human = await project.call(['status'])
    expect(human.out.toString()).toContain(`driftline recover ${how}`)
    expect((await project.call(['restore', 'latest', '--yes'])).code).toBe(3)
    const never = "require('node:fs').writeFileSync('d/0', 'never 0')"
    expect((await project.call(['run', '--', process.execPath, '-e', never])).code).toBe(3)
    expect(contents()).not.toContain('never')

    const plan = await project.json<Doc>(['recover', how, '--dry-run'])
    expect([plan.code, plan.doc.plan !== '']).toEqual([0, true])
    const done = await project.json<Doc>(['recover', how, '--yes'])
    expect([done.code, ['done', 'nothing-to-do']]).toEqual([0, expect.arrayContaining([done.doc.state])])
    expect([...contents()]).toEqual([state])
    expect(readdirSync(join(project.root, 'd'))).toHaveLength(FILES)
    expect((await project.json<Status>(['status'])).doc.interruptedRestore).toBeNull()
  }
)
