/** Random logs swept with random limits: kept positions restore byte for byte, unneeded content is evicted and reported. */
import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { checkStore } from '../../../../src/main/engine/doctor/verify.ts'
import { retentionFacts } from '../../../../src/main/engine/retention/plan-sweep.ts'
import { retainedPositions } from '../../../../src/main/engine/retention/retained.ts'
import { sweep } from '../../../../src/main/engine/retention/sweep.ts'
import { measure, usageOf } from '../../../../src/main/engine/retention/usage.ts'
import type { Store } from '../../../../src/main/engine/store/open-store.ts'
import { MAX_CHUNK_SIZE } from '../../../../src/main/engine/store/split.ts'
import { SEED, scaled } from '../../../support/scale.ts'
import { createTestLog } from './test-log.ts'

const DAY = 86_400_000
const NOW = 1_000 * DAY
const RUNS = scaled(10)

/** Texts that resemble each other, as versions of a file do, and some that do not. */
const LINES = Array.from({ length: 60 }, (_, i) => `line ${i} ${randomBytes(40).toString('base64')}\n`)
const NOISE = Array.from({ length: 4 }, (_, i) => Buffer.concat([Buffer.from([i]), randomBytes(3000)]))
const LARGE = Buffer.concat([randomBytes(1_200_000)])

type Step =
  | { readonly step: 'edit'; readonly path: string; readonly line: number; readonly text: number }
  | { readonly step: 'noise'; readonly path: string; readonly which: number }
  /** Bytes inserted into a large file, whose other chunks stay. */
  | { readonly step: 'large'; readonly path: string; readonly at: number; readonly which: number }
  | { readonly step: 'point'; readonly reason: string; readonly session: string }
  | { readonly step: 'later'; readonly days: number }

const path = fc.constantFrom('a', 'b', 'c')
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 10,
    arbitrary: fc.record({
      step: fc.constant('edit' as const),
      path,
      line: fc.integer({ min: 0, max: 59 }),
      text: fc.integer({ min: 0, max: 3 })
    })
  },
  {
    weight: 2,
    arbitrary: fc.record({ step: fc.constant('noise' as const), path, which: fc.integer({ min: 0, max: 3 }) })
  },
  {
    weight: 1,
    arbitrary: fc.record({
      step: fc.constant('large' as const),
      path,
      at: fc.integer({ min: 0, max: LARGE.length }),
      which: fc.integer({ min: 0, max: 3 })
    })
  },
  {
    weight: 3,
    arbitrary: fc.record({
      step: fc.constant('point' as const),
      reason: fc.constantFrom('manual', 'pre_restore_guard', 'end_of_turn', 'run_start'),
      session: fc.constantFrom('s', 't')
    })
  },
  { weight: 1, arbitrary: fc.record({ step: fc.constant('later' as const), days: fc.integer({ min: 1, max: 20 }) }) }
)

