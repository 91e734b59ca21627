/**
 * What runs, a person and restores do to a flat folder, in the fewest words: each path has a state and, below it, the
 * layers that made it. Taking back means going below a layer; a restore gives a path an earlier head, layers and all.
 */
import type { Tree } from '../support/tree.ts'

const GONE = 'gone'

interface Layer {
  readonly who: string
  /** Grows with every layer. */
  readonly at: number
  readonly before: string
  readonly below: Layer | null
}

interface Head {
  readonly state: string
  readonly layer: Layer | null
}
export type Heads = ReadonlyMap<string, Head>

interface Change {
  /** That of its layer; for what a restore wrote, that of the layer to which it returned, 0 = below all. */
  readonly at: number
  /** `restore` for what a restore wrote. */
  readonly who: string
  readonly runs: readonly string[]
  readonly before: string
  readonly after: string
}

const OUTSIDE = 'outside'

export class Layers {
  heads: Heads
  private now = 0
  private readonly log = new Map<string, Change[]>()
  /** Heads a path had before, newest last. */
  private readonly past = new Map<string, Head[]>()

  constructor(tree: Tree) {
    this.heads = new Map(Object.entries(tree).map(([path, state]) => [path, { state, layer: null }]))
  }

  get at(): number {
    return this.now
  }

  tree(): Tree {
    return Object.fromEntries(
      [...this.heads].filter(([, { state }]) => state !== GONE).map(([path, { state }]) => [path, state])
    )
  }

  /** What differs from the heads was just done by `by(path)` (none: a person; two: nobody knows which). */
  record(tree: Tree, by: (path: string) => readonly string[]): number {
    const heads = new Map(this.heads)
    let changed = 0
    for (const path of new Set([...heads.keys(), ...Object.keys(tree)])) {
      const before = heads.get(path) ?? { state: GONE, layer: null }
      const state = tree[path] ?? GONE
      if (state === before.state) continue
      const runs = by(path)
      const who = runs.length === 0 ? OUTSIDE : runs.length === 1 ? (runs[0] as string) : `shared ${runs.join()}`
      const at = ++this.now
      heads.set(path, { state, layer: { who, at, before: before.state, below: before.layer } })
      this.note(path, { at, who, runs, before: before.state, after: state })
      changed++
    }
    this.heads = heads
    return changed
  }

  /** Takes a run back; paths with somebody else's layer above its first stay unless `replace`. True when anything changed. */
  takeBack(run: string, onConflict: 'keep' | 'replace'): boolean {
    return this.restore((path, head) => {
      let first: Layer | null = null
      let above = 0
      let foreign = 0
      for (const layer of this.inForce(path, head, ({ who }) => who === run)) {
        if (layer.who === run) {
          first = layer
          foreign = above
        } else above++
      }
      if (!first || (foreign > 0 && onConflict === 'keep')) return head
      return { state: first.before, layer: first.below }
    })
  }

  /** Back to earlier heads; a path that a person changed since stays unless `replace`. */
  goBack(to: Heads, since: number, outside: 'keep' | 'replace'): boolean {
    return this.restore((path, head) => {
      for (const layer of this.inForce(path, head, ({ at }) => at <= since))
        if (outside === 'keep' && layer.at > since && layer.who === OUTSIDE) return head
      return to.get(path) ?? { state: GONE, layer: null }
    })
  }

  /** [RS-24] The layers of a path without its round trips, newest first. `isKept`: is in none. */
  private *inForce(path: string, head: Head, isKept: (change: Change) => boolean): Generator<Layer> {
    const returns = this.returns(path, isKept)
    for (let layer = head.layer; layer; ) {
      const to = returns.get(layer.at)
      if (to === undefined) yield layer
      let next: Layer | null = layer.below
      while (to !== undefined && next && next.at !== to) next = next.below
      layer = next
    }
  }

