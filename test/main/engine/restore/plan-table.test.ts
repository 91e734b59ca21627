/**
 * [RS-1] The plan as a table: facts in, plan out, without a disk or a store. Each cell follows from the rules named
 * beside its table.
 */
import { describe, expect, test } from 'vitest'
import type { Resolution } from '../../../../src/contract/restore.ts'
import { type PlanCase, planLine, planOf, type VersionName, version, wordOf } from './plan-cases.ts'

/** The lines of a table as words. */
const tableOf = (text: string): string[][] =>
  text
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/ +/))

describe('[RS-1] [RS-9] [RS-12] one path: from what is there to what was', () => {
  // no-copy: the target is not stored. decide: what is there cannot be stored first, so a person decides.
  const [head = [], ...rows] = tableOf(`
  now        -      a      ax     b      link   link2  dir    dirp   large   pruned  damaged ignored special unknown
  -          .      create create create link   link   mkdir  mkdir  no-copy no-copy no-copy no-copy special unknown
  a          delete .      mode   write  link   link   mkdir  mkdir  no-copy no-copy no-copy no-copy special unknown
  ax         delete mode   .      write  link   link   mkdir  mkdir  no-copy no-copy no-copy no-copy special unknown
  b          delete write  write  .      link   link   mkdir  mkdir  no-copy no-copy no-copy no-copy special unknown
  large      delete write  write  write  link   link   mkdir  mkdir  no-copy no-copy no-copy no-copy special unknown
  never      delete write  write  write  link   link   mkdir  mkdir  no-copy no-copy no-copy no-copy special unknown
  pruned     delete write  write  write  link   link   mkdir  mkdir  no-copy .       no-copy no-copy special unknown
  unreadable decide decide decide decide decide decide decide decide no-copy no-copy no-copy no-copy special unknown
  changing   decide decide decide decide decide decide decide decide no-copy no-copy no-copy no-copy special unknown
  link       delete write  write  write  .      link   mkdir  mkdir  no-copy no-copy no-copy no-copy special unknown
  dir        rmdir  write  write  write  link   link   .      mode   no-copy no-copy no-copy no-copy special unknown
  dirp       rmdir  write  write  write  link   link   mode   .      no-copy no-copy no-copy no-copy special unknown
  ignored    folder folder folder folder folder folder folder folder no-copy no-copy no-copy .       special unknown
  special    decide decide decide decide decide decide decide decide no-copy no-copy no-copy no-copy .       unknown
`)
  const SHORT: Readonly<Record<string, string>> = {
    'keep:not-stored': 'no-copy',
    'keep:special': 'special',
    'keep:not-protected': 'unknown',
    'keep:not-storable': 'decide',
    'keep:unprotected-folder': 'folder'
  }

  test.each(rows)('%s', (now, ...expected) => {
    const planned = head.slice(1).map((target) => {
      const { items, conflicts } = planOf({ paths: { f: { now: now as VersionName, target: target as VersionName } } })
      const word = items[0] ? wordOf(items[0]) : '.'
      expect(conflicts.length).toBe(word === 'keep:not-storable' ? 1 : 0)
      return SHORT[word] ?? word
    })
    expect(planned).toEqual(expected)
  })
})

/**
 * `now` can be stored first or not; others wrote since or not; a merge is `none` (there is no text), `safe`, the `only`
 * right answer, or the only one and `unsafe`. Then: the cause, the choices, and what is written without a resolution and
 * with keep, merge and replace, for each default: keep, merge, replace.
 */
