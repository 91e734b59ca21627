/** A real folder with a history of its own, and what happens in it: people edit, programs run, `driftline` is called. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { hostEnv } from './host.ts'
import { tempFolder } from './tmp.ts'
import { type Content, readTree, type Tree, writeFiles } from './tree.ts'

const LAUNCHER = resolve(import.meta.dirname, '../../bin/driftline')

/** A folder with files, and a data folder of its own. */
export interface Project {
  readonly root: string
  readonly dataDir: string
  /** The folder that holds both: a place for what a test needs beside them. */
  readonly beside: string
  tree(): Tree
  /** Writes files as somebody who is not recorded. */
  edit(files: Readonly<Record<string, Content>>): void
  /** Runs `driftline` on it and waits; answers its output. Throws with its words when it fails. */
  driftline(...args: readonly string[]): string
  /** Records one run through the command line: it writes `files`, then runs `then` in a shell, in the folder. */
  run(title: string, files: Readonly<Record<string, Content>>, then?: string): Promise<void>
}

let staged = 0

/** Use with `using`, or for a whole block of tests `useProject`. */
export function project(files: Readonly<Record<string, Content>>, name = 'shop'): Project & Disposable {
  const temp = tempFolder()
  const root = join(temp.path, name)
  const dataDir = join(temp.path, 'data')
  mkdirSync(root)
  mkdirSync(dataDir)
  writeFiles(root, files)
  const common = ['--data', dataDir, '--folder', root]
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
      let said = ''
      child.stderr.on('data', (text: Buffer) => {
        said += String(text)
      })
      const [code] = await once(child, 'close')
      if (code !== 0) throw new Error(`driftline run ended with ${code}: ${said}`)
    },
    [Symbol.dispose]: () => {
      temp[Symbol.dispose]()
      rmSync(temp.path, { recursive: true, force: true, maxRetries: 3 })
    }
  }
}

/** A project for all tests of the calling block: there before its first hook, gone after its last. */
export function useProject(files: Readonly<Record<string, Content>>): Project {
  let made: (Project & Disposable) | undefined
  const there = (): Project => {
    if (!made) throw new Error('the project is made before the first test, not while tests are collected')
    return made
  }
  beforeAll(() => {
    made = project(files)
  })
  afterAll(() => made?.[Symbol.dispose]())
  return {
    get root() {
      return there().root
    },
    get dataDir() {
      return there().dataDir
    },
    get beside() {
      return there().beside
    },
    tree: () => there().tree(),
    edit: (changed) => there().edit(changed),
    driftline: (...args) => there().driftline(...args),
    run: (...run) => there().run(...run)
  }
}
