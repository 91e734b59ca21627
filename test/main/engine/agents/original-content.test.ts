/** [CP-1] The original content a tool reports is compared with the log: outside edits in between stay outside. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { recordOriginalContent } from '../../../../src/main/engine/agents/original-content.ts'
import { type Line, PROJECT, recordedEvents, replay } from '../../../support/agent-replay.ts'
import { type OpenRecorder, openRecorder } from '../../../support/crash-recorder.ts'
import { type RecordedFolder, recordedFolder } from '../../../support/recorded-folder.ts'

/**
 * The recorded conversation up to the end of its edit of app.txt, whose reply reports `original` as the old content.
 */
function editing(name: string, root: string, original: string): Line[] {
  const lines = recordedEvents(name, root)
  const last = lines.findIndex((line) => isEdit(line) && line.input.tool_response !== undefined)
  const end = structuredClone(lines[last]!)
  const reply = end.input.tool_response as Record<string, unknown>
  if ('originalFile' in reply) reply.originalFile = original
  else (reply.returnDisplay as Record<string, unknown>).originalContent = original
  return [...lines.slice(0, last), end]
}

function isEdit(line: Line): boolean {
  return ['Edit', 'replace', 'edit'].includes(String(line.input.tool_name))
}

/** Replays it with `found` written after the edit was announced, right before the tool reads the file. */
async function play(
  folder: RecordedFolder,
  agent: string,
  name: string,
  found: string,
  reported = found
): Promise<string> {
  const app = join(folder.root, 'app.txt')
  await replay(folder, agent, editing(name, folder.root, reported), {
    work: (line) => {
      if (!isEdit(line)) return false
      writeFileSync(app, found)
      return false
    }
  })
  const { entries } = await folder.engine.call('timeline.list', {
    workspace: folder.workspace,
    limit: 1,
    kinds: ['run']
  })
  return entries[0]!.id
}

const outside = async (folder: RecordedFolder): Promise<readonly string[]> =>
  (await folder.engine.call('drift.list', { workspace: folder.workspace, check: true })).drift.flatMap(
    (drift) => drift.paths
  )

test.each([
  ['claude', 'claude-code'],
  ['gemini', 'gemini-cli'],
  ['qwen', 'qwen-code']
])(
  '[A16] %s: a write between the announcement and the edit is an outside edit, and survives undoing the run',
  async (name, agent) => {
    await using folder = await recordedFolder({ files: PROJECT })
    const mine = 'name = mine\ncolour = red\nsize = 7\n'
    const run = await play(folder, agent, name, mine)
    expect(readFileSync(join(folder.root, 'app.txt'), 'utf8')).toBe(mine.replace('red', 'blue'))
    expect(await outside(folder)).toEqual(['app.txt'])
    const { versions } = await folder.engine.call('file.history', { workspace: folder.workspace, path: 'app.txt' })
    expect(versions.map((version) => version.origin)).toEqual(['agent', 'outside', 'baseline'])
    await folder.engine.call('agent.event', {
      id: 'end',
      agent,
      event: 'SessionEnd',
      at: Date.now(),
      payload: { ...editing(name, folder.root, '')[0]!.input, hook_event_name: 'SessionEnd' },
      process: { pid: process.pid, start: '' }
    })
    const undone = await folder.apply({ kind: 'undo-run', run, paths: ['app.txt'] })
    expect([undone.state, undone.conflicts]).toEqual(['done', []])
    expect(readFileSync(join(folder.root, 'app.txt'), 'utf8')).toBe(mine)
  }
)

test('the same text is no edit, even if the agent dropped its BOM or CR characters', async () => {
  const kept = '\uFEFFname = demo\r\ncolour = red\r\n'
  await using folder = await recordedFolder({ files: { ...PROJECT, 'app.txt': kept } })
  await play(folder, 'claude-code', 'claude', kept, 'name = demo\ncolour = red\n')
  expect(await outside(folder)).toEqual([])
})

test('another text gets the line ends and the BOM of the file', async () => {
  await using folder = await recordedFolder({
    files: { ...PROJECT, 'app.txt': '\uFEFFname = demo\r\ncolour = red\r\n' }
  })
  const mine = '\uFEFFname = mine\r\ncolour = red\r\n'
  const run = await play(folder, 'claude-code', 'claude', mine, 'name = mine\ncolour = red\n')
  const { files } = await folder.engine.call('diff.files', { workspace: folder.workspace, target: run, scope: 'run' })
  expect(files.find((file) => file.path === 'app.txt')).toMatchObject({ added: 1, deleted: 1, interleaved: false })
})

test('bytes that are not text are never compared with an agent’s reading of them', async () => {
  const bytes = Buffer.from([0xff, 0xfe, 0x63, 0x00, 0x72, 0x65, 0x64])
  await using folder = await recordedFolder({ files: PROJECT })
  writeFileSync(join(folder.root, 'app.txt'), bytes)
  await folder.checkpoint()
  const lines = editing('claude', folder.root, 'cred')
  await replay(folder, 'claude-code', lines, { work: (line) => isEdit(line) })
  const { versions } = await folder.engine.call('file.history', { workspace: folder.workspace, path: 'app.txt' })
  expect(versions).toHaveLength(2)
})

test('[ST-1] text with unreadable bytes is never stored as a file’s content', async () => {
  await using folder = await recordedFolder({ files: PROJECT })
  await play(folder, 'claude-code', 'claude', 'caf\u00e9\ncolour = red\n', 'caf\uFFFD\ncolour = red\n')
  const { versions } = await folder.engine.call('file.history', { workspace: folder.workspace, path: 'app.txt' })
  expect(versions.map((version) => version.origin)).toEqual(['agent', 'baseline'])
  const { entries } = await folder.engine.call('timeline.list', {
    workspace: folder.workspace,
    limit: 1,
    kinds: ['run']
  })
  expect(entries[0], 'and the run is marked incomplete').toMatchObject({ incomplete: true })
})

test('[LG-2] a text that another process records at the same moment is not recorded twice', async () => {
  await using folder = await recordedFolder({ files: { 'app.txt': 'one' } })
  await using ours = openRecorder(folder.dataDir, folder.workspace)
  await using theirs = openRecorder(folder.dataDir, folder.workspace)
  const { content } = ours.recorder.store
  const { get } = content
  const record = (from: OpenRecorder) => recordOriginalContent(from.recorder, 'app.txt', 'by a person', 0)
  // The comparison reads stored content: at that moment the other process records.
  content.get = (id, size) => {
    content.get = get
    expect(record(theirs)).toBe('recorded')
    return get(id, size)
  }
  expect(record(ours)).toBe('known')
  const { versions } = await folder.engine.call('file.history', { workspace: folder.workspace, path: 'app.txt' })
  expect(versions.map((version) => version.origin)).toEqual(['outside', 'baseline'])
})
