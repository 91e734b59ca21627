/**
 * Everything at once, as on a person's computer: two agents with hooks, recorded commands, a person's edits, restores and
 * gc, all as processes of their own, while the recorder and the commands are killed at any moment. What a process had
 * acknowledged is there at the end, byte for byte.
 */
import { createHash } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { documentOf } from '../main/cli/cli-project.ts'
import { tally } from '../property/tally.ts'
import { LONG, limitFor, SEED, scaled } from '../support/scale.ts'
import { readTree, type Tree } from '../support/tree.ts'
import { createKilledProcesses, type KilledProcesses } from './killed-processes.ts'
import { createRandom, type Random } from './random.ts'
import { createEdits } from './random-edits.ts'

const HISTORIES = LONG ? scaled(4) : 1
const STEPS = LONG ? 18 : 10
const played = tally()

test.for(Array.from({ length: HISTORIES }, (_, n) => SEED + n))(
  '[LG-1] [GW-1] [RS-7] [ST-2] history %s: hooks, commands, edits, restores and gc beside kills lose no acknowledged byte',
  { timeout: limitFor(STEPS * 10) },
  async (seed) => {
    const random = createRandom(seed)
    using processes = createKilledProcesses(random, played)
    const work = await startWork(processes, random)
    for (let n = 0; n < STEPS; n++) await work.step()
    await work.verify()
  }
)

afterAll(() => {
  const wanted = [
    'checkpoint killed',
    'restore killed',
    'restore finished',
    'restore undone',
    'run killed',
    'hook alone'
  ]
  if (LONG) expect(played.never([...wanted, 'run undone', 'restore beside gc'])).toEqual([])
})

/** A checkpoint whose command ended well, and the folder as it was then. */
interface Mark {
  readonly id: string
  readonly tree: Tree
}

async function startWork(processes: KilledProcesses, random: Random) {
  const { root, command, calm, kills, told } = processes
  const edits = createEdits(root, random)
  const marks: Mark[] = []
  /** What the tool of an agent found or left at a path. */
  const seen: { readonly path: string; readonly hash: string }[] = []
  const agents = ['first', 'second'].map((session) => processes.createAgent(session))
  const restoreTo = ({ id }: Mark) => ['restore', id, '--mode', 'files', '--outside', 'replace', '--yes']
  const interrupted = async () =>
    documentOf<{ interruptedRestore: object | null }>(await calm(['status', '--json'])).interruptedRestore

  const note = (path: string): void => {
    const text = edits.read(path)
    if (text) seen.push({ path, hash: createHash('sha256').update(text).digest('hex') })
  }
  const write = async (): Promise<void> => {
    const [path, agent] = [random.pick(edits.paths), random.pick(agents)]
    if (!agent.isLive() || !edits.makeRoom(path)) return
    note(path)
    await agent.write(path, edits.text())
    note(path)
  }
  const mark = async (beside = kills()): Promise<void> => {
    const tree = readTree(root)
    const end = await command(['checkpoint', '--json'], beside)
    if (end.code === 0) marks.push({ id: documentOf<{ checkpoint: string }>(end).checkpoint, tree })
  }
  /** Whatever is killed, the folder ends whole at one of both sides. `after`: null = not known. */
  const restoreKilled = async (args: readonly string[], after: Tree | null, beside: readonly string[] | null) => {
    for (const agent of agents) await agent.stop()
    const before = readTree(root)
    const other = beside ? command(beside, kills()) : null
    const end = await command(args, kills())
    await other
    if (other && end.code === 0) played.did('restore beside gc')
    if (await interrupted()) {
      const how = random.pick(['finish', 'undo'] as const)
      await calm(['recover', how, '--yes'])
      played.did(how === 'undo' ? 'restore undone' : 'restore finished')
      const wanted = how === 'undo' ? before : after
      if (wanted) expect(readTree(root), told()).toEqual(wanted)
      return
    }
    const now = readTree(root)
    // Refused: a command that was killed still counts as a live run.
    if (end.code === 3) expect(now, told()).toEqual(before)
    if (!after) return
    if (end.code === 0) expect(now, told()).toEqual(after)
    else expect([JSON.stringify(before), JSON.stringify(after)], told()).toContain(JSON.stringify(now))
  }
  const restore = async (): Promise<void> => {
    const to = random.pick(marks)
    await restoreKilled(restoreTo(to), to.tree, random.chance(0.4) ? ['gc'] : null)
  }
  const undoRun = async (): Promise<void> => {
    const before = JSON.stringify(readTree(root))
    await restoreKilled(['undo-run', 'latest', '--on-conflict', 'replace', '--yes'], null, null)
    if (JSON.stringify(readTree(root)) !== before) played.did('run undone')
  }
  const run = ['run', '--', 'sh', '-c', 'echo run >> a; rm -f b; mkdir -p r; echo r > r/f']
  const some = (): void => edits.make(1 + random.below(3))
  const steps: readonly (readonly [number, () => unknown])[] = [
    [5, some],
    [4, () => random.pick(agents).prompt()],
    [6, write],
    [4, () => random.pick(agents).shell(some)],
    [2, () => random.pick(agents).stop()],
    [3, () => command(run, kills())],
    [4, mark],
    [3, restore],
    [2, undoRun],
    [1, () => command(['gc'], kills())],
    [2, processes.killRecorder]
  ]

  await calm(['add'])
  await mark([])
  return {
    step: async (): Promise<void> => void (await random.weighted(steps)()),
    /** Without kills: marks are restored and taken back, and every content that a tool saw is kept. */
    verify: async (): Promise<void> => {
      for (const agent of agents) await agent.stop()
      if (await interrupted()) await calm(['recover', 'finish', '--yes'])
      for (const to of random.some(marks, 3)) {
        const before = readTree(root)
        await calm(restoreTo(to))
        expect(readTree(root), told()).toEqual(to.tree)
        // What changed nothing is no restore, and the undo would be that of an earlier one.
        if (JSON.stringify(before) === JSON.stringify(to.tree)) continue
        await calm(['undo', '--yes'])
        expect(readTree(root), told()).toEqual(before)
      }
      for (const { path, hash } of seen) {
        const history = await calm(['history', path, '--json'])
        const { versions } = documentOf<{ versions: { hash: string | null; stored: boolean }[] }>(history)
        const stored = versions.filter((version) => version.stored).map((version) => version.hash)
        expect(stored, `${path}\n${told()}`).toContain(hash)
      }
      expect(documentOf<{ problems: unknown[] }>(await calm(['doctor', '--json'])).problems, told()).toEqual([])
    }
  }
}
