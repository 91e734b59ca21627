/** Refs and stashes as git's files have them (gitrepository-layout(5)). */
import { isUtf8 } from 'node:buffer'
import type { RefStack } from '../git/reftable/stack.ts'

/** Object ids by full ref name. */
export type Refs = ReadonlyMap<string, string>

export interface Stash {
  readonly commit: string
  readonly message: string
}

export const OBJECT_ID = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/
/** Refs that belong to an operation of git, each in the folder or worktree where it was begun. */
export const OPERATION_REF =
  /^(?:CHERRY_PICK_HEAD|REVERT_HEAD|REBASE_HEAD|AUTO_MERGE|MERGE_AUTOSTASH|BISECT_HEAD|BISECT_EXPECTED_REV|refs\/(?:bisect|rewritten)\/.+)$/s
export const STASH_REF = 'refs/stash'
export const STASH_LOG = 'logs/refs/stash'

/**
 * Lines are `<id> <ref>`; others are a comment, or what the tag above points to. A name that is not valid UTF-8 is left
 * out, as everywhere: it could not be written as it was.
 */
export function parsePackedRefs(bytes: Buffer): Refs {
  const areValid = isUtf8(bytes)
  const rows = bytes
    .toString('utf8')
    .split('\n')
    .map((line) => [line.slice(line.indexOf(' ') + 1).trimEnd(), line.split(' ', 1)[0] ?? ''])
  return new Map(
    rows.filter(
      (row): row is [string, string] => OBJECT_ID.test(row[1] ?? '') && (areValid || !row[0]?.includes('\ufffd'))
    )
  )
}

/** Lines of the reflog are `<before> <after> <who> <time> <zone>\t<message>`, the oldest first. */
export function parseStashes(text: string): Stash[] {
  const lines = text.split('\n').filter(Boolean)
  const stashes = lines.map((line) => ({
    commit: line.split(' ', 2)[1] ?? '',
    message: line.slice(line.indexOf('\t') + 1)
  }))
  return stashes.filter(({ commit }) => OBJECT_ID.test(commit)).reverse()
}

/** The refs of tables that have an object of their own: not symbolic ones, nor HEAD and the like. */
export function idsOf(stack: RefStack): Refs {
  return new Map([...stack.refs()].filter(([name, value]) => name.startsWith('refs/') && OBJECT_ID.test(value)))
}

/** The reflog of stashes as its file would be; null without one. */
export function stashLogOf(stack: RefStack): Buffer | null {
  const lines = stack.log(STASH_REF).map(({ line }) => `${line}\n`)
  return lines.length === 0 ? null : Buffer.from(lines.join(''), 'latin1')
}
