/** `search.run`: finds text in prompts, messages, paths and edits, reports its time limit, and never finds secrets. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { SearchHit } from '../../../../src/contract/search.ts'
import { searchLimitText } from '../../../../src/contract/words/storage.ts'
import { search } from '../../../../src/main/engine/search/search.ts'
import { openStore } from '../../../../src/main/engine/store/open-store.ts'
import { storeFile } from '../../../../src/main/engine/workspaces/store-file.ts'
import { type Line, PROJECT, recordedEvents, replay, toHookEvent } from '../../../support/agent-replay.ts'
import { type RecordedFolder, recordedFolder } from '../../../support/recorded-folder.ts'

const find = (folder: RecordedFolder, text: string, limit = 50) =>
  folder.engine.call('search.run', { workspace: folder.workspace, text, limit })
const shown = (hits: readonly SearchHit[]): string[] => hits.map((hit) => `${hit.kind} ${hit.path ?? ''} ${hit.text}`)

test('a recorded conversation is found by prompt, answer, path and changed line, in any letter case', async () => {
  await using folder = await recordedFolder({ files: PROJECT })
  await replay(folder, 'claude-code', recordedEvents('claude', folder.root))
  const { entries } = await folder.engine.call('timeline.list', {
    workspace: folder.workspace,
    limit: 1,
    kinds: ['run']
  })
  const run = entries[0]!.id
  expect((await find(folder, 'DO IT')).hits).toMatchObject([
    { kind: 'prompt', text: '[[script:basic]] do it', run, message: 1, session: expect.any(String) }
  ])
  expect((await find(folder, 'all done')).hits).toMatchObject([
    { kind: 'message', run, message: 2, text: expect.stringContaining('All done') }
  ])
  const notes = await find(folder, 'NOTES')
  expect(notes.hits.find((hit) => hit.kind === 'path')).toMatchObject({ path: 'notes.txt', run })
  expect(shown((await find(folder, 'colour')).hits)).toEqual([
    'change app.txt + colour = blue',
    'change app.txt - colour = red'
  ])
  expect(await find(folder, 'nowhere to be found')).toEqual({ hits: [], more: false, searched: null })
  expect(await find(folder, '  ')).toEqual({ hits: [], more: false, searched: null })
})

test('commands of `driftline run` are prompts, paths of replaced files are found, and case is ignored beyond ASCII', async () => {
  await using folder = await recordedFolder({ files: { 'Größe.txt': 'ÄPFEL\n', 'keep.txt': 'x' } })
  const run = await folder.run('make ÄPFEL', () => writeFileSync(join(folder.root, 'Größe.txt'), 'birnen\n'))
  expect(shown((await find(folder, 'äpfel')).hits)).toEqual(['prompt  make ÄPFEL', 'change Größe.txt - ÄPFEL'])
  expect((await find(folder, 'GRÖSSE')).hits).toEqual([])
  expect((await find(folder, 'GRÖßE')).hits).toMatchObject([{ kind: 'path', path: 'Größe.txt', run }])
})

test('a moved line and an edit of a restore are no hits; an outside edit is', async () => {
  await using folder = await recordedFolder({ files: { 'a.txt': 'needle\nb\nc\n' } })
  const run = await folder.run('shuffle', () => writeFileSync(join(folder.root, 'a.txt'), 'b\nc\nneedle\n'))
  expect((await find(folder, 'needle')).hits).toEqual([])
  await folder.apply({ kind: 'undo-run', run })
  writeFileSync(join(folder.root, 'a.txt'), 'b\n')
  await folder.check()
  expect((await find(folder, 'needle')).hits).toMatchObject([{ kind: 'change', text: '- needle', run: null }])
})

test('text that an edit completed, or that a later one broke, is found wherever it replaced a part of it', async () => {
  const filler = Array.from({ length: 60 }, (_, n) => `line ${n} ${(n * 7919).toString(36)}\n`).join('')
  const textWith = (middle: string): string => `${filler}start of the ${middle} word\n${filler}`
  const middles = ['x', 'hidden x', 'hidden treasures', 'x treasures', 'hidden treasure x', 'hiddenx', 'hidden']
  await using folder = await recordedFolder({ files: { a: textWith('') } })
  for (const middle of middles) {
    writeFileSync(join(folder.root, 'a'), textWith(middle))
    await folder.check()
  }
  const codecs = folder.store(({ db }) => db.prepare('SELECT codec FROM content').pluck().all())
  expect(codecs.filter((codec) => codec === 4)).toHaveLength(middles.length)
  for (const needle of ['hidden t', 'the x', 'treasure', 'n TREASURES w', 'hidden word', 'x'])
    expect(shown((await find(folder, needle)).hits), needle).toEqual(
      middles
        .flatMap((middle, n) => {
          const [before, after] = [n === 0 ? '' : middles[n - 1], middle].map((part) => `start of the ${part} word`)
          const [had, has] = [before!.includes(needle.toLowerCase()), after!.includes(needle.toLowerCase())]
          return [[...(has ? [`change a + ${after}`] : []), ...(had ? [`change a - ${before}`] : [])]]
        })
        .reverse()
        .flat()
    )
})

test('the content of a secret file is never found; its path is', async () => {
  await using folder = await recordedFolder({ files: { '.env': 'TOKEN=hunter2\n' } })
  await folder.run('rotate', () => {
    writeFileSync(join(folder.root, '.env'), 'TOKEN=hunter3\n')
    writeFileSync(join(folder.root, 'id_rsa'), 'hunter4\n')
  })
  expect((await find(folder, 'hunter')).hits).toEqual([])
  expect(shown((await find(folder, '.env')).hits)).toEqual(['path .env .env'])
})

test('every character of the query is literal', async () => {
  const odd = [
    '"',
    "'",
    '(',
    '*',
    'NEAR(',
    'a AND b',
    '%',
    '_',
    '\\',
    '^',
    '[',
    '-x',
    '--',
    ';',
    '😀',
    '\u202e',
    'ﬀ',
    'İ'
  ]
  await using folder = await recordedFolder({ files: { a: 'x' } })
  await folder.run('odd', () => writeFileSync(join(folder.root, 'a'), odd.map((sign) => `<${sign}>\n`).join('')))
  for (const sign of odd) expect(shown((await find(folder, `<${sign}>`)).hits), sign).toEqual([`change a + <${sign}>`])
  for (const query of ['\0', '\ud83d', 'a\nb', '<">\n<', ' '.repeat(1000)])
    expect((await find(folder, query)).searched, JSON.stringify(query)).toBe(null)
  const tooLong = folder.engine.callUntyped('search.run', {
    workspace: folder.workspace,
    text: 'n'.repeat(10_240),
    limit: 5
  })
  await expect(tooLong).rejects.toMatchObject({
    code: 'Usage',
    message: expect.stringContaining('at most 1,000 characters')
  })
})

test('binary files and very large texts are not searched', async () => {
  await using folder = await recordedFolder({ files: { a: 'x' } })
  await folder.run('make', () => {
    writeFileSync(join(folder.root, 'image.bin'), Buffer.from('needle\0needle'))
    writeFileSync(join(folder.root, 'large.txt'), `${'x'.repeat(600_000)}\nneedle\n`)
    writeFileSync(join(folder.root, 'small.txt'), `${'x'.repeat(500)} needle ${'y'.repeat(500)}\n`)
  })
  const { hits } = await find(folder, 'needle')
  expect(hits.map((hit) => hit.path)).toEqual(['small.txt'])
  expect(hits[0]!.text.length).toBeLessThan(220)
})

test('no kind crowds out the others, and `more` reports further hits', async () => {
  await using folder = await recordedFolder({ files: PROJECT })
  const send = (event: string, more: object): Promise<unknown> => {
    const line: Line = { event, input: { session_id: 's', cwd: folder.root, hook_event_name: event, ...more } }
    return folder.engine.callUntyped('agent.event', toHookEvent('claude-code', line))
  }
  for (let i = 0; i < 6; i++) {
    await send('UserPromptSubmit', { prompt: `needle ${i}`, prompt_id: `${i}` })
    await send('Stop', { background_tasks: [], last_assistant_message: `a needle ${i}` })
  }
  await folder.run('x', () => writeFileSync(join(folder.root, 'needle.txt'), 'needle\n'))
  const { hits, more } = await find(folder, 'needle', 5)
  expect([shown(hits), more]).toEqual([
    [
      'prompt  needle 5',
      'prompt  needle 4',
      'message  a needle 5',
      'path needle.txt needle.txt',
      'change needle.txt + needle'
    ],
    true
  ])
})

test('a search that reaches its time limit reports how far it got', async () => {
  await using folder = await recordedFolder({ files: { a: '0' } })
  await folder.run('many', () => {
    for (let i = 0; i < 40; i++) writeFileSync(join(folder.root, `f${i}`), `needle ${i}\n`)
  })
  const store = openStore(storeFile(folder.dataDir, folder.workspace))
  const { hits, searched } = await search(store, { text: 'nothing like it', limit: 5, budget: 0 })
  store.close()
  expect(hits).toEqual([])
  expect(searched).toEqual({ changes: 0, of: 40 })
  expect(searchLimitText(searched)).toBe('Searched the newest 0 of 40 changes; the time limit was reached.')
})