test('[ST-2] [CK-1] after any sweep every kept position is whole, and every other checkpoint that lost content is marked pruned', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 5, maxLength: 90 }),
      fc.constantFrom(0, 3000, 20_000, 1e9),
      fc.constantFrom(0, 30),
      async (steps, budget, days) => {
        using log = createTestLog()
        const { store } = log
        const text = new Map<string, string[]>()
        let at = NOW - 200 * DAY
        for (const action of steps) {
          if (action.step === 'later') at = Math.min(NOW, at + action.days * DAY)
          else if (action.step === 'point') log.checkpoint(action.reason, at, action.session)
          else if (action.step === 'noise') log.edit(action.path, NOISE[action.which] as Buffer, at)
          else if (action.step === 'large') {
            const [start, end] = [LARGE.subarray(0, action.at), LARGE.subarray(action.at)]
            log.edit(action.path, Buffer.concat([start, NOISE[action.which] as Buffer, end]), at)
          } else {
            const lines = [...(text.get(action.path) ?? LINES)]
            lines[action.line] =
              `changed ${action.text} ${NOISE[action.text]?.toString('base64', action.line, action.line + 200)}\n`
            text.set(action.path, lines)
            log.edit(action.path, Buffer.from(lines.join('')), at)
          }
        }
        const head = store.records.lastSeq()
        const options = {
          budget,
          days,
          now: NOW,
          dryRun: false,
          pause: () => undefined,
          neverKeep: null,
          stop: () => false
        }
        const dry = await sweep(store, { ...options, dryRun: true })
        const facts = retentionFacts(store, { now: NOW, days, oldSessions: true })
        const done = await sweep(store, options)
        expect([done.versions, done.checkpoints, done.pruned], 'the dry run listed what was evicted').toEqual([
          dry.versions,
          dry.checkpoints,
          dry.pruned
        ])
        const positions = retainedPositions({ ...facts, oldSessions: done.note === null && budget > 1e6 })
        for (const seq of [...positions, head]) expect(log.keptAt(seq), `position ${seq}`).toEqual(log.contentAt(seq))
        // The status of each checkpoint is true.
        const rows = store.db.prepare('SELECT seq, status FROM checkpoint').all() as { seq: number; status: string }[]
        for (const { seq, status } of rows)
          if (status !== 'pruned') expect(log.keptAt(seq), `checkpoint at ${seq}`).toEqual(log.contentAt(seq))
        expect(rows.filter((row) => row.status === 'pruned').length).toBe(done.checkpoints.length)
        // Content that is not protected is either unchanged or evicted.
        for (let seq = 1; seq <= head; seq++)
          for (const [name, bytes] of log.keptAt(seq))
            if (bytes) expect(bytes.equals(log.contentAt(seq).get(name) as Buffer)).toBe(true)
        expect(await checkStore(store, true)).toEqual([])
        const again = await sweep(store, { ...options, dryRun: true })
        expect(again.versions, 'a second sweep finds nothing').toBe(0)
        expect(usageOf(store), 'usageOf').toMatchObject(measured(store))
      }
    ),
    { numRuns: RUNS, seed: SEED }
  )
}, 120_000)

/** Usage summed up directly from all rows. A shared chunk counts once, for a head if one has it. */
function measured({ db }: Store): { uniqueBytes: number; headBytes: number; historyBytes: number } {
  const heads = 'SELECT v.content FROM path p JOIN version v ON v.id = p.version'
  const sum = (sql: string): number =>
    db.prepare(`SELECT coalesce(sum(bytes), 0) FROM (${sql})`).pluck().get() as number
  const packed = sum('SELECT length(bytes) AS bytes FROM content UNION ALL SELECT length(bytes) FROM chunk')
  const headBytes = sum(`SELECT length(bytes) AS bytes FROM content WHERE id IN (${heads}) UNION ALL
    SELECT length(bytes) FROM chunk WHERE id IN (SELECT chunk FROM content_chunk WHERE content IN (${heads}))`)
  return {
    uniqueBytes: sum('SELECT size AS bytes FROM content WHERE codec <> 9'),
    headBytes,
    historyBytes: packed - headBytes
  }
}

test('the meter counts a version of a large file by what it added, since the last measurement and in it', async () => {
  using log = createTestLog()
  const { store } = log
  log.edit('a', LARGE, NOW)
  await measure(store, () => undefined)
  const first = usageOf(store)
  const changed = Buffer.from(LARGE)
  changed[600_000]! ^= 1
  log.edit('a', changed, NOW)
  const since = usageOf(store)
  const added = since.headBytes + since.historyBytes - first.headBytes - first.historyBytes
  expect(added).toBeGreaterThan(0)
  expect(added).toBeLessThanOrEqual(2 * MAX_CHUNK_SIZE)
  await measure(store, () => undefined)
  expect(usageOf(store)).toMatchObject(measured(store))
})

test('[ST-2] storing the same bytes again restores evicted content, in every version that refers to it', async () => {
  using log = createTestLog()
  const { store } = log
  const at = NOW - 100 * DAY
  for (const bytes of [LARGE, NOISE[0], NOISE[1], NOISE[2]]) log.edit('a', bytes as Buffer, at)
  const options = {
    budget: 0,
    days: 30,
    now: NOW,
    dryRun: false,
    pause: () => undefined,
    neverKeep: null,
    stop: () => false
  }
  const done = await sweep(store, options)
  expect(done.versions).toBe(3)
  expect([1, 2, 3, 4].map((seq) => log.keptAt(seq).get('a') === null)).toEqual([true, true, true, false])
  expect(store.db.prepare('SELECT count(*) AS n FROM chunk').get()).toEqual({ n: 0 })
  log.edit('b', LARGE, NOW)
  expect(log.keptAt(1).get('a')?.equals(LARGE)).toBe(true)
  expect(log.keptAt(2).get('a')).toBe(null)
  expect(await checkStore(store, true)).toEqual([])
})