  /** Of the layers that end a round trip, `at` -> that of the layer to which they return; 0 = below all. */
  private returns(path: string, isKept: (change: Change) => boolean): Map<number, number> {
    const changes = this.log.get(path) ?? []
    const returns = new Map<number, number>()
    const below = (i: number): number => {
      const { who, at } = changes[i] as Change
      return who === 'restore' ? changes.findIndex((change) => change.at === at && change.who !== 'restore') : i - 1
    }
    const state = (i: number): string | undefined => changes[i]?.after ?? changes[0]?.before
    /** What one run alone took away and returned, if it had been so before. */
    const repeated = new Set<number>()
    const newestLike = (i: number): number | null => {
      let to = i
      do to = isKept(changes[to] as Change) ? -2 : below(to)
      while (to >= 0 && (repeated.has(to) || state(to) !== state(i)))
      return to >= -1 && state(to) === state(i) ? to : null
    }
    for (const [i, change] of changes.entries()) {
      const to = newestLike(i)
      if (to === null || change.who === 'restore') continue
      const between = changes.slice(to + 1, i)
      const isAlone = change.runs.length === 1 && between.every(({ who }) => who === change.who)
      if (change.who !== OUTSIDE && !isAlone) continue
      returns.set(change.at, changes[to]?.at ?? 0)
      if (change.who !== OUTSIDE)
        for (const own of between.keys()) if (newestLike(to + 1 + own) !== null) repeated.add(to + 1 + own)
    }
    return returns
  }

  /** The run's change of each path that nobody else touched in between: state before its first, after its last. */
  alone(run: string): Map<string, { readonly before: string; readonly after: string }> {
    const found = new Map<string, { before: string; after: string }>()
    for (const [path, changes] of this.log) {
      const mine = changes.map((one, i) => (one.runs.includes(run) ? i : -1)).filter((i) => i >= 0)
      const [first, last] = [mine[0], mine.at(-1)]
      if (first === undefined || last === undefined || last - first + 1 !== mine.length) continue
      const [before, after] = [changes[first] as Change, changes[last] as Change]
      if (before.before !== after.after) found.set(path, { before: before.before, after: after.after })
    }
    return found
  }

  /** Every path the run had a hand in. */
  touched(run: string): Set<string> {
    return new Set(
      [...this.log].filter(([, changes]) => changes.some((one) => one.runs.includes(run))).map(([path]) => path)
    )
  }

  /**
   * What became of the folders: one that still holds something stays, one that is needed again is what it last was, and
   * nothing comes back below what stays a file. Returns the paths where the disk is none of these.
   */
  settle(tree: Tree, before: Heads): string[] {
    const heads = new Map(this.heads)
    const wrong: string[] = []
    const isFolder = (state: string): boolean => state.startsWith('dir ')
    for (const path of new Set([...heads.keys(), ...Object.keys(tree)])) {
      const wanted = heads.get(path)?.state ?? GONE
      const was = before.get(path) ?? { state: GONE, layer: null }
      const is = tree[path] ?? GONE
      if (is === wanted) continue
      const holds = isFolder(is) && Object.keys(tree).some((one) => one.startsWith(`${path}/`))
      const above = path
        .split('/')
        .slice(0, -1)
        .map((_, i, parts) => parts.slice(0, i + 1).join('/'))
      const blocked = above.some((folder) => !isFolder(tree[folder] ?? GONE))
      const last = this.past.get(path)?.findLast((head) => isFolder(head.state)) ?? { state: 'dir 755', layer: null }
      if (is === was.state && ((holds && !isFolder(wanted)) || blocked)) heads.set(path, was)
      else if (was.state === GONE && holds && is === last.state) heads.set(path, last)
      else wrong.push(`${path}: ${is}, not ${wanted}`)
    }
    this.heads = heads
    return wrong
  }

  /** A path whose state stays the same keeps its layers too: nothing is written there. */
  private restore(wanted: (path: string, head: Head) => Head): boolean {
    const heads = new Map(this.heads)
    let changed = false
    for (const [path, head] of this.heads) {
      const next = wanted(path, head)
      if (next.state === head.state) continue
      heads.set(path, next)
      this.note(path, { at: next.layer?.at ?? 0, who: 'restore', runs: [], before: head.state, after: next.state })
      changed = true
    }
    this.heads = heads
    return changed
  }

  private note(path: string, change: Change): void {
    const head = this.heads.get(path)
    if (head) this.past.set(path, [...(this.past.get(path) ?? []), head])
    const changes = this.log.get(path)
    if (changes) changes.push(change)
    else this.log.set(path, [change])
  }
}
