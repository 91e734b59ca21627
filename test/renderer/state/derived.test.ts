/** What follows from the state of a workspace. */
import { expect, test } from 'vitest'
import type { WorkspaceStatus } from '../../../src/contract/status.ts'
import { restoreUnavailable } from '../../../src/renderer/state/derived.ts'

const status = (more: Partial<WorkspaceStatus> = {}) =>
  ({ interruptedRestore: null, disk: { free: 9e9, low: false }, ...more }) as WorkspaceStatus

test('[UI-53] a restore waits for a connection, for the end of an interrupted one, and for space on the disk', () => {
  const low = status({ disk: { free: 0, low: true } })
  const halfway = status({ interruptedRestore: { id: 'rst_1', written: 1, total: 2 } })
  expect(restoreUnavailable({ offline: null, status: null })).toBeNull()
  expect(restoreUnavailable({ offline: null, status: status() })).toBeNull()
  expect(restoreUnavailable({ offline: 'not connected', status: low })).toBe('not connected')
  expect(restoreUnavailable({ offline: null, status: low })).toMatch(/nearly full/)
  expect(restoreUnavailable({ offline: null, status: halfway })).toMatch(/interrupted restore/)
})
