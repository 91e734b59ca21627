/** The objects that an index names (gitformat-index(5)): its files, and what its extensions cache. */
import { GITLINK, visitEntries } from './git-index.ts'

interface IndexObjects {
  /** Of files; without them the index means something else. */
  readonly needed: readonly string[]
  /** Cached trees, and files of resolved conflicts. */
  readonly useful: readonly string[]
}

/** Null for a damaged, split or sparse index. */
export function objectIdsOfIndex(bytes: Buffer, idBytes: number): IndexObjects | null {
  const needed: string[] = []
  let isSparse = false
  const visited = visitEntries(bytes, idBytes, (_, mode, at) => {
    isSparse ||= mode === SPARSE
    if (mode !== GITLINK) needed.push(bytes.toString('hex', at + 40, at + 40 + idBytes))
  })
  if (visited === null || visited.shared !== '' || isSparse) return null
  const useful: string[] = []
  for (let at = visited.end; at + 8 <= bytes.length - idBytes; ) {
    const size = bytes.readUInt32BE(at + 4)
    const body = bytes.subarray(at + 8, at + 8 + size)
    const name = bytes.toString('latin1', at, at + 4)
    if (name === 'TREE') useful.push(...idsOfTrees(body, idBytes))
    if (name === 'REUC') useful.push(...idsOfResolved(body, idBytes))
    at += 8 + size
  }
  return { needed, useful }
}

const SPARSE = 0o040000

/** Whether two indexes name the same files, whatever they cache of their stats. False where one cannot be read. */
export function haveSameEntries(a: Buffer, b: Buffer, idBytes: number): boolean {
  const [first, second] = [entriesOf(a, idBytes), entriesOf(b, idBytes)]
  return first !== null && first === second
}

/** Mode, id and stage of each path, as one text. */
function entriesOf(bytes: Buffer, idBytes: number): string | null {
  const entries: string[] = []
  const visited = visitEntries(bytes, idBytes, (path, mode, at) => {
    const flags = bytes.readUInt16BE(at + 40 + idBytes)
    // Assumed unchanged, and the stage; neither the length of the name nor whether there are more flags.
    entries.push([path, mode, bytes.toString('hex', at + 40, at + 40 + idBytes), flags & 0xb000].join('\0'))
  })
  return visited === null || visited.shared !== '' ? null : entries.join('\n')
}

/** Entries are a name, NUL, `<files> <subtrees>`, newline, and the id unless the count of files is negative. */
function idsOfTrees(body: Buffer, idBytes: number): string[] {
  const ids: string[] = []
  for (let at = 0; at < body.length; ) {
    const nul = body.indexOf(0, at)
    const line = body.indexOf(10, nul)
    if (nul < 0 || line < 0) return ids
    at = line + 1
    if (body[nul + 1] === MINUS) continue
    ids.push(body.toString('hex', at, at + idBytes))
    at += idBytes
  }
  return ids
}

/** Entries are a path, NUL, three modes in octal with a NUL each, and an id for each mode that is not 0. */
function idsOfResolved(body: Buffer, idBytes: number): string[] {
  const ids: string[] = []
  for (let at = body.indexOf(0) + 1; at > 0 && at < body.length; at = body.indexOf(0, at) + 1) {
    let sides = 0
    for (let n = 0; n < 3; n++) {
      const nul = body.indexOf(0, at)
      if (nul < 0) return ids
      if (body.toString('latin1', at, nul) !== '0') sides++
      at = nul + 1
    }
    for (; sides > 0; sides--, at += idBytes) ids.push(body.toString('hex', at, at + idBytes))
  }
  return ids
}

const MINUS = 45
