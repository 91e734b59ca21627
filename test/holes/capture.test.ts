/** Changes that other tools do not record and so cannot restore: commands, their side effects, odd paths, failed calls. */
import { mkdirSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { createHookedAgent } from '../support/hooked-agent.ts'
import { type RecordedFolder, recordedFolder } from '../support/recorded-folder.ts'
import { versions } from '../support/recorded-state.ts'
import { LONG } from '../support/scale.ts'
import { toolUser } from '../support/tool-client.ts'
import { type Content, writeFiles } from '../support/tree.ts'

/** Files in the folder: more than a tool lists that gives up after some thousands. */
const MANY = LONG ? 5200 : 500

/** Runs one command of an agent with its hook events, then undoes the run and expects the folder as it was before. */
async function comesBack(files: Record<string, Content>, command: string, changed: readonly string[]): Promise<void> {
  await using folder = await recordedFolder({ files })
  const before = folder.tree()
  const agent = createHookedAgent(folder, 'agent')
  const run = await agent.ensureRun()
  await agent.shell(command)
  await agent.stop()
  expect(await changes(folder, run), command).toEqual(changed)
  expect((await folder.apply({ kind: 'undo-run', run })).state, command).toBe('done')
  expect(folder.tree(), command).toEqual(before)
}

async function changes(folder: RecordedFolder, run: string): Promise<string[]> {
  const { files } = await folder.engine.call('diff.files', { workspace: folder.workspace, target: run, scope: 'run' })
  return files.flatMap((file) => (file.oldPath ? [`${file.oldPath} -> ${file.path}`] : [file.path])).sort()
}

test.each([
  ['rm data.bin', ['data.bin']],
  ['rm *.go', ['a.go', 'b.go']],
  ['rm "a b.txt"', ['a b.txt']],
  ['rm -rf d && mkdir d', ['d/deep/x']]
])('[A13] a deletion by the command %j is recorded and can be restored', async (command, changed) => {
  const files = {
    'data.bin': Buffer.from([0, 255]),
    'a.go': 'a',
    'b.go': 'b',
    'a b.txt': 'x',
    'd/deep/x': 'x',
    keep: 'k'
  }
  await comesBack(files, command, changed)
})

test.each([
  [`node -e "require('fs').writeFileSync('a.py', 'by a script')"`, ['a.py']],
  ['make', ['made']],
  ['echo partly > a.py; false', ['a.py']],
  ['echo one > a.py && cd nowhere', ['a.py']]
])('[A14] what the command %j writes is recorded, also when it fails', async (command, changed) => {
  await comesBack({ 'a.py': 'before', Makefile: 'all:\n\techo made > made\n' }, command, changed)
})

test.each([
  ['cd sub && mv a.go b.go', ['sub/a.go -> sub/b.go']],
  [`mv 'with space' "and one more"`, ['with space -> and one more']],
  ['f=sub/x.tf; echo new > $f', ['sub/x.tf']],
  ['touch {p,q}.ipynb', ['p.ipynb', 'q.ipynb']],
  ['echo y >> LICENSE; echo y >> .gitignore', ['.gitignore', 'LICENSE']]
])(
  '[A15] the paths that the command %j changes are found on disk, not guessed from its text',
  async (command, changed) => {
    const files = {
      'sub/a.go': 'package a // long enough to be a move\n',
      'with space': 'something long enough to be a move\n',
      'sub/x.tf': 'x',
      LICENSE: 'x',
      '.gitignore': ''
    }
    await comesBack(files, command, changed)
  }
)

test('[B10] edits are found in folders reached by a link, of any name and size, and with unchanged size and time; a touch is no edit', async () => {
  const many = Object.fromEntries(Array.from({ length: MANY }, (_, i) => [`many/${i % 50}/f${i}`, '']))
  const odd = ['vendor/x', 'target/x', 'dist/x', 'build/x', '.vscode/x', '.idea/x', 'lib.so', 'app.exe', 'pack.zip']
  const head = 'h'.repeat(8000)
  await using folder = await recordedFolder({
    files: { ...many, ...Object.fromEntries(odd.map((path) => [path, 'one'])), long: `${head}one` }
  })
  utimesSync(join(folder.root, 'long'), 1000, 1000)
  await folder.check()
  const link = join(dirname(folder.root), 'link')
  symlinkSync(folder.root, link)
  const run = await folder.run('edit', () => {
    for (const path of [...odd, `many/49/f${MANY - 1}`]) writeFileSync(join(link, path), 'two')
    writeFileSync(join(link, 'long'), `${head}two`)
    utimesSync(join(link, 'long'), 1000, 1000)
    utimesSync(join(link, 'many/0/f0'), 2000, 2000)
  })
  expect(await changes(folder, run)).toEqual([...odd, 'long', `many/49/f${MANY - 1}`].sort())
}, 60_000)

test('[B11] a file that only a script created belongs to the run, and a restore deletes it', async () => {
  await using folder = await recordedFolder({ files: { 'build.sh': 'mkdir -p out && echo made > out/new.txt\n' } })
  const before = folder.tree()
  const agent = createHookedAgent(folder, 'agent')
  const run = await agent.ensureRun()
  await agent.shell('sh build.sh')
  await agent.stop()
  expect(await changes(folder, run)).toEqual(['out/new.txt'])
  await folder.apply({ kind: 'restore', target: run })
  expect(folder.tree()).toEqual(before)
})

test('[B12] a tool that refuses to remove a folder has read and recorded nothing', async () => {
  await using folder = await recordedFolder({
    files: { '.gitignore': 'big/\n', 'big/x': 'never read', 'big/y/z': 'z' }
  })
  const head = (): number => folder.store((store) => store.records.lastSeq())
  const contents = (): unknown => folder.store((store) => store.db.prepare('SELECT count(*) AS n FROM content').get())
  const before = [head(), contents()]
  const user = toolUser(folder)
  await user.refused({ tool: 'remove_dir', path: 'big' })
  expect([head(), contents()]).toEqual(before)
  expect(readFileSync(join(folder.root, 'big/x'), 'utf8')).toBe('never read')
})

test('[B13] changes by a formatter after the tool are recorded before the next event', async () => {
  await using folder = await recordedFolder({ files: { 'a.ts': 'one', 'b.ts': 'one' } })
  const before = folder.tree()
  const agent = createHookedAgent(folder, 'agent')
  const run = await agent.ensureRun()
  const write = (path: string, content: string) => () => writeFiles(folder.root, { [path]: content })
  await agent.call('Write', { file_path: join(folder.root, 'a.ts'), content: 'two' }, () => {
    write('a.ts', 'two')()
    write('b.ts', 'formatted')()
  })
  write('a.ts', 'formatted after the call')()
  await agent.call('Write', { file_path: join(folder.root, 'b.ts'), content: 'three' }, write('b.ts', 'three'))
  await agent.stop()
  expect((await versions(folder, 'a.ts')).map((version) => version.size)).toEqual([24, 3, 3])
  expect(await changes(folder, run)).toEqual(['a.ts', 'b.ts'])
  await folder.apply({ kind: 'restore', target: run, outside: 'replace' })
  expect(folder.tree()).toEqual(before)
})

test('[A26] a file outside the folder that a tool names is not read, not recorded and not written', async () => {
  await using folder = await recordedFolder({ files: { a: 'one' } })
  const outside = join(dirname(folder.root), 'elsewhere')
  mkdirSync(outside)
  writeFileSync(join(outside, 'secret'), 'theirs')
  const agent = createHookedAgent(folder, 'agent')
  const run = await agent.ensureRun()
  for (const file_path of [
    join(outside, 'secret'),
    '/etc/passwd',
    '../elsewhere/secret',
    `${folder.root}/../elsewhere/secret`
  ])
    await agent.call('Write', { file_path, content: 'x' }, () => {})
  await agent.call('Write', { file_path: join(folder.root, 'a'), content: 'two' }, () =>
    writeFiles(folder.root, { a: 'two' })
  )
  await agent.stop()
  expect(await changes(folder, run)).toEqual(['a'])
  const names = folder.store((store) =>
    (store.db.prepare('SELECT name FROM path').all() as { name: string }[]).map((row) => row.name)
  )
  expect(names.sort()).toEqual(['', 'a'])
  await folder.apply({ kind: 'undo-run', run })
  expect(readFileSync(join(outside, 'secret'), 'utf8')).toBe('theirs')
})
