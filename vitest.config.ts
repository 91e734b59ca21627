/** Test suites by folder. `npm test` runs them all; `vitest run test/some/path` runs a few. */
import { resolve } from 'node:path'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  resolve: {
    // The package starts a download when it is imported without its binary.
    alias: { electron: resolve('test/support/electron-shim/unit-stub.ts') }
  },
  test: {
    include: ['test/**/*.test.ts', 'test/**/*.test.tsx'],
    globalSetup: 'test/support/global-setup.ts',
    testTimeout: 20_000,
    hookTimeout: 40_000,
    // What is waited for comes in milliseconds, unless the machine is busy with something else.
    expect: { poll: { timeout: 10_000 } },
    pool: 'forks',
    // Most tests wait for a disk or a process of their own: one worker a core keeps the machine busy.
    maxWorkers: '100%'
  }
})