describe('[RS-10] [RS-9] a path that others wrote, or that cannot be stored first', () => {
  const rows = tableOf(`
  a          own    none   -                -                  target keep target target  target keep target target  target keep target target
  a          own    safe   -                -                  target keep target target  target keep target target  target keep target target
  a          own    only   -                -                  merge  keep merge  merge   merge  keep merge  merge   merge  keep merge  merge
  a          own    unsafe undone-before    keep               keep   keep keep   keep    keep   keep keep   keep    keep   keep keep   keep
  a          others none   others-after-run keep|replace       keep   keep keep   target  keep   keep keep   target  target keep keep   target
  a          others safe   others-after-run keep|merge|replace keep   keep merge  target  merge  keep merge  target  target keep merge  target
  a          others only   others-after-run keep|merge         keep   keep merge  keep    merge  keep merge  keep    keep   keep merge  keep
  a          others unsafe others-after-run keep               keep   keep keep   keep    keep   keep keep   keep    keep   keep keep   keep
  unreadable own    none   not-storable     keep|replace       keep   keep keep   target  keep   keep keep   target  keep   keep keep   target
  unreadable own    safe   not-storable     keep|merge|replace keep   keep merge  target  keep   keep merge  target  keep   keep merge  target
  unreadable own    only   not-storable     keep|merge         keep   keep merge  keep    keep   keep merge  keep    keep   keep merge  keep
  unreadable own    unsafe not-storable     keep               keep   keep keep   keep    keep   keep keep   keep    keep   keep keep   keep
  unreadable others none   not-storable     keep|replace       keep   keep keep   target  keep   keep keep   target  keep   keep keep   target
  unreadable others safe   not-storable     keep|merge|replace keep   keep merge  target  keep   keep merge  target  keep   keep merge  target
  unreadable others only   not-storable     keep|merge         keep   keep merge  keep    keep   keep merge  keep    keep   keep merge  keep
  unreadable others unsafe not-storable     keep               keep   keep keep   keep    keep   keep keep   keep    keep   keep keep   keep
`)
  const MERGES = {
    none: {},
    safe: { merge: 'm' },
    only: { merge: 'm', onlyByMerge: true },
    unsafe: { onlyByMerge: true }
  } as const
  const DEFAULTS: readonly Resolution[] = ['keep', 'merge', 'replace']

  test.each(rows)('%s, %s, %s merge', (now, who, merge, cause, choices, ...written) => {
    const path = {
      now: now as VersionName,
      target: 'b',
      foreign: who === 'others',
      ...MERGES[merge as 'none']
    } as const
    const outcomes = DEFAULTS.flatMap((otherwise) =>
      [undefined, ...DEFAULTS].map((resolution) => {
        const { items, conflicts } = planOf({
          paths: { f: path },
          otherwise,
          ...(resolution ? { resolutions: { f: resolution } } : {})
        })
        const [conflict] = conflicts
        expect([conflict?.cause ?? '-', conflict?.choices.join('|') ?? '-']).toEqual([cause, choices])
        const [item] = items
        return item?.action === 'keep' ? 'keep' : item?.after === version('m') ? 'merge' : 'target'
      })
    )
    expect(outcomes).toEqual(written)
  })

  test('what is written although it could not be stored first says that it cannot be undone', () => {
    for (const now of ['unreadable', 'changing', 'special'] as const) {
      const planned = planOf({ paths: { f: { now, target: 'b' } }, resolutions: { f: 'replace' } })
      expect(planLine(planned)).toBe('f=write:no-undo')
      expect(planned.items[0]?.storable).toBe(false)
    }
  })

  test('a merge that keeps what others wrote says so, and one that equals the disk writes nothing', () => {
    const path = { now: 'a', target: 'b', foreign: true } as const
    const merged = (merge: VersionName): string =>
      planLine(planOf({ paths: { f: { ...path, merge } }, resolutions: { f: 'merge' } }))
    expect([merged('m'), merged('a')]).toEqual(['f=write:merged', 'f=keep:nothing-left'])
  })
})

interface NamedCase extends PlanCase {
  readonly title: string
  readonly plan: string
}

