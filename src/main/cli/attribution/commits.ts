/** What git knows of a commit, read with the person's own git. Nothing is written. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { DriftlineError } from '../../../contract/errors.ts'

/** A commit of the repository that holds the recorded folder. */
export interface Commit {
  /** Absolute path of the recorded folder. */
  readonly root: string
  readonly id: string
  /** The first parent, or the empty tree for a first commit. */
  readonly parent: string
  /** Of the recorded folder inside the repository, with a slash at its end; '' where it is the whole. */
  readonly prefix: string
  /** Author, as `Name <address>`. */
  readonly author: string
  /** Files that it added or changed in the recorded folder, from the folder's root. */
  readonly paths: readonly string[]
}

const MOST_BYTES = 256 * 1024 * 1024

/** Throws Refused where git fails, with its message. */
async function git(root: string, ...args: readonly string[]): Promise<Buffer> {
  try {
    const options = { cwd: root, encoding: 'buffer', maxBuffer: MOST_BYTES } as const
    return (await promisify(execFile)('git', ['-c', 'core.quotePath=false', ...args], options)).stdout
  } catch (error) {
    const { stderr, message } = error as { readonly stderr?: Buffer; readonly message: string }
    const reason = stderr?.toString('utf8').trim() || message
    throw new DriftlineError('Refused', `git could not read the commit: ${reason}. Nothing was changed.`, {})
  }
}

export async function readCommit(root: string, name: string): Promise<Commit> {
  const line = async (...args: readonly string[]): Promise<string> => (await git(root, ...args)).toString('utf8').trim()
  const id = await line('rev-parse', '--verify', '--end-of-options', `${name}^{commit}`)
  const [parent = ''] = (await line('show', '-s', '--format=%P', id)).split(' ')
  const base = parent === '' ? await line('hash-object', '-t', 'tree', '/dev/null') : parent
  const prefix = await line('rev-parse', '--show-prefix')
  const names = await git(
    root,
    'diff-tree',
    '-r',
    '-z',
    '--no-commit-id',
    '--name-only',
    '--no-renames',
    '--diff-filter=d',
    '--relative',
    base,
    id
  )
  const paths = names.toString('utf8').split('\0').filter(Boolean)
  return { root, id, parent: base, prefix, author: await line('show', '-s', '--format=%an <%ae>', id), paths }
}

/** Null for what is no file there. */
export async function contentAt({ root, id, prefix }: Commit, path: string): Promise<Buffer | null> {
  const type = await git(root, 'ls-tree', '-z', '--full-tree', id, '--', `${prefix}${path}`)
  return /^100/.test(type.toString('utf8')) ? git(root, 'cat-file', 'blob', `${id}:${prefix}${path}`) : null
}

/** The numbers of the lines that the commit added, compared with its first parent. */
export async function addedLinesOf({ root, id, parent }: Commit, path: string): Promise<ReadonlySet<number>> {
  const args = [
    'diff',
    '--no-ext-diff',
    '--no-textconv',
    '--no-color',
    '--no-renames',
    '-U0',
    '--relative',
    parent,
    id,
    '--',
    `:(literal)${path}`
  ]
  const added = new Set<number>()
  for (const [, from, count = '1'] of (await git(root, ...args))
    .toString('latin1')
    .matchAll(/^@@ -\S+ \+(\d+)(?:,(\d+))? @@/gm))
    for (let n = 0; n < Number(count); n++) added.add(Number(from) + n)
  return added
}
