/** Options and progress of an initial snapshot, shared by its two steps. */
import type { Store } from '../store/open-store.ts'
import type { CoverRules } from './cover-rules.ts'
import type { SnapshotBatch, SnapshotJob } from './snapshot-batch.ts'

/** Reads batches of files in worker threads; batches may finish in any order. */
export interface SnapshotPool {
  /** Rejects only if a worker fails. */
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

/** Mutable: both steps count it up. `counted`: `filesTotal` is final. */
export type SnapshotProgress = { files: number; filesTotal: number; bytes: number; counted: boolean }
