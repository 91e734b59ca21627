/** [RS-24] Which edits of a path are round trips. Texts are letters; `-` is a path that does not exist. */
import { expect, test } from 'vitest'
import type { FileVersion } from '../../../../src/contract/log.ts'
import { walkChain } from '../../../../src/main/engine/log/chain.ts'
import { withoutRoundTrips } from '../../../../src/main/engine/log/round-trips.ts'

const LETTERS = '-ABCDEFGH'

const versionOf = (letter: string): FileVersion =>
  letter === '-'
    ? { kind: 'absent', size: 0, mode: 0, hash: null, target: null, notStored: null }
    : { kind: 'file', size: 1, mode: 0o644, hash: letter, target: null, notStored: null }

type Origin = 'agent' | 'outside' | 'restore'

/** Words `who:text`: `o` a person, `rN` a restore's pointer to N, `m12` a merge that omits 12, `x` shared by several runs, a number a run; `>` behind it moved a file away. */
function logOf(start: string, words: string) {
  const who = words.split(' ').map((word) => word.split(':') as [string, string])
  const texts = [start, ...who.map(([, text]) => text)]
  const edits = who.map(([name], at) => ({
    seq: at + 1,
    path: 1,
    origin: (name[0] === 'o' ? 'outside' : 'rm'.includes(name[0] as string) ? 'restore' : 'agent') as Origin,
    base: name[0] === 'r' ? Number(name.slice(1)) : at,
    merge: name[0] === 'm',
    omits: name[0] === 'm' ? [Number(name.slice(1))] : [],
    omitsSince: name[0] === 'm' ? Number(name.slice(1)) : null,
    before: LETTERS.indexOf(texts[at] as string),
    after: LETTERS.indexOf(texts[at + 1] as string),
    movedFrom: null
  }))
  let reads = 0
  return {
    absent: 0,
    edit: (seq: number) => edits[seq - 1]!,
    editBefore: (_: number, seq: number) => edits[seq - 2] ?? null,
    arrivalOf: () => null,
    departuresFrom: () => edits.filter(({ seq }) => who[seq - 1]![0].endsWith('>')),
    headOf: () => edits.length,
    editsOf: () => edits.toReversed(),
    version: (id: number) => {
      reads++
      return versionOf(LETTERS[id] as string)
    },
    reads: () => reads,
    runsOf: (seqs: readonly number[]) =>
      new Map(seqs.flatMap((seq) => (who[seq - 1]![0] === 'x' ? [] : [[seq, who[seq - 1]![0]] as const])))
  }
}

/** The edits in force, newest first. */
function inForce(start: string, words: string, kept: readonly number[] = []): number[] {
  const log = logOf(start, words)
  const short = withoutRoundTrips(log, { isKept: ({ seq }) => kept.includes(seq), runsOf: log.runsOf })
  const steps = [...walkChain(log.headOf(), short)]
  return steps.filter(({ edit, omitted }) => edit.origin !== 'restore' && !omitted).map(({ edit }) => edit.seq)
}

test.each([
  ['away and back', 'A', '1:B o:A o:B', [1]],
  ['back to what it was first', 'A', '1:B o:A', []],
  ['nested', 'A', '1:B o:C o:D o:C o:B', [1]],
  ['overlapping', 'A', '1:B 2:C o:B o:C o:D', [5, 2, 1]],
  ['deleted and created again', 'A', '1:B o:- o:B', [1]],
  ['created and deleted by others', '-', '1:A o:- o:A', [1]],
  ['a run inside', 'A', '1:B o:A 2:C o:A o:B', [1]],
  ['a run before and after', 'A', '1:B o:A o:B 2:C o:B o:C', [4, 1]],
  ['a run begins it', 'A', '1:B 2:A o:B', [1]],
  ['a run ends it: its own change', 'A', '1:B o:A 2:B', [3]],
  ['one run alone', 'A', '1:B 2:A 2:C 2:B', [1]],
  ['what one run alone took away and returned', 'A', '1:B 2:A 2:B o:A 3:C', [5]],
  ['one run and a person', 'A', '1:B 2:A o:C 2:B', [4, 3, 2, 1]],
  ['two runs', 'A', '1:B 2:A 3:B', [3, 2, 1]],
  ['shared edits', 'A', '1:B x:A x:B', [3, 2, 1]],
  ['the newest edit that left it so', 'A', '1:B o:A 2:B o:C o:B', [3]],
  ['a rename inside', 'A', '1:B o>:- o:B', [1]],
  ['not across a rename of a run', 'A', '1:B 2>:- o:B', [3, 2, 1]],
  ['not to what a restore undid', 'A', '1:B r0:A o:B', [3]],
  ['to what a restore did not undo', 'A', '1:B o:C 2:D r2:C o:B', [1]],
  ['to what an undone restore undid', 'A', '1:B o:C r1:B r2:C o:B', [1]],
  ['from and to a restore', 'A', '1:B r0:A o:C o:A', []],
  ['not to what a merge undid a part of', 'A', '1:B 2:C m1:D o:C', [4, 2]],
  ['to before all that a merge undid a part of', 'A', '1:B o:A 2:C m3:D o:B', [1]]
] as const)('[RS-24] %s', (_, start, words, wanted) => {
  expect(inForce(start, words)).toEqual(wanted)
})

test.each([
  ['the edit before it', [1], [1]],
  ['its first', [2], [3, 2, 1]],
  ['its last', [3], [3]],
  ['the edit after it', [4], [1]]
] as const)('[RS-24] an edit that is asked about is in none: %s', (_, kept, wanted) => {
  expect(inForce('A', '1:B o:A o:B r3:C', kept).filter((seq) => seq < 4)).toEqual(wanted)
})

test('[RS-24] the versions of 2,000 edits that return again and again are read once', () => {
  const words = Array.from({ length: 2000 }, (_, at) => `${['o', '1', '2'][at % 3]}:${LETTERS[1 + ((at * 7) % 5)]}`)
  const log = logOf('A', words.join(' '))
  const short = withoutRoundTrips(log, { isKept: () => false, runsOf: log.runsOf })
  expect([...walkChain(log.headOf(), short)].length).toBeLessThan(2000)
  expect(log.reads()).toBe(2001)
})
