/** Test suites by folder. `npm test` runs them all; `vitest run test/some/path` runs a few. */
import { spawnSync } from 'node:child_process'
import { lstatSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { findBrowser } from './test/support/browser.ts'
import { electronProgram } from './test/support/electron-program.ts'
import { PYTHON } from './test/support/scripted-disk.ts'

const works = (program: string, ...args: readonly string[]): boolean =>
  spawnSync(program, args, { stdio: 'ignore' }).status === 0

/** Windows makes them in developer mode and for administrators; Wine says that it does. */
function canLink(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'driftline-links-'))
  try {
    symlinkSync('nowhere', join(folder, 'link'))
    return lstatSync(join(folder, 'link')).isSymbolicLink()
  } catch {
    // EPERM; ENOENT in Wine.
    return false
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** What a test needs of the system; without it the test is skipped, and the totals give the description as the reason. */
const TAGS = [
  { name: 'browser', description: 'a Chromium or Chrome', skip: !findBrowser() },
  { name: 'posix', description: 'a POSIX system', skip: process.platform === 'win32' },
  { name: 'windows', description: 'Windows', skip: process.platform !== 'win32' },
  { name: 'git', description: 'the program `git`', skip: !works('git', '--version') },
  { name: 'links', description: 'symbolic links', skip: !canLink() },
  { name: 'linux', description: 'Linux', skip: process.platform !== 'linux' },
  { name: 'root', description: 'the root user', skip: process.getuid?.() !== 0 },
  { name: 'not-root', description: 'a user other than root', skip: process.getuid?.() === 0 },
  { name: 'terminal', description: 'the program `script`', skip: !works('script', '-qec', 'true', '/dev/null') },
  { name: 'memory-map', description: 'Python, which can map files', skip: !works('python3', '-c', 'import mmap') },
  {
    name: 'scripted-disk',
    description: 'npm run test:disks, root and Python with fusepy',
    skip: !process.env.DRIFTLINE_DISKS || !works(PYTHON, '-c', 'import fusepy')
  },
  { name: 'stand-in', description: 'the stand-in for Electron; the real one is here', skip: electronProgram().real },
  { name: 'agent', description: 'the agent itself, in the folder DRIFTLINE_REAL_AGENTS (docs/agents.md)' }
]

/** Files whose tests start browsers, hosts or dozens of processes. */
const LONG = /\.(browser|e2e|program)\.test\.|\/test\/(crash|property)\//

/** Long files first: one that starts last would keep a single core busy at the end. */
class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { long = [], short = [] } = Object.groupBy(await super.sort(files), ({ moduleId }) =>
      LONG.test(moduleId) ? 'long' : 'short'
    )
    return [...long, ...short]
  }
}

export default defineConfig({
  resolve: {
    // The package starts a download when it is imported without its binary.
    alias: { electron: resolve('test/support/electron-shim/unit-stub.ts') }
  },
  test: {
    include: ['test/**/*.test.ts', 'test/**/*.test.tsx'],
    globalSetup: 'test/support/global-setup.ts',
    tags: TAGS,
    // Tests that want a recorder start one: one in the background would outlive its test.
    env: { DRIFTLINE_RECORDER: 'off' },
    sequence: { sequencer: LongFirst },
    testTimeout: 20_000,
    hookTimeout: 40_000,
    // What is waited for comes in milliseconds, unless the machine is busy with something else.
    expect: { poll: { timeout: 10_000 } },
    pool: 'forks',
    // Most tests wait for a disk or a process of their own: one worker a core keeps the machine busy.
    maxWorkers: '100%'
  }
})
