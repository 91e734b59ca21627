/**
 * Work without I/O on large inputs: processor time for one input, compared with ten inputs of a tenth of its size. Where the
 * cost of an item does not depend on the size of the input, the ratio is 1.
 */
import type { FileVersion } from '../src/contract/log.ts'
import type { PathChange } from '../src/main/engine/diff/aggregate.ts'
import { countLines } from '../src/main/engine/diff/line-diff.ts'
import { pairRenames } from '../src/main/engine/diff/renames.ts'
import { planEdit } from '../src/main/engine/tools/plan-edit.ts'
import { messageRows } from '../src/renderer/features/conversation/message-rows.ts'
import { fileRows } from '../src/renderer/features/files/file-rows.ts'
import { layOutRail } from '../src/renderer/model/rail.ts'
import { timelineRows, toRailRow, treePositions } from '../src/renderer/model/timeline-rows.ts'
import { answer, call, detail, turn } from '../test/renderer/conversation/make.ts'
import { NOON, restore, run } from '../test/renderer/model/make.ts'
import type { Figure, Row } from './figure.ts'
import { inSeconds, median, times } from './statistics.ts'

const TARGET = 3
const PARTS = 10

interface Work {
  readonly figure: string
  readonly size: number
  readonly unit: string
  /** Builds an input of this size, outside the measured time. `work` returns whether its result has the right size. */
  prepare(size: number): () => boolean
}

const WORKS: readonly Work[] = [
  {
    figure: 'timeline rows of an open run',
    size: 10_000,
    unit: 'tool calls',
    prepare: (size) => {
      const calls = Array.from({ length: size }, (_, i) => call(`c${i}`, 'Bash', i))
      const open = { run: 'b', turns: [turn('t1', 'b', 1)], calls, expanded: new Set(['b-turn-1']) }
      const entries = [run('b', 20)]
      return () => treePositions(timelineRows(entries, open, NOON), 1).length > size
    }
  },
  {
    figure: 'rail of the timeline',
    size: 20_000,
    unit: 'entries',
    prepare: (size) => {
      const entries = Array.from({ length: size }, (_, i) => {
        const seq = (size - i) * 10
        return i % 50 === 7 ? restore(`r${i}`, seq, seq - 35) : run(`x${i}`, seq)
      })
      const rows = timelineRows(entries, null, NOON).map(toRailRow)
      return () => layOutRail(rows, { more: false }).length > size
    }
  },
  {
    figure: 'rows of changed files',
    size: 20_000,
    unit: 'files',
    prepare: (size) => {
      const files = Array.from({ length: size }, (_, i) => changedFile(`packages/p${i % 40}/src/m${i % 200}/f${i}.ts`))
      return () => fileRows({ files, mode: 'tree', filter: '', toggled: new Map() }).length > size
    }
  },
  {
    figure: 'rows of a conversation',
    size: 30_000,
    unit: 'messages and calls',
    prepare: (size) => {
      const messages = Array.from({ length: (size * 2) / 3 }, (_, i) => answer(i + 1, `m${i}`))
      const calls = Array.from({ length: size / 3 }, (_, i) => call(`c${i}`, 'Read', i * 2000 + 1500))
      const conversation = detail({ messages, calls })
      return () => messageRows(conversation, [], new Set()).length === size
    }
  },
  countWork('line counts, every 100th line edited', 50_000, (line, i) => (i % 100 === 0 ? `edited ${line}` : line)),
  countWork('line counts, nothing in common', 50_000, (line) => `new ${line}`),
  countWork('line counts, lines without order', 20_000, (_, i, lines) => lines[(i * 7919) % lines.length] as string),
  {
    figure: 'renames',
    size: 20_000,
    unit: 'files, half of them unchanged',
    prepare: (size) => {
      const changes = Array.from({ length: size }, (_, i) => [
        pathChange(`old/${i}`, stored(`old ${i}`), ABSENT),
        pathChange(`new/${i}`, ABSENT, stored(`${i % 2 === 0 ? 'old' : 'new'} ${i}`))
      ]).flat()
      return () => pairRenames(changes, () => 0).length === size * 1.5
    }
  },
  editWork('exact', (passage) => passage),
  editWork('indentation', (passage) => passage.replaceAll('    const', 'const')),
  editWork('similar', (passage) => passage.replace(/compute(?=.*(\n.*){10}$)/, 'copmute')),
  editWork('none', () => 'nothing like this is anywhere in the file, not even nearly')
]

