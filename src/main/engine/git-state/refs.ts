/** Reads refs and stashes from the files of kept states, without running git. */
import { DriftlineError } from '../../../contract/errors.ts'
import { TABLES } from '../git/reftable/live-stack.ts'
import { UnreadableTable } from '../git/reftable/source.ts'
import {
  type GitFileRow,
  type GitStateRow,
  type GitStore,
  gitFilesOf,
  gitStates,
  readWholeGitContent
} from '../store/git-store.ts'
import { createKeptTables } from './kept-tables.ts'
import { isOtherName } from './names-on-disk.ts'
import {
  idsOf,
  OBJECT_ID,
  parsePackedRefs,
  parseStashes,
  type Refs,
  STASH_LOG,
  type Stash,
  stashLogOf
} from './parse-refs.ts'

/** What is known of the repository at one state. `present` is false while there is no HEAD. */
export interface RefState {
  readonly present: boolean
  readonly refs: Refs
  /** Newest first. */
  readonly stashes: readonly Stash[]
}

/**
 * Calls `visit` with each state in order, oldest first. `refs` and `stashes` are the same objects until they change. Of a
 * file whose version is damaged the one before counts; `onDamaged` is called then, and `doctor` lists these files. Of
 * tables that cannot be read, those before count.
 */
export function replayRefs(
  store: GitStore,
  visit: (state: GitStateRow, refs: RefState) => void,
  { until, onDamaged = () => {}, onUnreadable = () => {} }: ReplayOptions = {}
): void {
  const files = createFileRefs(store, onDamaged)
  const tables = createTableRefs(store, { onDamaged, onUnreadable })
  let present = false
  let refs: Refs = new Map()
  for (const state of gitStates(store)) {
    if (until !== undefined && state.id > until) return
    const changed = gitFilesOf(store, state.id).map((row) => {
      if (row.path === 'HEAD') present = row.hash !== null
      return files.apply(row) || tables.apply(row)
    })
    if (changed.includes(true)) {
      tables.update()
      refs = new Map([...files.refs(), ...tables.refs()])
    }
    visit(state, { present, refs, stashes: tables.stashes() ?? files.stashes() })
  }
}

interface ReplayOptions {
  /** The last state to visit. */
  readonly until?: number
  readonly onDamaged?: () => void
  /** Tables of a form that this version does not read, or cut off when they were kept. */
  readonly onUnreadable?: () => void
}

function createFileRefs(store: GitStore, onDamaged: () => void) {
  const loose = new Map<string, string>()
  let packed: Refs = new Map()
  let stashes: readonly Stash[] = []
  return {
    /** Whether the file names refs or stashes. */
    apply: ({ path, hash }: GitFileRow): boolean => {
      if (path !== 'packed-refs' && path !== STASH_LOG && !path.startsWith('refs/')) return false
      const bytes = hash ? readWholeGitContent(store, hash) : Buffer.alloc(0)
      if (bytes === null) onDamaged()
      else if (path === STASH_LOG) stashes = parseStashes(bytes.toString('utf8'))
      else if (path === 'packed-refs') packed = parsePackedRefs(bytes)
      else if (!isOtherName(path)) setOrDelete(loose, path, bytes.toString('latin1').trim())
      return true
    },
    refs: (): Refs => new Map([...packed, ...loose]),
    stashes: () => stashes
  }
}

/** Of the repository itself: what only worktrees have is not listed. */
function createTableRefs(
  store: GitStore,
  { onDamaged, onUnreadable }: Required<Pick<ReplayOptions, 'onDamaged' | 'onUnreadable'>>
) {
  const kept = createKeptTables(store)
  const hashes = new Map<string, string>()
  let isChanged = false
  let refs: Refs = new Map()
  let stashes: readonly Stash[] | null = null
  return {
    apply: ({ path, hash }: GitFileRow): boolean => {
      if (!path.startsWith(`${TABLES}/`)) return false
      if (hash) hashes.set(path, Buffer.from(hash).toString('hex'))
      else hashes.delete(path)
      isChanged = true
      return true
    },
    /** After the files of a state: those of a stack belong together. */
    update: (): void => {
      if (!isChanged) return
      isChanged = false
      try {
        const stack = kept.stack('', (path) => hashes.get(path))
        const next = stack ? idsOf(stack) : new Map<string, string>()
        stashes = stack && parseStashes(stashLogOf(stack)?.toString('utf8') ?? '')
        refs = next
      } catch (error) {
        if (error instanceof UnreadableTable) onUnreadable()
        else if (error instanceof DriftlineError) onDamaged()
        else throw error
      }
    },
    refs: () => refs,
    stashes: () => stashes
  }
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
