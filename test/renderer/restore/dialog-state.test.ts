/** The restore dialog's state as data: what it shows after each event, and what may be applied. */
import { describe, expect, test } from 'vitest'
import { countChangedItems } from '../../../src/contract/words/restores.ts'
import {
  type DialogEvent,
  type DialogState,
  diskDiffersFrom,
  explicitResolutions,
  nextState,
  OPENED,
  validResolutions
} from '../../../src/renderer/features/restore/dialog-state.ts'
import { partsOf } from '../../../src/renderer/features/restore/plan-rows.ts'
import { base, conflict, item, plan } from './example-plans.ts'

const stateAfter = (events: readonly DialogEvent[], from: DialogState = OPENED): DialogState =>
  events.reduce(nextState, from)
const live = [{ run: 'r1', title: 'add tax', agent: 'codex' }]
const LIVE = plan([...base.items], [...base.conflicts], { live })
const NEWER = plan([...base.items, item('c.ts', 'write')], [...base.conflicts], { plan: 'q' })

describe('the shown plan', () => {
  test('[GT-7] a choice of items of git counts until its plan is shown', () => {
    const chosen = stateAfter([
      { type: 'show', plan: base },
      { type: 'git', git: ['HEAD'] }
    ])
    expect(chosen.git).toEqual(['HEAD'])
    expect(nextState(chosen, { type: 'show', plan: NEWER }).git).toBeNull()
  })
  test('a plan to be compared is shown if there is none yet', () => {
    expect(stateAfter([{ type: 'compare', plan: NEWER }])).toMatchObject({ base: NEWER, newerPlan: null })
  })
  test('[RS-2] a newer plan never replaces the shown one by itself', () => {
    const state = stateAfter([
      { type: 'show', plan: base },
      { type: 'compare', plan: NEWER }
    ])
    expect(state).toMatchObject({ base, newerPlan: NEWER })
  })
  test('the same plan again ends the notice of a newer one, and its live runs are current', () => {
    const state = stateAfter([
      { type: 'show', plan: base },
      { type: 'compare', plan: NEWER },
      { type: 'compare', plan: LIVE }
    ])
    expect(state).toMatchObject({ base, newerPlan: null, liveRuns: live })
  })
  test('a plan that could not be loaded is an error only where no plan is shown', () => {
    const failed: DialogEvent = { type: 'plan-failed', message: 'No connection.' }
    expect(stateAfter([failed]).error).toBe('No connection.')
    expect(stateAfter([{ type: 'show', plan: base }, failed]).error).toBeNull()
  })
  test('the next plan that is shown clears the error', () => {
    const state = stateAfter([
      { type: 'failed', message: 'Retry.' },
      { type: 'show', plan: base }
    ])
    expect(state.error).toBeNull()
  })
})

describe('resolutions', () => {
  test('null clears a resolution', () => {
    const state = stateAfter([
      { type: 'resolve', paths: ['a.ts', 'b.ts'], resolution: 'keep' },
      { type: 'resolve', paths: ['a.ts'], resolution: null }
    ])
    expect(state.resolutions).toEqual({ 'b.ts': 'keep' })
  })
  test('they are kept while the conversation alone is restored, whose plan has no files', () => {
    const state = stateAfter([
      { type: 'show', plan: base },
      { type: 'resolve', paths: ['a.ts'], resolution: 'keep' },
      { type: 'show', plan: plan([], [], { mode: 'conversation' }) },
      { type: 'show', plan: base }
    ])
    expect(state.resolutions).toEqual({ 'a.ts': 'keep' })
  })
  test('one whose path left the plan is dropped', () => {
    const state = stateAfter([
      { type: 'resolve', paths: ['a.ts', 'gone.ts'], resolution: 'keep' },
      { type: 'show', plan: base }
    ])
    expect(state.resolutions).toEqual({ 'a.ts': 'keep' })
  })
})

describe('[RS-8] while a run is live', () => {
  test('a choice is not changed by a new plan', () => {
    const override = stateAfter([
      { type: 'show', plan: LIVE },
      { type: 'live-choice', choice: 'override' }
    ])
    expect(nextState(override, { type: 'show', plan: NEWER }).liveChoice).toBe('override')
  })
})

describe('a restore that runs', () => {
  test('starts with no result of an earlier one, and its end clears the progress', () => {
    const failed = stateAfter([{ type: 'started' }, { type: 'failed', message: 'Nothing was written.' }])
    expect(failed).toMatchObject({ progress: null, error: 'Nothing was written.' })
    expect(nextState(failed, { type: 'started' })).toMatchObject({ result: null, progress: { done: 0, total: 0 } })
  })
  test('a refresh clears error and result', () => {
    const state = stateAfter([{ type: 'failed', message: 'Retry.' }, { type: 'clear-outcome' }])
    expect(state).toMatchObject({ error: null, result: null })
  })
})

describe('the request', () => {
  test('every resolution is explicit, defaults included', () => {
    expect(explicitResolutions(partsOf(base, { 'a.ts': 'keep' }), { 'a.ts': 'keep' })).toEqual({
      'a.ts': 'keep',
      'mine.ts': 'merge'
    })
  })
  test('[RS-2] a path that changed on disk makes the preview stale', () => {
    const moved = plan([item('a.ts', 'write', null, 'z'), ...base.items.slice(1)], [...base.conflicts])
    expect(diskDiffersFrom(base, moved)).toBe(true)
    expect(countChangedItems(base, moved)).toBe(1)
  })
  test('a resolution does not make it stale', () => {
    const chosen = plan([item('a.ts', 'keep', { code: 'keep-requested' }), ...base.items.slice(1)], [...base.conflicts])
    expect(diskDiffersFrom(base, chosen)).toBe(false)
  })
  test('a new conflict makes it stale', () => {
    expect(diskDiffersFrom(base, plan([...base.items], [...base.conflicts, conflict('a.ts')]))).toBe(true)
  })
  test('a refresh drops a merge that is no longer clean', () => {
    const now = plan([...base.items], [conflict('mine.ts')])
    expect(validResolutions({ 'mine.ts': 'merge', 'gone.ts': 'keep', 'a.ts': 'keep' }, now)).toEqual({ 'a.ts': 'keep' })
  })
})
