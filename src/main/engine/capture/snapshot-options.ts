/** What both steps of a first copy work with. */
import type { Store } from '../store/open-store.ts'
import type { CoverRules } from './cover-rules.ts'
import type { SnapshotBatch, SnapshotJob } from './snapshot-batch.ts'

/** Runs batches of files through workers; results may come in any order. */
export interface SnapshotPool {
  /** Resolves with what was read. Rejects only when a worker fails. */
  run(jobs: readonly SnapshotJob[]): Promise<SnapshotBatch>
  readonly size: number
}

export interface SnapshotOptions {
  readonly root: string
  readonly store: Store
  readonly rules: CoverRules
  readonly boundaries: ReadonlySet<string>
  readonly pool: SnapshotPool
  now(): number
  onProgress(progress: Readonly<SnapshotProgress>): void
}

/** Counted up by both steps. `counted`: `filesTotal` is final. */
export type SnapshotProgress = { files: number; filesTotal: number; bytes: number; counted: boolean }
