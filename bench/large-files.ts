/** Large files with small changes: what a version adds to the history, and how long it takes until it is durable. */
import { closeSync, copyFileSync, fsyncSync, openSync, rmSync, statSync, writeFileSync, writeSync } from 'node:fs'
import { basename, join } from 'node:path'
import Database from 'better-sqlite3'
import type { BlamePage } from '../src/contract/log.ts'
import type { Engine } from '../src/main/engine/engine.ts'
import type { Figure, Row, Setting } from './figure.ts'
import { random } from './generated-tree.ts'
import { openEngine, record, recordRun, workspaceOf } from './recorded.ts'
import { type ShadowRepository, shadowRepository } from './shadow-repository.ts'
import { inMegabytes, inSeconds, median, times } from './statistics.ts'

const [SIZE, QUICK_SIZE] = [40_000_000, 5_000_000]
const [SAVES, QUICK_SAVES] = [50, 5]
const MOST_ADDED = 300_000
const ROUNDS = 5
/**
 * Edits that are measured, beside the first, which takes longer: nothing of the version before is in memory. The next ones are
 * a quarter slower than the others, while V8 compiles.
 */
const [EDITS, SLOW_EDITS] = [30, 7]
const BLAMED_VERSIONS = 20

export const LARGE_FILES: Figure = {
  name: 'large-files',
  measure: async (setting) => {
    const tree = setting.folder('project')
    const size = setting.quick ? QUICK_SIZE : SIZE
    const files = [textFile(join(tree, 'edited.json'), size), binaryFile(join(tree, 'image.bin'), size)]
    // Another one, because `git blame` is compared on the same versions.
    const lines = textFile(join(tree, 'lines.json'), size)
    const database = databaseFile(join(tree, 'app.sqlite'), size)
    const data = await record(setting, tree)
    const engine = await openEngine(data, false)
    const workspace = await workspaceOf(engine)
    const rows: Row[] = []
    for (const file of files) rows.push(...(await measureEdits(setting, engine, workspace, file)))
    const shadow = await shadowRepository(setting.folder('shadow'), tree)
    rows.push(await measurePatch(shadow, engine, workspace, lines))
    rows.push(await measureBlame(shadow, engine, workspace, lines))
    rows.push(await measureSaves(engine, workspace, database, setting.quick ? QUICK_SAVES : SAVES))
    await engine.close()
    return rows
  }
}

interface LargeFile {
  readonly path: string
  /** What one edit is, for the table. */
  readonly edit: string
  change(): void
}

function textFile(path: string, size: number): LargeFile {
  const next = random(size)
  const lines = Array.from({ length: Math.floor(size / 80) }, (_, n) => textLine(n, next))
  const write = (): void => writeFileSync(path, lines.join('\n'))
  write()
  const change = (): void => {
    lines[Math.floor(next() * lines.length)] = textLine(0, next)
    write()
  }
  return { path, edit: `one line of ${inMegabytes(statSync(path).size)} of text`, change }
}

function textLine(n: number, next: () => number): string {
  return `{"id":${n},"name":"user ${Math.floor(next() * 1e9)}","value":${next()},"tag":"a"}`
}

function binaryFile(path: string, size: number): LargeFile {
  const next = random(size + 1)
  writeFileSync(path, Buffer.from(Uint8Array.from({ length: size }, () => next() * 256)))
  const change = (): void => {
    const fd = openSync(path, 'r+')
    writeSync(fd, Buffer.from([next() * 256]), 0, 1, Math.floor(next() * size))
    closeSync(fd)
  }
  return { path, edit: `one byte of ${inMegabytes(size)} of binary data`, change }
}

/** A database of rows and an index; a change updates three rows. */
function databaseFile(path: string, size: number): LargeFile {
  const next = random(size + 2)
  const db = new Database(path)
  db.exec(
    'CREATE TABLE document(id INTEGER PRIMARY KEY, title TEXT, body TEXT); CREATE INDEX titles ON document(title)'
  )
  const rows = Math.floor(size / 400)
  const insert = db.prepare('INSERT INTO document(title, body) VALUES (?, ?)')
  const fill = db.transaction(() => {
    for (let n = 0; n < rows; n++) insert.run(`title ${next()}`, `text of a document, ${next()} `.repeat(8))
  })
  fill()
  const update = db.prepare('UPDATE document SET title = ? WHERE id = ?')
  const change = db.transaction(() => {
    for (let n = 0; n < 3; n++) update.run(`title ${next()}`, 1 + Math.floor(next() * rows))
  })
  return { path, edit: `saves of a database of ${inMegabytes(statSync(path).size)}`, change }
}