const FOLDERS: readonly NamedCase[] = [
  {
    title: 'a file needs its folder',
    paths: { 'd/f': { now: '-', target: 'a' } },
    plan: 'd=mkdir:needed-folder d/f=create'
  },
  {
    title: 'and those above it',
    paths: { 'd/e/f': { now: '-', target: 'a' } },
    plan: 'd=mkdir:needed-folder d/e=mkdir:needed-folder d/e/f=create'
  },
  {
    title: 'a folder that is there stays as it is',
    paths: { 'd/f': { now: '-', target: 'a' } },
    beside: { d: 'dir' },
    plan: 'd/f=create'
  },
  {
    title: 'nothing is written below a file that stays',
    paths: { 'd/f': { now: '-', target: 'a' } },
    beside: { d: 'b' },
    plan: 'd/f=keep:not-a-folder(d)'
  },
  {
    title: 'nor through a link',
    paths: { 'd/f': { now: '-', target: 'a' } },
    beside: { d: 'link' },
    plan: 'd/f=keep:not-a-folder(d)'
  },
  {
    title: 'a file that becomes a folder again can hold files',
    paths: { d: { now: 'b', target: 'dir' }, 'd/f': { now: '-', target: 'a' } },
    plan: 'd=mkdir d/f=create'
  },
  {
    title: 'unless a person keeps that file',
    paths: { d: { now: 'b', target: 'dir', foreign: true }, 'd/f': { now: '-', target: 'a' } },
    plan: 'd=keep:others-after-run d/f=keep:not-a-folder(d)'
  },
  {
    title: 'an emptied folder is removed',
    paths: { d: { now: 'dir', target: '-' }, 'd/f': { now: 'a', target: '-' } },
    plan: 'd=rmdir d/f=delete'
  },
  {
    title: 'a folder with another file is kept',
    paths: { d: { now: 'dir', target: '-' } },
    beside: { 'd/f': 'a' },
    plan: 'd=keep:still-contains(f)'
  },
  {
    title: 'and every folder above it',
    paths: { d: { now: 'dir', target: '-' }, 'd/e': { now: 'dir', target: '-' } },
    beside: { 'd/e/f': 'a' },
    plan: 'd=keep:still-contains(e) d/e=keep:still-contains(f)'
  },
  {
    title: 'a folder with a written file is kept',
    paths: { d: { now: 'dir', target: '-' }, 'd/f': { now: 'a', target: 'b' } },
    plan: 'd=keep:still-contains(f) d/f=write'
  },
  {
    title: 'a folder with a file that cannot be stored is kept',
    paths: { d: { now: 'dir', target: '-' }, 'd/f': { now: 'special', target: '-' } },
    plan: 'd=keep:still-contains(f) d/f=keep:not-storable'
  },
  {
    title: 'a folder with a file that others wrote is kept',
    paths: { d: { now: 'dir', target: '-' }, 'd/f': { now: 'a', target: '-', foreign: true } },
    plan: 'd=keep:still-contains(f) d/f=keep:others-after-run'
  },
  {
    title: 'an emptied folder becomes a file',
    paths: { d: { now: 'dir', target: 'b' }, 'd/f': { now: 'a', target: '-' } },
    plan: 'd=write d/f=delete'
  },
  {
    title: 'a folder with another file does not',
    paths: { d: { now: 'dir', target: 'b' } },
    beside: { 'd/f': 'a' },
    plan: 'd=keep:still-contains(f)'
  },
  {
    title: 'a folder of which nothing is known is made for the files in it',
    paths: { d: { now: '-', target: 'unknown' }, 'd/f': { now: '-', target: 'a' } },
    plan: 'd=mkdir:needed-folder d/f=create'
  }
]

