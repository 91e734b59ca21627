/** Reads the branch and commit of a working tree from git's files, without running git (gitrepository-layout(5)). */
import { join } from 'node:path'
import { readSmallFile } from '../files/read-small-file.ts'
import { findGitFolder, type GitFolder } from './git-folder.ts'
import { isReftable, withLiveStack } from './reftable/live-stack.ts'
import { UnreadableTable } from './reftable/source.ts'

interface GitHead {
  /** Short name, e.g. `main` or `fix/tax`; '' when HEAD is detached. */
  readonly branch: string
  /** Object id in hex; '' on a branch without commits. */
  readonly commit: string
}

const REF_LIMIT = 4096
const PACKED_LIMIT = 64 * 1024 * 1024
const OBJECT_ID = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/

/** HEAD of the repository that `root` is in. Null if there is none or its files are damaged; never throws. */
export function readGitHead(root: string): GitHead | null {
  const git = findGitFolder(root)
  if (!git) return null
  const head = readRef(git, 'HEAD')
  if (head === null) return null
  if (!head.startsWith('ref:')) return OBJECT_ID.test(head) ? { branch: '', commit: head } : null
  let ref = head.slice(4).trim()
  const branch = ref.startsWith('refs/heads/') ? ref.slice('refs/heads/'.length) : ref
  // Symbolic refs may point to symbolic refs; git follows five (SYMREF_MAXDEPTH).
  for (let hop = 0; hop < 5; hop++) {
    if (!isRefName(ref)) return null
    const value = readRef(git, ref) ?? readPacked(git, ref)
    if (value === null) return { branch, commit: '' }
    if (OBJECT_ID.test(value)) return { branch, commit: value }
    if (!value.startsWith('ref:')) return null
    ref = value.slice(4).trim()
  }
  return null
}

/** Short name of the checkout: the branch, else the abbreviated commit; '' without a repository. */
export function describeCheckout(root: string): string {
  const head = readGitHead(root)
  return head ? head.branch || head.commit.slice(0, 9) : ''
}

/**
 * A ref name becomes a path below the repository's folder, so it must not leave it (git-check-ref-format(1)).
 */
export function isRefName(ref: string): boolean {
  return (
    /^refs\/[^\0-\x20\x7f~^:?*[\\]+$/.test(ref) &&
    ref.split('/').every((part) => part !== '' && !part.startsWith('.') && !part.endsWith('.lock')) &&
    !ref.includes('..')
  )
}

function readRef(git: GitFolder, ref: string): string | null {
  if (isReftable(git.commonDir)) return readTableRef(ref === 'HEAD' ? git.gitDir : git.commonDir, ref)
  for (const folder of git.gitDir === git.commonDir ? [git.gitDir] : [git.gitDir, git.commonDir]) {
    const text = readSmallFile(join(folder, ref), REF_LIMIT)?.toString('utf8').trim()
    if (text) return text
    if (ref === 'HEAD') return null
  }
  return null
}

function readTableRef(folder: string, ref: string): string | null {
  try {
    return withLiveStack(folder, (stack) => stack.ref(ref)) || null
  } catch (error) {
    if (error instanceof UnreadableTable) return null
    throw error
  }
}

/** Lines of packed-refs are `<id> <ref>`. */
function readPacked(git: GitFolder, ref: string): string | null {
  const packed = readSmallFile(join(git.commonDir, 'packed-refs'), PACKED_LIMIT)
  if (!packed) return null
  const suffix = Buffer.from(` ${ref}`)
  for (let at = packed.indexOf(suffix); at >= 0; at = packed.indexOf(suffix, at + 1)) {
    const end = at + suffix.length
    if (end < packed.length && packed[end] !== 0x0a && packed[end] !== 0x0d) continue
    const start = packed.lastIndexOf(0x0a, at) + 1
    const id = packed.toString('latin1', start, at)
    if (OBJECT_ID.test(id)) return id
  }
  return null
}
