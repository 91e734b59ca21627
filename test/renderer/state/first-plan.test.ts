/** The plan that is requested before the dialog of a preview is drawn. */
import { expect, test } from 'vitest'
import type { Client } from '../../../src/contract/api.ts'
import type { RestoreRequest } from '../../../src/contract/restore.ts'
import { createFirstPlans } from '../../../src/renderer/state/first-plan.ts'

const UNDO: RestoreRequest = { kind: 'undo-run', run: 'run_1' }

function start() {
  const requests: unknown[] = []
  const listeners = new Map<string, Set<(payload: unknown) => void>>()
  const client = {
    call: (method: string, params: unknown) => {
      requests.push([method, params])
      return Promise.resolve(`plan ${requests.length}`)
    },
    on: (event: string, listener: (payload: unknown) => void) => {
      const all = listeners.get(event) ?? new Set()
      listeners.set(event, all.add(listener))
      return () => all.delete(listener)
    }
  } as unknown as Client
  const emit = (event: string, workspace: string) => {
    for (const listener of [...(listeners.get(event) ?? [])]) listener({ workspace })
  }
  const listening = () => [...listeners.values()].reduce((sum, { size }) => sum + size, 0)
  return { plans: createFirstPlans(client, 'ws'), requests, emit, listening }
}

test('[RS-2] the plan of a preview is requested once, as the dialog would, and handed out once', async () => {
  const { plans, requests, listening } = start()
  plans.ask(UNDO)
  plans.ask({ ...UNDO })
  expect(requests).toEqual([['restore.plan', { workspace: 'ws', request: { ...UNDO, git: ['lost'] } }]])
  expect(await plans.take({ ...UNDO })).toBe('plan 1')
  expect(plans.take(UNDO)).toBeNull()
  expect(listening()).toBe(0)
})

test('[RS-2] a plan that may be older than a change is not handed out, nor one of another request', () => {
  for (const event of ['workspace.changed', 'run.ended']) {
    const { plans, emit, listening } = start()
    plans.ask(UNDO)
    emit(event, 'other')
    emit(event, 'ws')
    expect(plans.take(UNDO), event).toBeNull()
    expect(listening()).toBe(0)
  }
  const { plans } = start()
  plans.ask(UNDO)
  expect(plans.take({ kind: 'undo-run', run: 'run_2' })).toBeNull()
  expect(plans.take(UNDO)).toBeNull()
})
