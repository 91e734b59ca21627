import { existsSync, lstatSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { BisectResult } from '../../../src/contract/bisect.ts'
import { readTree } from '../../support/tree.ts'
import { type CliProject, createCliProject, waitForExit } from './cli-project.ts'

/** How many edits are recorded, and which of them makes the command fail. */
const EDITS = 9
const BUG = 6

/** Its tests leave the recorded folder as it is. */
let project: CliProject
/** Beside the recorded folder: what a command says to the test. */
let outside: string

const positions = (): string[] => {
  const folder = join(project.data, 'positions')
  return existsSync(folder) ? readdirSync(folder) : []
}

/** Everything that a program could notice of the folder on disk. */
function traces(): Record<string, unknown> {
  const paths = readdirSync(project.root, { recursive: true, encoding: 'utf8' })
  return Object.fromEntries(
    ['', ...paths].map((path) => {
      const { ino, mode, size, mtimeNs, ctimeNs, nlink } = lstatSync(join(project.root, path), { bigint: true })
      return [path, { ino, mode, size, mtimeNs, ctimeNs, nlink }]
    })
  )
}

/** A recorded folder in which the edit `BUG` of `EDITS` breaks a file. */
async function projectWithBug(): Promise<CliProject> {
  const made = createCliProject()
  made.write('.gitignore', 'node_modules\n')
  made.write('node_modules/tool', 'kept')
  made.write('src/tax.txt', 'rate 1\n')
  made.write('other.txt', 'fine\n')
  await made.add()
  for (let n = 1; n <= EDITS; n++) {
    const change = n === BUG ? ['src/tax.txt', 'rate 1\nBUG\n'] : [`n${n}.txt`, `${n}\n`]
    await made.run(`edit ${n}`, () => made.write(...(change as [string, string])))
  }
  return made
}

beforeAll(async () => {
  project = await projectWithBug()
  outside = join(project.data, '..', 'outside')
  mkdirSync(outside)
})
afterAll(() => project.remove())

const passes = ['sh', '-c', '! grep -q BUG src/tax.txt']

describe('driftline at', { tags: ['overlay'] }, () => {
  test('[BI-1] runs a command at the folder’s own path as it was, with its exit code, and leaves no trace', async () => {
    const [before, tree] = [traces(), readTree(project.root)]
    const script =
      'pwd; ls n*.txt | wc -l; cat src/tax.txt node_modules/tool; rm -r src node_modules; echo x > made; exit 9'
    const called = await project.callProcess(['at', 'seq:5', '--', 'sh', '-c', script])
    expect(called.out.toString().split(/\s+/).filter(Boolean)).toEqual([project.root, '5', 'rate', '1', 'kept'])
    expect([called.code, called.err]).toEqual([9, ''])
    expect([traces(), readTree(project.root)]).toEqual([before, tree])
    expect(positions()).toEqual([])
    expect((await project.json<{ drift: unknown[] }>(['status'])).doc.drift).toEqual([])
  })

  test('[BI-7] passes a signal on, and deletes the position', async () => {
    const child = project.start(['at', 'seq:5', '--', 'sh', '-c', `touch ${outside}/begun; exec sleep 100`])
    const ended = waitForExit(child)
    await expect.poll(() => existsSync(join(outside, 'begun'))).toBe(true)
    child.kill('SIGTERM')
    expect((await ended).code).toBe(143)
    expect(positions()).toEqual([])
  })

  test('[BI-1] mount names the folder that is missing', async () => {
    const { code, doc } = await project.json<{ error: { code: string; message: string } }>([
      'mount',
      'seq:5',
      join(outside, 'none', 'view')
    ])
    expect([code, doc.error]).toEqual([
      2,
      expect.objectContaining({ message: expect.stringContaining('There is no folder') })
    ])
  })

  test('[BI-1] mount shows the folder as it was, read-only, until it is stopped', async () => {
    const link = join(outside, 'view')
    const child = project.start(['mount', 'seq:5', link])
    const ended = waitForExit(child)
    await expect.poll(() => existsSync(join(link, 'n5.txt'))).toBe(true)
    expect(existsSync(join(link, 'n7.txt'))).toBe(false)
    expect(() => writeFileSync(join(link, 'n5.txt'), '')).toThrow('EROFS')
    child.kill('SIGINT')
    expect((await ended).code).toBe(0)
    expect([readdirSync(outside).includes('view'), positions()]).toEqual([false, []])
  })

  test('says that the folder where it would start did not exist, or the target', async () => {
    using own = await projectWithBug()
    mkdirSync(join(own.root, 'later'))
    expect((await own.call(['at', 'seq:5', '--', 'true'], join(own.root, 'later'))).code).toBe(5)
    expect((await own.call(['at', 'seq:9999', '--', 'true'])).code).toBe(5)
    expect((await own.call(['at', 'seq:5'])).code).toBe(2)
  })
})

describe('driftline bisect', { tags: ['posix'] }, () => {
  test('[BI-4] names the edit after which the command fails, and how to undo it', async () => {
    const before = traces()
    const { code, doc } = await project.json<BisectResult>(['bisect', '--hunks', '--', ...passes])
    expect(code).toBe(0)
    expect(doc).toMatchObject({
      state: 'found',
      culprit: { prompt: `edit ${BUG}`, paths: ['src/tax.txt'], hunks: [{ path: 'src/tax.txt', n: 1 }] }
    })
    expect(doc.confidence).toBeGreaterThan(0.95)
    expect(traces()).toEqual(before)
    expect(positions()).toEqual([])
    const near = ['--good', `seq:${BUG - 1}`, '--bad', `seq:${BUG}`]
    const text = (await project.call(['bisect', ...near, '--', ...passes])).out.toString()
    const [, undo = ''] = /driftline (undo-run .*)/.exec(text) ?? []
    const plan = await project.json<{ items: { path: string }[] }>([...undo.split(' '), '--dry-run'])
    expect(plan.doc.items.map(({ path }) => path)).toEqual(['src/tax.txt'])
  })

  test('[BI-3] reads exit codes as git bisect run does', async () => {
    // Few positions, so that few of them are tried.
    const good = ['--good', `seq:${EDITS - 3}`]
    const codeOf = async (script: string) =>
      (await project.json<BisectResult>(['bisect', ...good, '--', 'sh', '-c', script])).code
    expect(await codeOf('exit 0')).toBe(3)
    expect(await codeOf('exit 127')).toBe(0)
    expect(await codeOf(`if [ -e n${EDITS}.txt ]; then exit 1; fi; exit 125`)).toBe(4)
    const stopped = await project.call(['bisect', '--', 'sh', '-c', 'kill -9 $$'])
    expect([stopped.code, stopped.err]).toEqual([3, expect.stringContaining('137')])
    expect(positions()).toEqual([])
  })

  test('[BI-7] ends its command at Ctrl+C, and deletes the position', async () => {
    const child = project.start(['bisect', '--', 'sh', '-c', `echo $$ > ${outside}/pid; exec sleep 100`])
    const ended = waitForExit(child)
    await expect.poll(() => existsSync(join(outside, 'pid'))).toBe(true)
    child.kill('SIGINT')
    expect((await ended).code).toBe(130)
    expect(positions()).toEqual([])
  })

  test('[BI-2] a change of the folder under a probe voids it, and does not reach the next try', {
    tags: ['overlay']
  }, async () => {
    using own = await projectWithBug()
    const said = join(own.data, '..', 'said')
    mkdirSync(said)
    const script = `if mkdir ${said}/first 2>/dev/null; then while [ ! -e ${said}/go ]; do sleep 0.02; done; fi
      ! grep -q poison other.txt && ! grep -q BUG src/tax.txt`
    const child = own.start(['bisect', '--json', '--good', 'seq:1', '--bad', `seq:${EDITS}`, '--', 'sh', '-c', script])
    const ended = waitForExit(child)
    await expect.poll(() => existsSync(join(said, 'first'))).toBe(true)
    own.write('other.txt', 'poison\n')
    writeFileSync(join(said, 'go'), '')
    const { out } = await ended
    expect(JSON.parse(out.toString())).toMatchObject({ state: 'found', culprit: { prompt: `edit ${BUG}` } })
  })
})
