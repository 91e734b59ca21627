/** What both steps of a first copy work with. */
import type { Store } from '../store/open-store.ts'
import type { CopiedBatch, CopyJob } from './copy-batch.ts'
import type { CoverRules } from './cover-rules.ts'

/** Runs batches of files through workers; results may come in any order. */
export interface CopyPool {
  /** Resolves with what was read. Rejects only when a worker fails. */
  run(jobs: readonly CopyJob[]): Promise<CopiedBatch>
  readonly size: number
}

export interface FirstCopyOptions {
  readonly root: string
  readonly store: Store
  readonly rules: CoverRules
  readonly boundaries: ReadonlySet<string>
  readonly pool: CopyPool
  now(): number
  onProgress(progress: Readonly<Progress>): void
}

/** Counted up by both steps. `counted`: `filesTotal` is final. */
export type Progress = { files: number; filesTotal: number; bytes: number; counted: boolean }
