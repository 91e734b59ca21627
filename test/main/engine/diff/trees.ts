/** Small trees for diff tests: as data, on disk, and as changes between two of them. */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { FileVersion } from '../../../../src/contract/log.ts'
import { composeChanges, type PathChange, type WindowEdit } from '../../../../src/main/engine/diff/aggregate.ts'
import type { PatchInput } from '../../../../src/main/engine/diff/patch.ts'
import { contentSimilarity, pairRenames } from '../../../../src/main/engine/diff/renames.ts'
import { putMade } from '../../../support/made-once.ts'

export type Node = { readonly bytes: Buffer; readonly exec: boolean } | { readonly link: string }
/** Files and links by path; folders follow from the paths. */
export type Tree = ReadonlyMap<string, Node>

export function file(content: string | Buffer, exec = false): Node {
  return { bytes: Buffer.from(content as string), exec }
}

export function link(target: string): Node {
  return { link: target }
}

export function tree(entries: Readonly<Record<string, Node | string>>): Tree {
  return new Map(Object.entries(entries).map(([path, node]) => [path, typeof node === 'string' ? file(node) : node]))
}

export const ABSENT: FileVersion = { kind: 'absent', size: 0, mode: 0, hash: null, target: null, notStored: null }

export function versionOf(node: Node | undefined): FileVersion {
  if (!node) return ABSENT
  if ('link' in node) return { ...ABSENT, kind: 'symlink', mode: 0o777, target: node.link }
  const hash = createHash('sha256').update(node.bytes).digest('hex')
  return { ...ABSENT, kind: 'file', size: node.bytes.length, mode: node.exec ? 0o755 : 0o644, hash }
}

export function bytesOf(node: Node | undefined): Buffer | null {
  return node && 'bytes' in node ? node.bytes : null
}

/** The changes between two trees, renames paired; `similar` pairs edited files too. */
export function changesBetween(before: Tree, after: Tree, similar = true): PatchInput[] {
  const paths = new Set([...before.keys(), ...after.keys()])
  const edits = [...paths].map((path) => ({
    path,
    before: versionOf(before.get(path)),
    after: versionOf(after.get(path)),
    own: true,
    attribution: 'declared' as const
  }))
  return withContent(pairRenames(changesOf(edits), similar ? similarityIn(before, after) : undefined), before, after)
}

export function similarityIn(before: Tree, after: Tree) {
  return (deleted: PathChange, added: PathChange): number =>
    contentSimilarity(bytesOf(before.get(deleted.path))!, bytesOf(after.get(added.path))!)
}

export function withContent(changes: readonly PathChange[], before: Tree, after: Tree): PatchInput[] {
  return changes.map((change) => ({
    change,
    read: () => ({
      before: bytesOf(before.get(change.oldPath ?? change.path)),
      after: bytesOf(after.get(change.path))
    })
  }))
}

/** A new empty folder; inside a repository of its own, or outside of any. */
export function makeFolder(repository: boolean): string {
  const folder = mkdtempSync(join(tmpdir(), 'driftline-diff-'))
  if (repository) putMade(folder, 'an empty repository', (place) => git(place, ['init', '-q']))
  return folder
}

export function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true })
}

export function writeTree(folder: string, nodes: Tree): void {
  for (const [path, node] of nodes) {
    const full = join(folder, path)
    mkdirSync(dirname(full), { recursive: true })
    if ('link' in node) symlinkSync(node.link, full)
    else {
      writeFileSync(full, node.bytes)
      chmodSync(full, node.exec ? 0o755 : 0o644)
    }
  }
}

/** What is on disk below a folder, `.git` apart, in a form that compares and prints well. */
export function readTree(folder: string): Record<string, string> {
  const found: Record<string, string> = {}
  const walk = (inside: string): void => {
    for (const name of readdirSync(join(folder, inside))) {
      if (inside === '' && name === '.git') continue
      const path = inside ? `${inside}/${name}` : name
      const full = join(folder, path)
      const stat = lstatSync(full)
      if (stat.isSymbolicLink()) found[path] = `link ${readlinkSync(full)}`
      else if (stat.isDirectory()) walk(path)
      else found[path] = `${stat.mode & 0o100 ? 'exec' : 'file'} ${readFileSync(full, 'latin1')}`
    }
  }
  walk('')
  return sortKeys(found)
}

export function describeTree(nodes: Tree): Record<string, string> {
  const found: Record<string, string> = {}
  for (const [path, node] of nodes) {
    found[path] =
      'link' in node ? `link ${node.link}` : `${node.exec ? 'exec' : 'file'} ${node.bytes.toString('latin1')}`
  }
  return sortKeys(found)
}

function sortKeys(record: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** Runs git without anybody's configuration, and without finding a repository above the folder. */
export function git(folder: string, args: readonly string[], input?: Buffer): string {
  return execFileSync('git', args, {
    cwd: folder,
    input: input ?? Buffer.alloc(0),
    stdio: ['pipe', 'pipe', 'pipe'],
    maxBuffer: 1 << 28,
    env: {
      PATH: process.env.PATH,
      HOME: folder,
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_TEMPLATE_DIR: '',
      GIT_CEILING_DIRECTORIES: realpathSync(tmpdir())
    }
  }).toString('utf8')
}

/** The changes of edits that hold their versions. */
export const changesOf = (edits: readonly WindowEdit[]): PathChange[] =>
  composeChanges(edits, () => (version) => version)
