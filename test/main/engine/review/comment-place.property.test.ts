/** [RV-2] [RS-24] Comments stay on their lines through random edits, undos, redos, renames and round trips. */
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Comment } from '../../../../src/contract/review.ts'
import { type RecordedFolder, recordedFolder } from '../../../support/recorded-folder.ts'
import { LONG, limitFor, SEED, scaled } from '../../../support/scale.ts'

type Step =
  /** Lines [at, at + deleted), as fractions of the file, are replaced by new ones. */
  | { readonly do: 'edit'; readonly at: number; readonly deleted: number; readonly inserted: number }
  | { readonly do: 'comment'; readonly at: number; readonly lines: number }
  /** `away`: outside to another text and back. */
  | { readonly do: 'rename' | 'undo' | 'redo' | 'away' }

const fraction = fc.integer({ min: 0, max: 99 }).map((n) => n / 100)
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({
      do: fc.constant('edit' as const),
      at: fraction,
      deleted: fc.nat(4),
      inserted: fc.integer({ min: 0, max: 5 })
    })
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('comment' as const), at: fraction, lines: fc.nat(3) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom('rename' as const, 'undo' as const, 'redo' as const, 'away' as const)
    })
  }
)

const EDITS = scaled(20)
/** A long one lists its hundreds of comments after each tenth step. */
const [HISTORIES, CHECK_EACH] = LONG ? [1, 10] : [2, 1]

/** Each line is unique, so its text says which line it is. */
async function play(folder: RecordedFolder, steps: readonly Step[]): Promise<void> {
  const { workspace, engine } = folder
  let path = 'text'
  let names = 0
  let next = 0
  /** The newest run, if it is an edit in force; and the one that was undone last. */
  let newest: string | null = null
  let undone: string | null = null
  const read = (): string[] => readFileSync(join(folder.root, path), 'utf8').split('\n').slice(0, -1)
  const write = (lines: readonly string[]): void =>
    writeFileSync(join(folder.root, path), lines.map((line) => `${line}\n`).join(''))
  const commented = new Map<string, readonly string[]>()

  const checkPlace = ({ id, line, endLine, lines, path: at }: Comment): void => {
    const wanted = commented.get(id) ?? []
    const now = read()
    expect(at).toBe(path)
    const present = wanted.filter((text) => now.includes(text))
    if (lines === 'gone') expect(present, `gone: ${id}`).toEqual([])
    else {
      expect(lines, id).toMatch(/same|changed/)
      const range = now.slice((line ?? 0) - 1, endLine ?? 0)
      expect([range.at(0), range.at(-1)], `${id} is ${lines}`).toEqual([present.at(0), present.at(-1)])
      expect(lines === 'same', id).toBe(range.join() === wanted.join())
    }
  }

  for (const [index, one] of steps.entries()) {
    const lines = read()
    switch (one.do) {
      case 'edit': {
        const at = Math.floor(one.at * lines.length)
        const inserted = Array.from({ length: one.inserted }, () => `line ${next++}`)
        newest = await folder.run('edit', () => write(lines.toSpliced(at, one.deleted, ...inserted)))
        undone = null
        break
      }
      case 'comment': {
        if (lines.length === 0) break
        const from = Math.floor(one.at * lines.length)
        const to = Math.min(lines.length, from + one.lines + 1)
        const { comment } = await engine.call('comments.add', {
          workspace,
          target: 'now',
          path,
          from: from + 1,
          to,
          text: 'Why?'
        })
        commented.set(comment.id, lines.slice(from, to))
        break
      }
      case 'rename': {
        const to = `text ${++names}`
        await folder.run('rename', () => renameSync(join(folder.root, path), join(folder.root, to)))
        path = to
        newest = null
        undone = null
        break
      }
      case 'away':
        for (const text of [['another branch', ...lines.slice(2, -2)], lines]) {
          write(text)
          await folder.check()
        }
        break
      case 'undo':
        // Not of a rename, so that the test knows the name.
        if (newest === null) break
        await folder.apply({ kind: 'undo-run', run: newest, onConflict: 'replace' })
        undone = newest
        newest = null
        break
      case 'redo':
        if (undone === null) break
        await folder.apply({ kind: 'undo' })
        newest = undone
        undone = null
    }
    if ((steps.length - 1 - index) % CHECK_EACH !== 0) continue
    const { comments } = await engine.call('comments.list', { workspace })
    expect(comments).toHaveLength(commented.size)
    comments.forEach(checkPlace)
  }
}

test(`[RV-2] [RS-24] after ${EDITS} random edits no comment is on a wrong line (seed ${SEED})`, {
  timeout: limitFor(HISTORIES * EDITS)
}, async () => {
  const start = Array.from({ length: 20 }, (_, i) => `start ${i}\n`).join('')
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: EDITS, maxLength: EDITS }), async (steps) => {
      await using folder = await recordedFolder({ files: { text: start } })
      await play(folder, steps)
    }),
    { numRuns: HISTORIES, seed: SEED }
  )
})
