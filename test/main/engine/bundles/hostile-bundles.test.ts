import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { BUNDLE_LIMITS } from '../../../../src/main/engine/bundles/line-schema.ts'
import { bundleFile, bundleOf, type Line, linesOf, makeBundle } from '../../../support/bundles.ts'
import { type RecordedFolder, recordedFolder } from '../../../support/recorded-folder.ts'
import { LONG } from '../../../support/scale.ts'
import { type TempFolder, tempFolder } from '../../../support/tmp.ts'

let folder: RecordedFolder
let temp: TempFolder
let good: readonly Line[]
let bytes: Buffer
let before: ReturnType<RecordedFolder['tree']>

beforeAll(async () => {
  folder = await recordedFolder({ files: { 'a.ts': 'one\n' } })
  temp = tempFolder()
  const run = await folder.run('Change a file', () => writeFileSync(join(folder.root, 'a.ts'), 'two\n'))
  const file = join(temp.path, 'good.driftline')
  await makeBundle(folder.engine, file, { workspace: folder.workspace, run })
  bytes = readFileSync(file)
  good = linesOf(bytes)
  before = folder.tree()
})
afterAll(async () => {
  temp[Symbol.dispose]()
  await folder[Symbol.asyncDispose]()
})

/** The bundle with one line changed, each in a copy. */
function changed(section: string, change: (line: Line) => void): Buffer {
  const lines = structuredClone(good) as Line[]
  const line = section === 'header' ? lines[0] : lines.find((candidate) => section in candidate)
  change(section === 'header' ? line : line[section])
  return bundleOf(lines)
}

async function expectRefused(name: string, content: Uint8Array, message: RegExp): Promise<void> {
  const file = bundleFile(temp.path, `${name.replaceAll(/\W/g, '-')}.driftline`, content)
  const opening = folder.engine.call('bundle.open', { file })
  await expect(opening).rejects.toMatchObject({ code: 'Refused', message: expect.stringMatching(message) })
  expect(existsSync(join(folder.dataDir, 'bundles')) ? readdirSync(join(folder.dataDir, 'bundles')) : []).toEqual([])
  expect((await folder.engine.call('workspaces.list', {})).bundles).toEqual([])
  expect(folder.tree()).toEqual(before)
}

/** Each kind of path; their variations are in the long form. */
const PATHS = [
  'a/../../b',
  '/etc/passwd',
  'C:/Windows/x',
  'a\\..\\b',
  'a\0b',
  '',
  'sub/.GIT/hooks/pre-commit',
  '.driftline-rst_0123456789ab-1.new',
  ...(LONG
    ? ['../a.ts', 'c:x', '\\\\server\\share', 'a//b', './a', '.git/config', 'git~1/config', 'x'.repeat(5000)]
    : [])
]

test.each(PATHS)('[SH-5] a bundle with the path %j is refused and leaves nothing', async (path) => {
  const content = changed('edit', (edit) => {
    edit.path = path
  })
  await expectRefused('path', content, /damaged or was not made by Driftline: line \d+/)
})

const CHANGES: readonly [name: string, section: string, change: (line: Line) => void, message: RegExp][] = [
  ['a version newer than ours', 'header', (line) => (line.version = 2), /made by a newer version/],
  ['another header', 'header', (line) => (line.run.state = 'live'), /first line has unknown or wrong values/],
  ['an unknown key', 'header', (line) => (line.command = 'rm -rf'), /first line has unknown or wrong values/],
  ['a hash that does not match', 'content', (line) => (line.sha256 = '0'.repeat(64)), /does not match its hash/],
  ['a content that is shorter', 'content', (line) => (line.size += 1), /content is incomplete/],
  ['a content that is longer', 'content', (line) => (line.size -= 1), /longer than it says/],
  ['a content that is missing', 'edit', (line) => (line.after.content = 99), /content is missing/],
  ['edits that do not follow each other', 'edit', (line) => (line.turn = 'turn_other'), /turn is missing/],
  ['a rename from nowhere', 'edit', (line) => (line.movedFrom = 7), /rename has no origin/],
  ['a rename from itself', 'edit', (line) => (line.movedFrom = 1), /rename has no origin/],
  ['a turn that ends before it starts', 'turn', (line) => (line.start = 5), /turns are out of order/],
  ['a mode with more bits', 'edit', (line) => (line.after.mode = 0o100777), /line \d+/],
  ['a link without a target', 'edit', (line) => (line.after = { kind: 'symlink', mode: 0 }), /link has no target/],
  ['a device', 'edit', (line) => (line.after.kind = 'special'), /line \d+/]
]

