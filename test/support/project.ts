/** A real folder with its own data folder, and the actions of a test in it: outside edits, runs and `driftline` commands. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { hostEnv } from './host.ts'
import { tempFolder } from './tmp.ts'
import { type Content, readTree, type Tree, writeFiles } from './tree.ts'

const LAUNCHER = resolve(import.meta.dirname, '../../bin/driftline')

/** A folder with files, and its own data folder. */
export interface Project {
  readonly root: string
  readonly dataDir: string
  /** The parent of both folders, for other files of a test. */
  readonly beside: string
  tree(): Tree
  /** Writes files as outside edits. */
  edit(files: Readonly<Record<string, Content>>): void
  /** Runs `driftline` on the folder and returns its output. Throws with its messages when it fails. */
  driftline(...args: readonly string[]): string
  /** Records one run through the command line: it writes `files`, then runs `then` in a shell, in the folder. */
  run(title: string, files: Readonly<Record<string, Content>>, then?: string): Promise<void>
}

let staged = 0

/** Use with `using`; `useProject` creates one for a whole block of tests. */
export function project(files: Readonly<Record<string, Content>>, name = 'shop'): Project & Disposable {
  const temp = tempFolder()
  const root = join(temp.path, name)
  const dataDir = join(temp.path, 'data')
  mkdirSync(root)
  mkdirSync(dataDir)
  writeFiles(root, files)
  const common = ['--data', dataDir]
  return {
    root,
    dataDir,
    beside: temp.path,
    tree: () => readTree(root),
    edit: (changed) => writeFiles(root, changed),
    driftline: (command, ...args) => {
      const ended = spawnSync(LAUNCHER, [command ?? '', ...common, ...args], {
        cwd: root,
        env: hostEnv(),
        encoding: 'utf8'
      })
      if (ended.status !== 0) throw new Error(`driftline ${command}: ${ended.stderr}${ended.stdout}`)
      return ended.stdout
    },
    run: async (title, changed, then = ':') => {
      const stage = join(temp.path, `stage-${++staged}`)
      mkdirSync(stage)
      writeFiles(stage, changed)
      const program = ['sh', '-c', `cp -a "$0"/. . && ${then}`, stage]
      const child = spawn(LAUNCHER, ['run', '--title', title, ...common, '--', ...program], {
        cwd: root,
        env: hostEnv(),
        stdio: ['ignore', 'ignore', 'pipe']
      })
      let errors = ''
      child.stderr.on('data', (text: Buffer) => {
        errors += String(text)
      })
      const [code] = await once(child, 'close')
      if (code !== 0) throw new Error(`driftline run ended with ${code}: ${errors}`)
    },
    [Symbol.dispose]: () => {
      temp[Symbol.dispose]()
      rmSync(temp.path, { recursive: true, force: true, maxRetries: 3 })
    }
  }
}

/** A project for all tests of the calling block, created before its first test and removed after its last. */
export function useProject(files: Readonly<Record<string, Content>>): Project {
  let created: (Project & Disposable) | undefined
  const current = (): Project => {
    if (!created) throw new Error('the project is created before the first test, not while tests are collected')
    return created
  }
  beforeAll(() => {
    created = project(files)
  })
  afterAll(() => created?.[Symbol.dispose]())
  return {
    get root() {
      return current().root
    },
    get dataDir() {
      return current().dataDir
    },
    get beside() {
      return current().beside
    },
    tree: () => current().tree(),
    edit: (changed) => current().edit(changed),
    driftline: (...args) => current().driftline(...args),
    run: (...run) => current().run(...run)
  }
}