const MOVES: readonly NamedCase[] = [
  {
    title: 'a file that was renamed and deleted by others since is at neither name: nothing to do',
    paths: { b: { now: '-', target: '-', moveTo: 'a' } },
    plan: ''
  },
  {
    title: 'a folder stays when a file in it cannot be moved back',
    paths: { a: { now: 'dir', target: 'b' }, 'a/f': { now: 'a', target: 'a', moveTo: 'd/f' } },
    beside: { d: 'a' },
    plan: 'a=keep:still-contains(f) a/f=keep:name-in-use(d/f) d/f=keep:not-a-folder(d)'
  },
  {
    title:
      'a file that stays, because the disk has another spelling of its old name, stays with what would be below it',
    paths: {
      'A/f': { now: 'b', target: 'b', moveTo: 'd/e/f' },
      'd/e': { now: 'a', target: 'a', moveTo: 'a', left: 'dir' }
    },
    beside: { A: 'dir', d: 'dir' },
    foldsCase: true,
    plan: 'A/f=keep:name-in-use(d/e/f) a=keep:same-name(A) d/e=keep:name-in-use(a) d/e/f=keep:not-a-folder(d/e)'
  },
  {
    title: 'a renamed file gets its old name',
    paths: { b: { now: 'a', target: 'a', moveTo: 'a' } },
    plan: 'a=create:moved-back(b) b=delete:moved-to(a)'
  },
  {
    title: 'and its old content',
    paths: { b: { now: 'b', target: 'a', moveTo: 'a' } },
    plan: 'a=create:moved-back(b) b=delete:moved-to(a)'
  },
  {
    title: 'with what others wrote, a person decides',
    paths: { b: { now: 'b', target: 'a', moveTo: 'a', foreign: true, merge: 'm' } },
    plan: 'b=keep:others-after-run'
  },
  {
    title: 'a merge moves, too',
    paths: { b: { now: 'b', target: 'a', moveTo: 'a', foreign: true, merge: 'm' } },
    resolutions: { b: 'merge' },
    plan: 'a=create:moved-back(b) b=delete:moved-to(a)'
  },
  {
    title: 'and so does a replacement',
    paths: { b: { now: 'b', target: 'a', moveTo: 'a', foreign: true } },
    resolutions: { b: 'replace' },
    plan: 'a=create:moved-back(b) b=delete:moved-to(a)'
  },
  {
    title: 'it stays while its old name is another file',
    paths: { b: { now: 'a', target: 'a', moveTo: 'a' } },
    beside: { a: 'b' },
    plan: 'b=keep:name-in-use(a)'
  },
  {
    title: 'unless the plan removes that file',
    paths: { a: { now: 'b', target: '-' }, b: { now: 'a', target: 'a', moveTo: 'a' } },
    plan: 'a=write:moved-back(b) b=delete:moved-to(a)'
  },
  {
    title: 'which it does not while others wrote it',
    paths: { a: { now: 'b', target: '-', foreign: true }, b: { now: 'a', target: 'a', moveTo: 'a' } },
    plan: 'a=keep:others-after-run b=keep:name-in-use(a)'
  },
  {
    title: 'of two files with one old name the first gets it',
    paths: { b: { now: 'a', target: 'a', moveTo: 'a' }, c: { now: 'b', target: 'b', moveTo: 'a' } },
    plan: 'a=create:moved-back(b) b=delete:moved-to(a) c=keep:name-in-use(a)'
  },
  {
    title: 'two files that changed names change them back',
    paths: { a: { now: 'b', target: 'b', moveTo: 'b' }, b: { now: 'a', target: 'a', moveTo: 'a' } },
    plan: 'a=write:moved-back(b) b=write:moved-back(a)'
  },
  {
    title: 'a row of renames is undone as a whole',
    paths: { a: { now: 'b', target: 'b', moveTo: 'b' }, b: { now: 'ax', target: 'ax', moveTo: 'c' } },
    plan: 'a=delete:moved-to(b) b=write:moved-back(a) c=create:moved-back(b)'
  },
  {
    title: 'or not at all',
    paths: { a: { now: 'b', target: 'b', moveTo: 'b' }, b: { now: 'ax', target: 'ax', moveTo: 'c' } },
    beside: { c: 'm' },
    plan: 'a=keep:name-in-use(b) b=keep:name-in-use(c)'
  },
  {
    title: 'a person keeps it at its present name',
    paths: { b: { now: 'a', target: 'a', moveTo: 'a' } },
    resolutions: { b: 'keep' },
    plan: 'a=keep:moved-away(b) b=keep:keep-requested'
  },
  {
    title: 'or by its old name',
    paths: { b: { now: 'a', target: 'a', moveTo: 'a' } },
    resolutions: { a: 'keep' },
    plan: 'a=keep:moved-away(b) b=keep:keep-requested'
  },
  {
    title: 'its folder goes with it',
    paths: { d: { now: 'dir', target: '-' }, 'd/b': { now: 'a', target: 'a', moveTo: 'a' } },
    plan: 'a=create:moved-back(d/b) d=rmdir d/b=delete:moved-to(a)'
  },
  {
    title: 'its old folder is made',
    paths: { b: { now: 'a', target: 'a', moveTo: 'd/a' } },
    plan: 'b=delete:moved-to(d/a) d=mkdir:needed-folder d/a=create:moved-back(b)'
  },
  {
    title: 'where that is a file now, both names stay',
    paths: { b: { now: 'a', target: 'a', moveTo: 'd/a' } },
    beside: { d: 'b' },
    plan: 'b=keep:name-in-use(d/a) d/a=keep:not-a-folder(d)'
  },
  {
    title: 'where its present name is a folder with another file now, both names stay',
    paths: { b: { now: 'dir', target: 'a', moveTo: 'a' } },
    beside: { 'b/x': 'a' },
    plan: 'a=keep:no-replacement b=keep:still-contains(x)'
  },
  {
    title: 'without its old content it stays',
    paths: { b: { now: 'a', target: 'large', moveTo: 'a' } },
    plan: 'b=keep:not-stored'
  }
]

describe.each([
  ['[RS-4] folders', FOLDERS],
  ['[RS-20] moved files', MOVES]
] as const)('%s', (_, cases) => {
  test.each(cases)('$title', ({ title: _title, plan, ...facts }) => {
    expect(planLine(planOf(facts))).toBe(plan)
    // The order in which the paths are listed means nothing.
    const reversed = Object.fromEntries(Object.entries(facts.paths).toReversed())
    expect(planLine(planOf({ ...facts, paths: reversed }))).toBe(plan)
  })
})
