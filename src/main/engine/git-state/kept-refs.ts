/** Refs, stashes and HEAD in one kept state, whether git had them in files or in tables. */
import type { RefStack } from '../git/reftable/stack.ts'
import { type GitStore, gitFilesAt, readGitContent } from '../store/git-store.ts'
import { createKeptTables } from './kept-tables.ts'
import { isOtherName } from './names-on-disk.ts'
import {
  idsOf,
  OBJECT_ID,
  OPERATION_REF,
  parsePackedRefs,
  parseStashes,
  type Refs,
  STASH_LOG,
  type Stash,
  stashLogOf
} from './parse-refs.ts'
import { readable } from './table-refs.ts'

/** The files of one state: hash by path, in hex. */
export type Files = ReadonlyMap<string, string>

/** Of a kept state. */
export function hashesAt(store: GitStore, state: number): Files {
  return new Map(gitFilesAt(store, state).map(({ path, hash }) => [path, Buffer.from(hash ?? []).toString('hex')]))
}

export interface KeptRefs {
  /** An object id, or what a symbolic ref names; '' if it is absent. */
  ref(name: string): string
  /** Whether there is any ref. */
  hasAny(): boolean
  /** Refs that are here, and are not the same in `later`. Only what differs is read where refs are files. */
  differingFrom(later: KeptRefs): string[]
  /** All with an object of their own. */
  all(): Refs
  /** Newest first. */
  stashes(): readonly Stash[]
  /** `own`: as `ownFolder` says. */
  head(own: string): string
  /** Those of an operation there, by their names without `own`. */
  operation(own: string): Refs
  /** Null where refs are in tables. */
  readonly files: { readonly hashes: Files; readonly packed: Refs } | null
}

/** Throws StoreDamaged, and Refused for tables that cannot be read. */
export function keptRefs(store: GitStore, hashes: Files): KeptRefs {
  const tables = createKeptTables(store)
  const stackOf = (own: string): RefStack | null => readable(() => tables.stack(own, (path) => hashes.get(path)))
  const stack = stackOf('')
  return stack ? refsOfTables(stack, stackOf) : refsOfFiles(store, hashes)
}

export function textOf(store: GitStore, files: Files, path: string): string {
  return bytesOf(store, files, path).toString('utf8')
}

function bytesOf(store: GitStore, files: Files, path: string): Buffer {
  const hash = files.get(path)
  return hash === undefined ? Buffer.alloc(0) : readGitContent(store, Buffer.from(hash, 'hex'))
}

function refsOfTables(stack: RefStack, stackOf: (own: string) => RefStack | null): KeptRefs {
  const all = once(() => idsOf(stack))
  return {
    files: null,
    ref: (name) => stack.ref(name),
    hasAny: () => all().size > 0,
    all,
    differingFrom: (later) => differing(all(), later),
    stashes: once(() => parseStashes(stashLogOf(stack)?.toString('utf8') ?? '')),
    head: (own) => (own === '' ? stack : stackOf(own))?.ref('HEAD') ?? '',
    operation: (own) => {
      const refs = (own === '' ? stack : stackOf(own))?.refs() ?? new Map<string, string>()
      return new Map([...refs].filter(([name]) => OPERATION_REF.test(name)))
    }
  }
}

function refsOfFiles(store: GitStore, hashes: Files): KeptRefs {
  const packed = parsePackedRefs(bytesOf(store, hashes, 'packed-refs'))
  const found = [...hashes.keys()].filter((path) => path.startsWith('refs/'))
  const loose = found.filter((path) => !isOtherName(path))
  const ref = (name: string): string => textOf(store, hashes, name).trim() || (packed.get(name) ?? '')
  const all = once(
    () =>
      new Map([...packed, ...loose.map((name) => [name, ref(name)] as const)].filter(([, id]) => OBJECT_ID.test(id)))
  )
  return {
    files: { hashes, packed },
    ref,
    hasAny: () => found.length > 0 || packed.size > 0,
    all,
    differingFrom: (later) => {
      if (!later.files) return differing(all(), later)
      const { hashes: others, packed: othersPacked } = later.files
      const names = new Set(loose.filter((path) => hashes.get(path) !== others.get(path)))
      for (const [name, id] of packed) if (othersPacked.get(name) !== id || others.has(name)) names.add(name)
      return [...names]
    },
    stashes: once(() => parseStashes(textOf(store, hashes, STASH_LOG))),
    head: (own) => textOf(store, hashes, `${own}HEAD`).trim(),
    operation: (own) => {
      const inside = [...hashes.keys()].flatMap((path) => (path.startsWith(own) ? [path.slice(own.length)] : []))
      const names = inside.filter((name) => OPERATION_REF.test(name))
      return new Map(names.map((name) => [name, textOf(store, hashes, own + name).trim()]))
    }
  }
}

function differing(refs: Refs, later: KeptRefs): string[] {
  const others = later.all()
  return [...refs].flatMap(([name, id]) => (others.get(name) === id ? [] : [name]))
}

function once<T>(compute: () => T): () => T {
  let value: { readonly is: T } | null = null
  return () => {
    value ??= { is: compute() }
    return value.is
  }
}