test.each(CHANGES)('[SH-5] a bundle with %s is refused and leaves nothing', async (name, section, change, message) => {
  await expectRefused(name, changed(section, change), message)
})

test('[SH-5] a bundle that is truncated anywhere, or of which a byte is changed, is refused and leaves nothing', async () => {
  for (const part of [0, 1, 10, 0.3, 0.6, 0.9]) {
    const end = part >= 1 || part === 0 ? part : Math.floor(bytes.length * part)
    await expectRefused('cut', bytes.subarray(0, end), /not a bundle|damaged or was not made/)
  }
  const flipped = Buffer.from(bytes)
  const middle = Math.floor(bytes.length / 2)
  flipped[middle] = (flipped[middle] as number) ^ 0x10
  await expectRefused('flipped', flipped, /not a bundle|damaged or was not made/)
  await expectRefused('lines', gzipSync(bytes), /not a bundle/)
  await expectRefused('text', Buffer.from('{"driftline":"bundle","version":1}\n'), /not a bundle/)
  const lines = good.map((line) => `${JSON.stringify(line)}\n`)
  const without = (index: number): Buffer => gzipSync(lines.filter((_, n) => n !== index).join(''))
  await expectRefused('no end', without(lines.length - 1), /its end is missing/)
  await expectRefused('a line less', without(1), /lines are missing|turn/)
  await expectRefused('more', gzipSync([...lines, lines[1]].join('')), /unknown or has wrong values/)
  await expectRefused('order', gzipSync([lines[0], lines.at(-2), ...lines.slice(1)].join('')), /out of order/)
})

test('[SH-5] a bundle that unpacks to more than the limit is refused with little memory, and a long line before it is whole', async () => {
  const bomb = gzipSync(
    Buffer.concat([Buffer.from(`${JSON.stringify(good[0])}\n`), Buffer.alloc(64 * 1024 * 1024, 32)])
  )
  expect(bomb.length).toBeLessThan(200_000)
  const { rss } = process.memoryUsage()
  await expectRefused('bomb', bomb, /a line is too long/)
  expect(process.memoryUsage().rss - rss).toBeLessThan(100 * 1024 * 1024)
  await expectRefused('first line', gzipSync(Buffer.alloc(BUNDLE_LIMITS.line, 32)), /not a bundle/)
})

test('[SH-5] scripts in the title, the conversation and the comments of a bundle stay text', async () => {
  const script = '<img src=x onerror="alert(1)"><script>alert(2)</script>[x](javascript:alert(3))'
  const lines = structuredClone(good) as Line[]
  lines[0].run.title = script
  for (const line of lines) if (line.step) line.step.message = script
  const at = lines.findIndex((line) => line.patch || line.end)
  lines.splice(at, 0, { comment: { id: 'cm_1', at: 1, text: script, resolved: false, path: 'a.ts', line: 900 } })
  const file = bundleFile(temp.path, 'script.driftline', bundleOf(lines))
  const { workspace } = await folder.engine.call('bundle.open', { file })
  const { entries } = await folder.engine.call('timeline.list', { workspace: workspace.id, limit: 5 })
  expect(entries[0]?.title).toBe(script)
  const { comments } = await folder.engine.call('comments.list', { workspace: workspace.id })
  // The file has no such line: the comment is on the whole file.
  expect(comments).toMatchObject([{ text: script, path: 'a.ts', line: null }])
  await folder.engine.call('bundle.close', { bundle: workspace.id })
})