function countWork(figure: string, size: number, edited: (line: string, i: number, lines: string[]) => string): Work {
  return {
    figure,
    size,
    unit: 'lines',
    prepare: (length) => {
      const lines = Array.from({ length }, (_, i) => `line ${i}\n`)
      const before = Buffer.from(lines.join(''))
      const after = Buffer.from(lines.map(edited).join(''))
      return () => {
        const { added, deleted } = countLines(before, after)
        return added > 0 && added === deleted
      }
    }
  }
}

/** Finds 20 lines near the end of a file, as an agent quotes them. */
function editWork(rung: string, quoted: (passage: string) => string): Work {
  return {
    figure: `place of an edit, ${rung === 'none' ? 'not found' : rung}`,
    size: 50_000,
    unit: 'lines',
    prepare: (length) => {
      const lines = Array.from({ length }, (_, i) => `    const value${i} = compute(${i}, "item ${i}")`)
      const edit = {
        text: `${lines.join('\n')}\n`,
        old: quoted(lines.slice(length * 0.8, length * 0.8 + 20).join('\n')),
        new: 'x'
      }
      return () => {
        const plan = planEdit(edit)
        return plan.result === 'edit' ? plan.rung === rung : plan.result === rung
      }
    }
  }
}

function changedFile(path: string): Parameters<typeof fileRows>[0]['files'][number] {
  return {
    path,
    change: 'modified',
    kind: 'text',
    added: 1,
    deleted: 1,
    hunks: 1,
    attribution: 'declared',
    interleaved: false,
    secret: false,
    counted: true
  }
}

const ABSENT: FileVersion = { kind: 'absent', size: 0, mode: 0, hash: null, target: null, notStored: null }

function stored(hash: string): FileVersion {
  return { ...ABSENT, kind: 'file', size: 100, mode: 0o644, hash }
}

function pathChange(path: string, before: FileVersion, after: FileVersion): PathChange {
  return { path, before, after, attribution: 'inferred', interleaved: false }
}

export const PURE: Figure = {
  name: 'pure',
  measure: async (setting) => WORKS.map((work) => measure(work, setting.quick ? 1 : 5))
}

function measure({ figure, size, unit, prepare }: Work, pairs: number): Row {
  const whole = prepare(size)
  const part = prepare(size / PARTS)
  const wholes: number[] = []
  const parts: number[] = []
  // The first pair warms up both sides.
  for (let pair = -1; pair < pairs; pair++) {
    const ours = processorTime(figure, whole, 1)
    const theirs = processorTime(figure, part, PARTS)
    if (pair < 0) continue
    wholes.push(ours)
    parts.push(theirs)
  }
  const ratio = median(wholes.map((time, pair) => time / (parts[pair] as number)))
  const count = (n: number): string => n.toLocaleString('en')
  return {
    figure,
    on: `${count(size)} ${unit}`,
    ours: inSeconds(median(wholes)),
    theirs: `${PARTS} times ${count(size / PARTS)}: ${inSeconds(median(parts))}`,
    result: times(ratio),
    target: `<= ${times(TARGET)}`,
    reached: ratio <= TARGET,
    note: '',
    numbers: { ratio, wholes, parts }
  }
}

/** Seconds of processor time, which other programs on the computer influence little. */
function processorTime(figure: string, work: () => boolean, rounds: number): number {
  const before = process.cpuUsage()
  for (let round = 0; round < rounds; round++) {
    if (!work()) throw new Error(`${figure}: wrong result`)
  }
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1e6
}
