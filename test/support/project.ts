/** A real folder with its own data folder, and the actions of a test in it: outside edits, runs and `driftline` commands. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import type { Client, Method, Params, Result } from '../../src/contract/api.ts'
import { openClient } from '../../src/main/cli/open-client.ts'
import { ownProcess } from '../../src/main/engine/ports/processes.ts'
import { hostEnv } from './host.ts'
import { COMMAND_PROGRAMS } from './programs.ts'
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
  /** Records the folder, with its initial snapshot. */
  add(): Promise<void>
  /** The id of the recorded folder. */
  workspace(): Promise<string>
  /** Scans the folder and records outside edits. */
  check(): Promise<void>
  /** Records one run, as of a command: it writes `files`, then runs `then` in a shell, in the folder. */
  run(title: string, files: Readonly<Record<string, Content>>, then?: string): Promise<void>
  /**
   * Calls the engine as a command does: of the host that runs on the data folder, else one in this process, which is closed
   * afterwards. A command would be a process each time.
   */
  call<M extends Method>(method: M, params: Params<M>): Promise<Result<M>>
  /** Runs `driftline` on the folder and returns its output. Throws with its messages when it fails. */
  driftline(...args: readonly string[]): string
}

/** Use with `using`; `useProject` creates one for a whole block of tests. */
export function project(files: Readonly<Record<string, Content>>, name = 'shop'): Project & Disposable {
  const temp = tempFolder()
  const root = join(temp.path, name)
  const dataDir = join(temp.path, 'data')
  mkdirSync(root)
  mkdirSync(dataDir)
  writeFiles(root, files)
  const common = ['--data', dataDir]
  const use = async <T>(work: (client: Client) => Promise<T>): Promise<T> => {
    const { client, close } = await openClient(dataDir, COMMAND_PROGRAMS)
    try {
      return await work(client)
    } finally {
      await close()
    }
  }
  const workspaceOn = async (client: Client): Promise<string> =>
    (await client.call('workspaces.find', { folder: root })).workspace.id
  return {
    root,
    dataDir,
    beside: temp.path,
    tree: () => readTree(root),
    edit: (changed) => writeFiles(root, changed),
    add: () => use((client) => client.call('workspaces.add', { folder: root, wait: true })).then(() => {}),
    workspace: () => use(workspaceOn),
    check: () =>
      use(async (client) => {
        await client.call('drift.list', { workspace: await workspaceOn(client), check: true })
      }),
    run: (title, changed, then) =>
      use(async (client) => {
        const workspace = await workspaceOn(client)
        const { pid, start: pidStart } = ownProcess()
        const { run } = await client.call('run.begin', { workspace, title, agent: 'command', pid, pidStart })
        writeFiles(root, changed)
        if (then !== undefined) await shell(root, then)
        await client.call('run.end', { workspace, run, exitCode: 0 })
      }),
    call: (method, params) => use((client) => client.call(method, params)),
    driftline: (command, ...args) => {
      const ended = spawnSync(LAUNCHER, [command ?? '', ...common, ...args], {
        cwd: root,
        env: hostEnv(dataDir),
        encoding: 'utf8'
      })
      if (ended.status !== 0) throw new Error(`driftline ${command}: ${ended.stderr}${ended.stdout}`)
      return ended.stdout
    },
    [Symbol.dispose]: () => {
      temp[Symbol.dispose]()
      rmSync(temp.path, { recursive: true, force: true, maxRetries: 3 })
    }
  }
}

async function shell(folder: string, script: string): Promise<void> {
  const [code] = await once(spawn('sh', ['-ec', script], { cwd: folder, stdio: 'inherit' }), 'close')
  if (code !== 0) throw new Error(`sh ended with ${code}: ${script}`)
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
    add: () => current().add(),
    workspace: () => current().workspace(),
    check: () => current().check(),
    run: (...run) => current().run(...run),
    call: (...args) => current().call(...args),
    driftline: (...args) => current().driftline(...args)
  }
}