async function measureEdits(setting: Setting, engine: Engine, workspace: string, file: LargeFile): Promise<Row[]> {
  const [added, ours, theirs]: [number[], Spent[], Spent[]] = [[], [], []]
  const copy = join(setting.folder('copy'), 'copy')
  for (let edit = 0; edit <= EDITS; edit++) {
    file.change()
    const before = await storedBytes(engine, workspace)
    ours.push(await spentOn(() => engine.call('drift.list', { workspace, check: true })))
    added.push((await storedBytes(engine, workspace)) - before)
    theirs.push(await spentOn(() => copyDurably(file.path, copy)))
    // Else the memory for what is to be written fills up, and copies wait for the disk.
    rmSync(copy)
  }
  const first = ours.shift() as Spent
  theirs.shift()
  const bytes = median(added)
  const [seconds, copied] = [medianWall(ours), medianWall(theirs)]
  const processors = [ours, theirs].map((side) => inSeconds(median(side.map(({ processor }) => processor))))
  return [
    {
      figure: 'large file, bytes added',
      on: file.edit,
      ours: inMegabytes(bytes),
      theirs: inMegabytes(statSync(file.path).size),
      result: inMegabytes(bytes),
      target: `<= ${inMegabytes(MOST_ADDED)}`,
      reached: bytes <= MOST_ADDED,
      note: 'compared with the size of the file',
      numbers: { added }
    },
    {
      figure: 'large file, until it is durable',
      on: file.edit,
      ours: inSeconds(seconds),
      theirs: inSeconds(copied),
      result: times(seconds / copied),
      target: '<= 1 x',
      reached: seconds <= copied,
      note: `compared with cp and fsync; processor ${processors.join(' against ')}, which depends less on other load; first version ${inSeconds(first.wall)}, the next ${SLOW_EDITS} ${inSeconds(medianWall(ours.slice(0, SLOW_EDITS)))}`,
      numbers: {
        first: first.wall,
        ours: ours.map(({ wall }) => wall),
        theirs: theirs.map(({ wall }) => wall),
        processorOurs: ours.map(({ processor }) => processor),
        processorTheirs: theirs.map(({ processor }) => processor)
      }
    }
  ]
}

const medianWall = (all: readonly Spent[]): number => median(all.map(({ wall }) => wall))

async function measurePatch(
  { git }: ShadowRepository,
  engine: Engine,
  workspace: string,
  file: LargeFile
): Promise<Row> {
  await git('add', file.path)
  await git('commit', '-q', '-m', 'all')
  const [ours, theirs]: number[][] = [[], []]
  for (let round = 0; round < ROUNDS; round++) {
    const run = await recordRun(engine, workspace, `edit ${round}`, file.change)
    ours!.push(await secondsOf(() => engine.call('diff.patch', { workspace, target: run })))
    theirs!.push((await git('diff', file.path)).wall)
    await git('commit', '-q', '-a', '-m', `edit ${round}`)
  }
  const ratio = median(ours!.map((seconds, n) => seconds / (theirs![n] as number)))
  return {
    figure: 'large file, patch',
    on: file.edit,
    ours: inSeconds(median(ours!)),
    theirs: inSeconds(median(theirs!)),
    result: times(ratio),
    target: '<= 1 x',
    reached: ratio <= 1,
    note: 'compared with git diff',
    numbers: { ours: ours!, theirs: theirs! }
  }
}

/** All lines of a file with 20 versions; the edits of the patch are among them. */
async function measureBlame(
  { git }: ShadowRepository,
  engine: Engine,
  workspace: string,
  file: LargeFile
): Promise<Row> {
  for (let version = ROUNDS; version < BLAMED_VERSIONS; version++) {
    await recordRun(engine, workspace, `edit ${version}`, file.change)
    await git('commit', '-q', '-a', '-m', `edit ${version}`)
  }
  const readAll = async (): Promise<void> => {
    for (let from: number | null = 1; from !== null; ) {
      const page: BlamePage = await engine.call('file.blame', { workspace, path: basename(file.path), from })
      from = page.next
    }
  }
  const ours = await secondsOf(readAll)
  const { wall: theirs } = await git('blame', '--incremental', file.path)
  return {
    figure: 'large file, blame',
    on: `${BLAMED_VERSIONS} versions, ${file.edit} each`,
    ours: inSeconds(ours),
    theirs: inSeconds(theirs),
    result: times(ours / theirs),
    target: '<= 2 x',
    reached: ours <= 2 * theirs,
    note: 'compared with git blame',
    numbers: { ours, theirs }
  }
}

async function measureSaves(engine: Engine, workspace: string, database: LargeFile, saves: number): Promise<Row> {
  const size = statSync(database.path).size
  const before = await storedBytes(engine, workspace)
  for (let save = 0; save < saves; save++) {
    database.change()
    await engine.call('drift.list', { workspace, check: true })
  }
  const added = (await storedBytes(engine, workspace)) - before
  return {
    figure: 'large file, saved often',
    on: `${saves} ${database.edit}`,
    ours: inMegabytes(added),
    theirs: inMegabytes(size),
    result: times(added / size),
    target: '<= 0.5 x beside the initial snapshot',
    reached: added <= size / 2,
    note: 'compared with the size of the file',
    numbers: { added, size }
  }
}

/** Packed bytes of all contents, as the meter counts them. */
async function storedBytes(engine: Engine, workspace: string): Promise<number> {
  const { store } = await engine.call('workspace.status', { workspace, check: false })
  return store.headBytes + store.historyBytes
}

async function secondsOf(work: () => unknown): Promise<number> {
  const start = performance.now()
  await work()
  return (performance.now() - start) / 1000
}

interface Spent {
  /** Seconds. */
  readonly wall: number
  /** Seconds of this process, which holds the engine. */
  readonly processor: number
}

async function spentOn(work: () => unknown): Promise<Spent> {
  const before = process.cpuUsage()
  const wall = await secondsOf(work)
  const { user, system } = process.cpuUsage(before)
  return { wall, processor: (user + system) / 1e6 }
}

function copyDurably(from: string, to: string): void {
  copyFileSync(from, to)
  const fd = openSync(to, 'r+')
  fsyncSync(fd)
  closeSync(fd)
}
