/**
 * The watch backends on Linux, where all of them run: time until live and memory on a generated tree, and the folders whose
 * changes are no longer reported after random folders were made, moved and removed (docs/design/0004).
 */
import { fork } from 'node:child_process'
import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { systemClock } from '../src/main/engine/ports/clock.ts'
import { watchWithChokidar } from '../src/main/engine/watch/chokidar-folders.ts'
import { chokidarHandles } from '../src/main/engine/watch/chokidar-handle.ts'
import type { FolderEvents } from '../src/main/engine/watch/folder-events.ts'
import { watchEachFolder } from '../src/main/engine/watch/inotify-folders.ts'
import type { Figure, Row, Setting } from './figure.ts'
import { random } from './generated-tree.ts'
import { residentMemory } from './host-process.ts'
import { inMegabytes, inSeconds } from './statistics.ts'

/** Each one, however large the tree is. */
const BACKENDS = {
  'chokidar per folder': watchEachFolder({ folders: 1_000_000, files: 1_000_000, delay: 0 }),
  'fs.watch per folder': watchEachFolder({ folders: 0, files: 0, delay: 0 }),
  'chokidar on the tree': watchWithChokidar
}
type Backend = keyof typeof BACKENDS
const NAMES = Object.keys(BACKENDS) as Backend[]

const OPERATIONS = 600
/** Longer than any event takes, ms. */
const UNTIL_DELIVERED = 1000

export const WATCHERS: Figure = {
  name: 'watchers',
  measure: async (setting) => {
    if (process.platform !== 'linux') return []
    const [files] = setting.sizes as [number]
    return [
      // The largest folder that is watched with chokidar.
      ...(await startRows(setting, setting.quick ? 500 : 6000)),
      ...(await startRows(setting, files)),
      ...(await lossRows(setting, setting.quick ? 5 : 40))
    ]
  }
}

async function startRows(setting: Setting, files: number): Promise<Row[]> {
  const tree = await setting.generated(files)
  const rows: Row[] = []
  for (const backend of NAMES) {
    const { folders, seconds, bytes, processor } = await startInProcess(backend, tree)
    rows.push({
      figure: `watching until live, ${backend}`,
      on: `${files} files, ${folders} folders`,
      ours: `${inSeconds(seconds)}, ${inMegabytes(bytes)}`,
      theirs: '',
      result: inSeconds(seconds),
      target: '',
      reached: null,
      note: `${inSeconds(processor)} of processor time until every folder has its handle`,
      numbers: { seconds, bytes, processor }
    })
  }
  return rows
}

async function lossRows(setting: Setting, histories: number): Promise<Row[]> {
  const rows: Row[] = []
  for (const backend of NAMES) {
    let lost = 0
    for (let seed = 1; seed <= histories; seed++)
      if ((await unreportedFolders(backend, setting.folder('churn'), seed)).length > 0) lost++
    const isOurs = backend !== 'chokidar on the tree'
    rows.push({
      figure: `folders lost while folders move, ${backend}`,
      on: `${histories} random histories`,
      ours: `${lost}`,
      theirs: '',
      result: `${lost}`,
      target: isOurs ? '0' : '',
      reached: isOurs ? lost === 0 : null,
      note: 'histories after which changes of some folder are not reported any more',
      numbers: { lost }
    })
  }
  return rows
}

interface Start {
  readonly seconds: number
  readonly bytes: number
  readonly folders: number
  /** Processor time, s. */
  readonly processor: number
}

/** In a process of its own, so that memory is that of one backend. */
function startInProcess(backend: Backend, tree: string): Promise<Start> {
  return new Promise((resolve, reject) => {
    const child = fork(fileURLToPath(import.meta.url), [backend, tree])
    child.once('message', (start) => resolve(start as Start))
    child.once('error', reject)
    child.once('exit', (code) => code && reject(new Error(`The measured process ended with ${code}.`)))
  })
}

async function measureStart(backend: Backend, tree: string): Promise<Start> {
  const before = residentMemory(process.pid)
  const usage = process.cpuUsage()
  const since = performance.now()
  const events = await live(backend, tree, () => {})
  const seconds = (performance.now() - since) / 1000
  if (backend === 'chokidar per folder') while (chokidarHandles() < events.folders()) await new Promise(setImmediate)
  const { user, system } = process.cpuUsage(usage)
  const bytes = residentMemory(process.pid) - before
  return { seconds, bytes, folders: events.folders(), processor: (user + system) / 1_000_000 }
}

/** Folders in which a new file is not reported, after a random history. */
async function unreportedFolders(backend: Backend, root: string, seed: number): Promise<string[]> {
  const reported = new Set<string>()
  const events = await live(backend, root, (path) => reported.add(path))
  await moveFolders(root, random(seed))
  await delivered()
  reported.clear()
  const folders = ['', ...foldersIn(root, '')]
  for (const folder of folders) writeFileSync(join(root, folder, 'probe'), '')
  await delivered()
  await events.close()
  return folders.filter((folder) => !reported.has(folder === '' ? 'probe' : `${folder}/probe`))
}

function live(backend: Backend, root: string, pathChanged: (path: string) => void): Promise<FolderEvents> {
  return new Promise((resolve, reject) => {
    const events: FolderEvents = BACKENDS[backend]({
      root,
      ignoresDir: () => false,
      clock: systemClock,
      sink: {
        pathChanged,
        treeChanged() {},
        handlesChanged() {},
        rootUncertain() {},
        failed: reject,
        ready: () => resolve(events)
      }
    })
  })
}

/** Makes, moves and removes folders and files with four names, up to four deep, as fast as a program does. */
async function moveFolders(root: string, next: () => number): Promise<void> {
  const below = (count: number) => Math.floor(next() * count)
  const path = () => join(root, ...Array.from({ length: 1 + below(4) }, () => 'abcd'.charAt(below(4))))
  for (let i = 0; i < OPERATIONS; i++) {
    const [kind, at, to] = [below(10), path(), path()]
    try {
      if (kind < 3) mkdirSync(at, { recursive: true })
      else if (kind < 7) {
        mkdirSync(dirname(at), { recursive: true })
        writeFileSync(at, `${i}`)
      } else if (kind < 8) rmSync(at, { recursive: true, force: true })
      else renameSync(at, to)
    } catch {
      // A file is in the way, or nothing is there: the next operation.
    }
    if (i % 10 === 0) await new Promise(setImmediate)
  }
}

function foldersIn(root: string, rel: string): string[] {
  const children = readdirSync(join(root, rel), { withFileTypes: true }).filter((entry) => entry.isDirectory())
  return children.flatMap(({ name }) => {
    const child = rel === '' ? name : `${rel}/${name}`
    return [child, ...foldersIn(root, child)]
  })
}

const delivered = () => new Promise((resolve) => setTimeout(resolve, UNTIL_DELIVERED))

const [backend, tree] = process.argv.slice(2)
if (process.send && backend !== undefined && backend in BACKENDS && tree !== undefined) {
  process.send(await measureStart(backend as Backend, tree), () => process.exit(0))
}
