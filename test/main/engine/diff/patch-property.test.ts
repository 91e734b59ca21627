/**
 * Random histories of a folder, composed into one patch, against the real `git apply`.
 */
import { statSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { WindowEdit } from '../../../../src/main/engine/diff/aggregate.ts'
import { formatPatch } from '../../../../src/main/engine/diff/patch.ts'
import { pairRenames } from '../../../../src/main/engine/diff/renames.ts'
import { asReverted } from '../../../support/git-revert.ts'
import { SEED, scaled } from '../../../support/scale.ts'
import {
  changesOf,
  describeTree,
  file,
  git,
  link,
  makeFolder,
  type Node,
  readTree,
  removeFolder,
  similarityIn,
  type Tree,
  versionOf,
  withContent,
  writeTree
} from './trees.ts'

const RUNS = scaled(12)

const name = fc.constantFrom('a', 'b', 'c', 'a b', 'ü', '"', 'n\nl', '-x', 'a.b', '\\t', '🎈', ' ')
const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('/'))
const line = fc.constantFrom('', 'a', 'b', '}', '\r', 'c\rd', '-- a', '+', ' x', 'ü', '\\ No newline at end of file')
const text = fc
  .tuple(fc.array(line, { maxLength: 24 }), fc.constantFrom('\n', '\n', '\r\n'), fc.boolean())
  .map(([lines, eol, end]) => Buffer.from(lines.join(eol) + (end ? eol : '')))
const content = fc.oneof(
  { weight: 6, arbitrary: text },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 120 }).map((bytes) => Buffer.from(bytes)) }
)
const target = fc.constantFrom('a', '../a', 'b/c', '/nowhere', 'x\ny', 'ü')
const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant('write' as const), path, content, exec: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('edit' as const), pick: fc.nat(), at: fc.nat(), text: line }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('move' as const), pick: fc.nat(), path }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('delete' as const), pick: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('mode' as const), pick: fc.nat() }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('link' as const), path, target }) }
)
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

/** Takes a path for a node: what lies above it as a file or link, or below it, goes away, as it would on disk. */
function put(nodes: Map<string, Node>, at: string, node: Node): void {
  for (const other of [...nodes.keys()]) {
    if (at.startsWith(`${other}/`) || other.startsWith(`${at}/`)) nodes.delete(other)
  }
  nodes.set(at, node)
}

function take(nodes: Map<string, Node>, taken: Step): void {
  if (taken.do === 'write') put(nodes, taken.path, { bytes: taken.content, exec: taken.exec })
  if (taken.do === 'link') put(nodes, taken.path, link(taken.target))
  if (taken.do === 'write' || taken.do === 'link') return
  const paths = [...nodes.keys()]
  const picked = paths[taken.pick % Math.max(1, paths.length)]
  if (picked === undefined) return
  const node = nodes.get(picked)!
  if (taken.do === 'delete' || taken.do === 'move') nodes.delete(picked)
  if (taken.do === 'move') put(nodes, taken.path, node)
  if ('link' in node) return
  if (taken.do === 'mode') nodes.set(picked, { ...node, exec: !node.exec })
  if (taken.do === 'edit') {
    const lines = node.bytes.toString('latin1').split('\n')
    lines.splice(taken.at % (lines.length + 1), taken.at % 2, Buffer.from(taken.text).toString('latin1'))
    nodes.set(picked, file(Buffer.from(lines.join('\n'), 'latin1'), node.exec))
  }
}

/** The Edits a step makes: every path that differs after it. */
function editsOf(before: Tree, after: Tree): WindowEdit[] {
  return [...new Set([...before.keys(), ...after.keys()])]
    .filter((at) => before.get(at) !== after.get(at))
    .map((at) => ({
      path: at,
      before: versionOf(before.get(at)),
      after: versionOf(after.get(at)),
      own: true,
      attribution: 'declared'
    }))
}

/** Git itself cannot apply a patch that puts a folder in the place of a link that leads back to itself. */
function hasLoopBecomingFolder(folder: string, now: Tree, next: Tree): boolean {
  return [...now.keys()].some((at) => {
    if (![...next.keys()].some((other) => other.startsWith(`${at}/`))) return false
    try {
      statSync(join(folder, at))
    } catch (error) {
      return (error as NodeJS.ErrnoException).code === 'ELOOP'
    }
    return false
  })
}

it('[LG-4] the composed patch of any history goes from its start to its end and back', {
  tags: ['git'],
  timeout: 1_800_000
}, () => {
  const history = fc.tuple(
    fc.array(step, { maxLength: 12 }),
    fc.array(step, { minLength: 1, maxLength: 16 }),
    fc.boolean(),
    fc.boolean()
  )
  fc.assert(
    fc.property(history, ([start, steps, similar, repository]) => {
      const nodes = new Map<string, Node>()
      for (const taken of start) take(nodes, taken)
      const before = new Map(nodes)
      const edits: WindowEdit[] = []
      for (const taken of steps) {
        const previous = new Map(nodes)
        take(nodes, taken)
        edits.push(...editsOf(previous, nodes))
      }
      const changes = pairRenames(changesOf(edits), similar ? similarityIn(before, nodes) : undefined)
      const { patch, omitted } = formatPatch(withContent(changes, before, nodes))
      expect(omitted).toEqual([])
      expect(patch.length === 0).toBe(changes.length === 0)
      // Callers carry the patch as a JSON string.
      expect(Buffer.from(patch.toString('utf8'))).toEqual(patch)
      if (patch.length === 0) return
      const folder = makeFolder(repository)
      try {
        writeTree(folder, before)
        fc.pre(!hasLoopBecomingFolder(folder, before, nodes))
        git(folder, ['apply'], patch)
        expect(readTree(folder)).toEqual(describeTree(nodes))
        fc.pre(!hasLoopBecomingFolder(folder, nodes, before))
        git(folder, ['apply', '-R'], patch)
        const reverted = (tree: Record<string, string>) => asReverted(tree, describeTree(before), describeTree(nodes))
        expect(reverted(readTree(folder))).toEqual(reverted(describeTree(before)))
      } finally {
        removeFolder(folder)
      }
    }),
    { numRuns: RUNS, seed: SEED }
  )
})
