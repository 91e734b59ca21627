/** Checks the kept copies of git's own state: the database, and with `deep` each stored file against its hash. It changes nothing. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { DoctorFinding } from '../../../contract/doctor.ts'
import {
  checkGitStore,
  type GitStore,
  gitVersions,
  isGitContentNeeded,
  readWholeGitContent
} from '../store/git-store.ts'

type GitProblem = Extract<DoctorFinding, { readonly code: 'GitDatabase' | 'GitFile' }>

/** Contents checked between two pauses, in which other work of this thread runs. */
const CONTENTS_PER_STEP = 50

export async function checkGitState(store: GitStore, deep: boolean): Promise<GitProblem[]> {
  const file = store.db.name
  const problems = checkGitStore(store, deep).map((detail): GitProblem => ({ code: 'GitDatabase', file, detail }))
  return deep ? [...problems, ...(await checkFiles(store))] : problems
}

/** Each path with versions whose bytes cannot be read. */
async function checkFiles(store: GitStore): Promise<GitProblem[]> {
  const damaged = new Map<string, number>()
  const known = new Map<string, boolean>()
  for (const { path, hash } of gitVersions(store)) {
    const key = Buffer.from(hash).toString('hex')
    const isWhole = known.get(key) ?? readWholeGitContent(store, hash) !== null
    // The sweep may have deleted it in a pause.
    if (!isWhole && isGitContentNeeded(store, hash)) damaged.set(path, (damaged.get(path) ?? 0) + 1)
    if (known.size % CONTENTS_PER_STEP === 0 && !known.has(key)) await nextTurn()
    known.set(key, isWhole)
  }
  const file = store.db.name
  return [...damaged].map(([path, versions]) => ({ code: 'GitFile', file, path, versions }))
}
