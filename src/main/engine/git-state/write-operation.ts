/** [GT-15] Writes an operation of git: all of its files and refs, or none. */
import { toErrorShape } from '../../../contract/errors.ts'
import type { Clock } from '../ports/clock.ts'
import { log } from '../ports/log.ts'
import { type GitStore, readGitContent } from '../store/git-store.ts'
import type { GitWork } from '../store/restore-git.ts'
import { bringReachable, idsOfWords } from './bring-objects.ts'
import { refused } from './git-files.ts'
import type { GitKeeper } from './git-keeper.ts'
import { liveRefs } from './live-refs.ts'
import { removeEmptyOperationFolders } from './operation-files.ts'
import { OBJECT_ID } from './parse-refs.ts'
import { writeFileWork } from './repository-files.ts'
import { reverseWork } from './reverse-work.ts'
import { stateOfOperation } from './work-state.ts'

/** Throws Refused, with everything as it was; its message names what is not. */
export async function writeOperation(keeper: GitKeeper, gitDir: string, work: GitWork): Promise<void> {
  const store = keeper.store()
  const { name, parts = [] } = work
  const state = store && stateOfOperation(keeper, gitDir, store, work)
  if (!store || state === 'written') return
  if (state === 'changed')
    throw refused(`Git changed its ${name} meanwhile, so it was not written. Restore again.`, { name })
  if (state === 'evicted')
    throw refused(`The kept ${name} is older than the retention time, and is kept no longer. It was not written.`, {
      name
    })
  const { needed, words } = namesIn(store, parts)
  await bringReachable(keeper, gitDir, [...needed, ...(await idsOfWords(keeper, gitDir, words))])
  await writeParts(gitDir, store, parts, keeper.clock)
}

/** Throws the error of the part that cannot be written, and names what could not be returned to what it was before. */
export async function writeParts(
  gitDir: string,
  store: GitStore,
  parts: readonly GitWork[],
  clock: Clock
): Promise<void> {
  const refs = liveRefs(gitDir, clock)
  const write = async (part: GitWork): Promise<void> => {
    if (part.kind === 'file') writeFileWork(gitDir, store, part)
    else if (refs.read(part.name) !== part.to) await refs.write(part)
  }
  const done: GitWork[] = []
  const stayed: string[] = []
  try {
    for (const part of parts) {
      await write(part)
      done.push(part)
    }
  } catch (error) {
    // No part is a repository.
    for (const part of reverseWork(done, ''))
      await write(part).catch((failure: unknown) => {
        log.error(`${part.name} in ${gitDir} was written and could not be returned to what it was`, failure)
        stayed.push(part.name)
      })
    throw stayed.length > 0 ? refused(`${toErrorShape(error).message} ${stayedText(stayed)}`, { stayed }) : error
  } finally {
    removeEmptyOperationFolders(gitDir, parts)
  }
}

function stayedText(names: readonly string[]): string {
  return `What was written before that stays: ${names.join(', ')}.`
}

/** Files that name the objects without which git cannot continue, and those that may name more. */
const NEEDED =
  /(?:^|\/)(?:MERGE_HEAD|rebase-(?:merge|apply)\/(?:onto|orig-head|autostash|stopped-sha)|sequencer\/head)$/
const USEFUL = /(?:^|\/)(?:BISECT_LOG|(?:rebase-merge|sequencer)\/(?:git-rebase-todo|todo|done))$/

function namesIn(store: GitStore, parts: readonly GitWork[]): { needed: string[]; words: string[] } {
  const needed: string[] = []
  const words: string[] = []
  for (const { kind, name, to } of parts) {
    const text = kind !== 'file' ? to : to !== '' && textOf(store, name, to)
    if (!text) continue
    if (kind !== 'file' || NEEDED.test(name)) needed.push(...text.split(/\s+/).filter((id) => OBJECT_ID.test(id)))
    else words.push(...(text.match(/\b[0-9a-f]{7,64}\b/g) ?? []))
  }
  // Git has no object of this id where it needs one that is none.
  return { needed: needed.filter((id) => !/^0+$/.test(id)), words }
}

function textOf(store: GitStore, name: string, hash: string): string {
  return NEEDED.test(name) || USEFUL.test(name) ? readGitContent(store, Buffer.from(hash, 'hex')).toString('utf8') : ''
}
