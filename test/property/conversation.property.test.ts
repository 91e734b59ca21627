/**
 * [RS-6] Conversations against a model simpler than the system: how many messages are in force, and which files are there.
 * Turns, restores in every mode, undo, redo and restarts in random order.
 */
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { RestoreMode } from '../../src/contract/restore.ts'
import { recordedFolder } from '../support/recorded-folder.ts'
import { SEED, scaled } from '../support/scale.ts'
import { createTranscriptAgent } from '../support/transcript-agent.ts'

type Step =
  | { readonly step: 'say' | 'undo' | 'redo' | 'reopen' }
  | { readonly step: 'restore'; readonly which: number; readonly mode: RestoreMode }

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ step: fc.constant('say' as const) }) },
  {
    weight: 5,
    arbitrary: fc.record({
      step: fc.constant('restore' as const),
      which: fc.nat(20),
      mode: fc.constantFrom<RestoreMode>('files', 'conversation', 'both', 'both')
    })
  },
  { weight: 4, arbitrary: fc.record({ step: fc.constant('undo' as const) }) },
  { weight: 3, arbitrary: fc.record({ step: fc.constant('redo' as const) }) },
  { weight: 1, arbitrary: fc.record({ step: fc.constant('reopen' as const) }) }
)

/** What an act did; taking it back is the same the other way round. */
interface Deed {
  readonly n: number
  readonly kind: 'restore' | 'undo' | 'redo'
  readonly takesBack: Deed | null
  readonly removed: readonly string[]
  readonly added: readonly string[]
  readonly from: number
  readonly to: number
  readonly moved: boolean
  undone: boolean
}

class Model {
  said = 0
  inForce = 0
  files = new Set<string>()
  readonly turns: { readonly said: number; readonly files: ReadonlySet<string> }[] = []
  readonly deeds: Deed[] = []

  say(file: string): void {
    // A session that goes on remembers all it was told.
    this.inForce = this.said
    this.turns.push({ said: this.said, files: new Set(this.files) })
    this.files.add(file)
    this.said += 2
    this.inForce = this.said
  }

  restore(turn: number, mode: RestoreMode): boolean {
    const to = this.turns[turn]!
    const files = mode === 'conversation' ? this.files : to.files
    return this.act(
      'restore',
      null,
      this.minus(this.files, files),
      this.minus(files, this.files),
      mode === 'files' ? this.inForce : to.said
    )
  }

  takeBack(kind: 'undo' | 'redo'): boolean {
    const effective = (deed: Deed): boolean =>
      deed.removed.length + deed.added.length > 0 || (deed.moved && this.inForce === deed.to)
    const newest = (kinds: readonly string[]): Deed | undefined =>
      this.deeds.findLast((deed) => kinds.includes(deed.kind) && !deed.undone && effective(deed))
    const deed = newest(kind === 'undo' ? ['restore'] : ['undo'])
    if (!deed || (kind === 'redo' && deed.n < (newest(['restore'])?.n ?? 0))) return false
    const back = deed.moved && this.inForce === deed.to ? deed.from : this.inForce
    const did = this.act(kind, deed, deed.added, deed.removed, back)
    deed.undone = true
    if (kind === 'redo' && deed.takesBack) deed.takesBack.undone = false
    return did
  }

  private act(
    kind: Deed['kind'],
    takesBack: Deed | null,
    removed: readonly string[],
    added: readonly string[],
    to: number
  ): boolean {
    const [gone, come] = [removed.filter((name) => this.files.has(name)), added.filter((name) => !this.files.has(name))]
    const moved = to !== this.inForce
    if (gone.length + come.length === 0 && !moved) return false
    this.deeds.push({
      n: this.deeds.length + 1,
      kind,
      takesBack,
      removed: gone,
      added: come,
      from: this.inForce,
      to,
      moved,
      undone: false
    })
    for (const name of gone) this.files.delete(name)
    for (const name of come) this.files.add(name)
    this.inForce = to
    return true
  }

  private minus(a: ReadonlySet<string>, b: ReadonlySet<string>): string[] {
    return [...a].filter((name) => !b.has(name))
  }
}

const RUNS = scaled(8)

test('any order of turns, restores, undo and redo gives the messages and files of the model', {
  timeout: 120_000
}, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 14 }), async (steps) => {
      await using folder = await recordedFolder({ files: { keep: 'k' } })
      const agent = createTranscriptAgent(folder)
      const model = new Model()
      for (const one of [{ step: 'say' } as Step, ...steps]) {
        const turns = (await sessionTurns()).length
        switch (one.step) {
          case 'say': {
            const file = `turn-${turns}`
            await agent.say(`ask ${turns}`, `answer ${turns}`, () => writeFileSync(join(folder.root, file), 'x\n'))
            model.say(file)
            break
          }
          case 'restore': {
            const turn = one.which % model.turns.length
            const target = (await sessionTurns())[turn]!.id
            const { state } = await folder.apply({ kind: 'restore', target, mode: one.mode })
            expect(state).toBe(model.restore(turn, one.mode) ? 'done' : 'nothing-to-do')
            break
          }
          case 'undo':
          case 'redo': {
            const done = await folder.apply({ kind: one.step }).then(
              ({ state }) => state === 'done',
              () => false
            )
            expect(done, one.step).toBe(model.takeBack(one.step))
            break
          }
          case 'reopen':
            await folder.reopen()
        }
        const words = await agent.messages()
        const all = (await agent.detail()).messages.map((message) => message.text)
        expect(all).toHaveLength(model.said)
        expect(words, one.step).toEqual(all.slice(0, model.inForce))
        expect(
          Object.keys(folder.tree())
            .filter((name) => name !== 'keep')
            .sort()
        ).toEqual([...model.files].sort())
      }

      async function sessionTurns(): Promise<readonly { id: string }[]> {
        return existsSync(agent.transcript) ? (await agent.detail()).turns : []
      }
    }),
    { numRuns: RUNS, seed: SEED }
  )
})
