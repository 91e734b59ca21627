/** Links kept objects back into the repository, as far as it lacks them. */
import { join } from 'node:path'
import type { DriftlineError } from '../../../contract/errors.ts'
import { refused } from './git-files.ts'
import type { GitKeeper } from './git-keeper.ts'
import { isKeptLoose, returnObjects } from './kept-objects.ts'
import { OBJECT_ID } from './parse-refs.ts'
import { readGit } from './read-git.ts'

/** Every object of `ids` that no ref of the repository reaches. Throws Refused if one is kept nowhere. */
export async function bringReachable({ kept }: GitKeeper, gitDir: string, ids: readonly string[]): Promise<void> {
  const [first] = ids
  if (first === undefined) return
  // What other refs reach is there: the cost follows what was lost.
  const range = ['--stdin', '--not', '--all', '--']
  const input = `${ids.join('\n')}\n`
  const printed = await readGit({ gitDir, kept }, ['rev-list', '--objects', '--no-object-names', ...range], input)
  if (printed !== null) returnNamed(kept, gitDir, printed.split('\n').filter(Boolean))
  const isComplete =
    printed !== null &&
    (await readGit({ gitDir, kept: null }, ['rev-list', '--objects', '--quiet', ...range], input)) !== null
  if (isComplete) return
  throw await notComplete(gitDir, first.slice(0, 12))
}

/** With `gone`, no later try can write it. */
async function notComplete(gitDir: string, what: string): Promise<DriftlineError> {
  const fails = async (...args: string[]): Promise<boolean> => (await readGit({ gitDir, kept: null }, args)) === null
  if (await fails('version'))
    return refused(`Git is not installed here, which reads the objects of ${what}. It was not written.`)
  if (await fails('rev-parse', '--git-dir'))
    return refused(`This version of git cannot read this repository, nor the objects of ${what}. It was not written.`)
  return refused(`Not all objects of ${what} are kept, so it was not written.`, { gone: true })
}

/** `needed`, and those of `useful` that are kept: git can do without. Throws Refused if a needed one is kept nowhere. */
export async function bringObjects(
  { kept }: GitKeeper,
  gitDir: string,
  { needed, useful }: { readonly needed: readonly string[]; readonly useful: readonly string[] }
): Promise<void> {
  returnNamed(kept, gitDir, (await missingObjects(gitDir, [...needed, ...useful])) ?? [])
  const missing = await missingObjects(gitDir, needed)
  if (missing?.length === 0) return
  throw await notComplete(gitDir, 'the kept index')
}

/** The ids that `words` are, as far as git or the kept objects have such objects. */
export async function idsOfWords({ kept }: GitKeeper, gitDir: string, words: readonly string[]): Promise<string[]> {
  const input = `${[...new Set(words)].join('\n')}\n`
  const printed =
    words.length > 0 && (await readGit({ gitDir, kept }, ['cat-file', '--batch-check=%(objectname)'], input))
  return (printed || '').split('\n').filter((line) => OBJECT_ID.test(line))
}

/** Null when git is missing. */
async function missingObjects(gitDir: string, ids: readonly string[]): Promise<string[] | null> {
  if (ids.length === 0) return []
  const input = `${[...new Set(ids)].join('\n')}\n`
  const printed = await readGit({ gitDir, kept: null }, ['cat-file', '--batch-check'], input)
  if (printed === null) return null
  return printed.split('\n').flatMap((line) => (line.endsWith(' missing') ? [line.slice(0, line.indexOf(' '))] : []))
}

/** Packs only if some object is in none but a pack. */
function returnNamed(kept: string, gitDir: string, ids: readonly string[]): void {
  if (ids.length === 0) return
  const names = new Set(ids)
  const packs = ids.some((id) => !isKeptLoose(kept, id))
  returnObjects(kept, join(gitDir, 'objects'), (folder, name) => (folder === 'pack' ? packs : names.has(folder + name)))
}
