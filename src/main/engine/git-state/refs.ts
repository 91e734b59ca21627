/** Reads refs and stashes from the files of kept states, without running git (gitrepository-layout(5)). */
import {
  type GitFileRow,
  type GitStateRow,
  type GitStore,
  gitFilesOf,
  gitStates,
  readWholeGitContent
} from '../store/git-store.ts'

/** Object ids by full ref name. */
export type Refs = ReadonlyMap<string, string>

export interface Stash {
  readonly commit: string
  readonly message: string
}

/** What is known of the repository at one state. `present` is false while there is no HEAD. */
export interface RefState {
  readonly present: boolean
  readonly refs: Refs
  /** Newest first. */
  readonly stashes: readonly Stash[]
}

export const OBJECT_ID = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/
export const STASH_LOG = 'logs/refs/stash'

/**
 * Calls `visit` with each state in order, oldest first. `refs` and `stashes` are the same objects until they change. Of a
 * file whose version is damaged the one before counts; `onDamaged` is called then, and `doctor` lists these files.
 */
export function replayRefs(
  store: GitStore,
  visit: (state: GitStateRow, refs: RefState) => void,
  { until, onDamaged = () => {} }: ReplayOptions = {}
): void {
  const loose = new Map<string, string>()
  let packed: Refs = new Map()
  let stashes: readonly Stash[] = []
  let present = false
  const apply = ({ path, hash }: GitFileRow): boolean => {
    if (path === 'HEAD') present = hash !== null
    else if (path === 'packed-refs' || path === STASH_LOG || path.startsWith('refs/')) {
      const bytes = hash ? readWholeGitContent(store, hash) : Buffer.alloc(0)
      if (bytes === null) onDamaged()
      else if (path === STASH_LOG) stashes = parseStashes(bytes.toString('utf8'))
      else if (path === 'packed-refs') packed = parsePackedRefs(bytes.toString('latin1'))
      else setOrDelete(loose, path, bytes.toString('latin1').trim())
    } else return false
    return true
  }
  let refs: Refs = new Map()
  for (const state of gitStates(store)) {
    if (until !== undefined && state.id > until) return
    const changed = gitFilesOf(store, state.id).map(apply)
    if (changed.includes(true)) refs = new Map([...packed, ...loose])
    visit(state, { present, refs, stashes })
  }
}

interface ReplayOptions {
  /** The last state to visit. */
  readonly until?: number
  readonly onDamaged?: () => void
}

/** Refs and stashes at one state. */
export function refsAt(store: GitStore, id: number): RefState {
  let found: RefState = { present: false, refs: new Map(), stashes: [] }
  replayRefs(
    store,
    (_, refs) => {
      found = refs
    },
    { until: id }
  )
  return found
}

function setOrDelete(refs: Map<string, string>, name: string, value: string): void {
  // A symbolic ref, as refs/remotes/origin/HEAD, has no commit of its own.
  if (OBJECT_ID.test(value)) refs.set(name, value)
  else refs.delete(name)
}

/** Lines are `<id> <ref>`; others are a comment, or what the tag above points to. */
export function parsePackedRefs(text: string): Refs {
  const rows = text
    .split('\n')
    .map((line) => [line.slice(line.indexOf(' ') + 1).trimEnd(), line.split(' ', 1)[0] ?? ''])
  return new Map(rows.filter((row): row is [string, string] => OBJECT_ID.test(row[1] ?? '')))
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
