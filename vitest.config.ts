/** Test suites by folder. `npm test` runs them all; `vitest run test/some/path` runs a few. */
import { spawnSync } from 'node:child_process'
import { existsSync, lstatSync, mkdtempSync, rmSync, statfsSync, symlinkSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { defineConfig } from 'vitest/config'
import { findBrowser } from './test/support/browser.ts'
import { electronProgram } from './test/support/electron-program.ts'
import { LONG, SEED } from './test/support/scale.ts'
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

/** The superuser's sshd needs its folder, which the system makes for a service. */
function canServeSsh(): boolean {
  const isReady = process.getuid?.() !== 0 || existsSync('/run/sshd')
  return isReady && existsSync('/usr/sbin/sshd') && works('ssh', '-V')
}

/** What a test needs of the system; without it the test is skipped, and the totals give the description as the reason. */
const TAGS = [
  { name: 'long', description: 'the long form, npm run test:long', skip: !LONG },
  { name: 'browser', description: 'a Chromium or Chrome', skip: !findBrowser() },
  { name: 'posix', description: 'a POSIX system', skip: process.platform === 'win32' },
  { name: 'windows', description: 'Windows', skip: process.platform !== 'win32' },
  { name: 'git', description: 'the program `git`', skip: !works('git', '--version') },
  {
    name: 'reftable',
    description: 'a git that knows reftable (2.45)',
    skip: !spawnSync('git', ['init', '-h'], { encoding: 'utf8' }).stdout?.includes('ref-format')
  },
  { name: 'links', description: 'symbolic links', skip: !canLink() },
  {
    name: 'file-events',
    description: 'events of changed files, which Wine has none of',
    skip: !!process.env.DRIFTLINE_WINE
  },
  { name: 'linux', description: 'Linux', skip: process.platform !== 'linux' },
  {
    name: 'overlay',
    description: 'mounts in a namespace of its own, which Linux may refuse',
    skip: process.platform !== 'linux' || !works('unshare', '--user', '--map-root-user', '--mount', 'true')
  },
  { name: 'root', description: 'the root user', skip: process.getuid?.() !== 0 },
  { name: 'not-root', description: 'a POSIX user other than root', skip: !process.getuid?.() },
  { name: 'terminal', description: 'the program `script`', skip: !works('script', '-qec', 'true', '/dev/null') },
  { name: 'memory-map', description: 'Python, which can map files', skip: !works('python3', '-c', 'import mmap') },
  {
    name: 'scripted-disk',
    description: 'npm run test:disks, root and Python with fusepy',
    skip: !process.env.DRIFTLINE_DISKS || !works(PYTHON, '-c', 'import fusepy')
  },
  { name: 'restic', description: 'the program `restic`', skip: !works('restic', 'version') },
  { name: 'rclone', description: 'the program `rclone`', skip: !works('rclone', 'version') },
  { name: 'sshd', description: 'the programs `ssh` and `sshd`, able to start', skip: !canServeSsh() },
  { name: 'stand-in', description: 'the stand-in for Electron; the real one is here', skip: electronProgram().real },
  { name: 'agent', description: 'the agent itself, in the folder DRIFTLINE_REAL_AGENTS (docs/agents.md)' }
]

/** Windows of the app, and pages in a browser. */
const BROWSER = ['test/**/*.{browser,e2e}.test.ts']
/**
 * On the disk itself: disks that are mounted, packages and scripts as a user runs them, and writes through a mapping, of which a
 * folder in memory keeps no time.
 */
const ON_DISK = [
  'test/{agents,bin,disks,pack,scripts,windows}/**/*.test.ts',
  'test/main/cli/paths.test.ts',
  'test/main/engine/drift/{comparison,unannounced-writes}.test.ts'
]

/** What is waited for comes in milliseconds, unless the machine is busy with something else. */
const POLL = { timeout: 10_000 }
/** A test without an assertion fails. Those of pages may only wait for an element. */
const ASSERTED = { poll: POLL, requireAssertions: true }

const GIGABYTE = 2 ** 30

/** Temporary folders in memory, unless a disk is chosen with TMPDIR: for most suites, syncing it is half of the time. */
function inMemory(): Record<string, string> {
  const memory = '/dev/shm'
  if (process.env.TMPDIR || !existsSync(memory)) return {}
  const { bavail, bsize } = statfsSync(memory)
  return bavail * bsize > 2 * GIGABYTE ? { TMPDIR: memory } : {}
}

export default defineConfig({
  resolve: {
    // The package starts a download when it is imported without its binary.
    alias: { electron: resolve('test/support/electron-shim/unit-stub.ts') }
  },
  test: {
    globalSetup: 'test/support/global-setup.ts',
    setupFiles: ['test/support/one-seed.ts', 'test/support/equal-bytes.ts'],
    // Vitest takes `skip` of the last tag that has it, so only what is missing has one.
    tags: TAGS.map(({ skip, ...tag }) => (skip ? { ...tag, skip } : tag)),
    env: {
      // Tests that want a recorder start one: one in the background would outlive its test.
      DRIFTLINE_RECORDER: 'off',
      // The programs of all tests share what the first of them compiled: a sixth of the time of a process.
      NODE_COMPILE_CACHE: resolve('out/test/compiled'),
      // Nothing of the person's own git configuration applies, which may sign commits or be unreadable for another user.
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_CONFIG_SYSTEM: '/dev/null'
    },
    // Long enough for a dozen restores, each synced to a slow disk, on a busy computer.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: POLL },
    // No test leans on what one before it left. The long form has a new order, which it prints; `--sequence.seed=N` repeats it.
    sequence: { seed: LONG ? SEED : 11, shuffle: { tests: true } },
    pool: 'forks',
    // What a test allocates is gone with it: room for more of it saves a twentieth of the time.
    execArgv: ['--min-semi-space-size=16'],
    // Files share their worker, and so what they import: a test that changes the process changes it back.
    isolate: false,
    // Projects run in the order of their names, within one the file that took longest first: a long file that starts last
    // would keep a single core busy.
    projects: [
      {
        extends: true,
        test: {
          name: 'browser',
          include: BROWSER,
          env: inMemory(),
          globalSetup: 'test/support/pages-setup.ts'
        }
      },
      { extends: true, test: { name: 'disk', include: ON_DISK, expect: ASSERTED } },
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: [...BROWSER, ...ON_DISK],
          expect: ASSERTED,
          env: inMemory()
        }
      }
    ],
    // Most tests wait for a disk, a process or a page of their own: two workers more than cores keep the machine busy.
    maxWorkers: availableParallelism() + 2
  }
})
