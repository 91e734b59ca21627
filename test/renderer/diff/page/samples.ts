/** Files of every kind and what the engine answers for them. */
import type { FileChange, FileDiff, LineBlock, TextHunk } from '../../../../src/contract/diff.ts'
import type { BlameLine, FileVersion } from '../../../../src/contract/log.ts'

const change = (path: string, more: Partial<FileChange> = {}): FileChange => ({
  path,
  change: 'modified',
  kind: 'text',
  added: 2,
  deleted: 2,
  hunks: 2,
  attribution: 'declared',
  interleaved: false,
  secret: false,
  counted: true,
  ...more
})

export const FILES: readonly FileChange[] = [
  change('src/cart/code.ts'),
  change('src/cart/cost.ts'),
  change('src/cart/fee.ts'),
  change('src/cart/rate.ts'),
  change('src/cart/sum.ts'),
  change('src/cart/tax.ts'),
  change('src/cart/total.ts'),
  change('src/new.ts', { change: 'added', deleted: 0 }),
  change('assets/logo.svg', { added: 1, deleted: 1 }),
  change('.env', { secret: true }),
  change('data/rates.csv', { notStored: 'too-large' }),
  change('run.sh', { change: 'mode', added: 0, deleted: 0 })
]

export const side = (more: Partial<FileVersion> = {}): FileVersion => ({
  kind: 'file',
  size: 20,
  mode: 0o644,
  hash: 'a'.repeat(64),
  target: null,
  notStored: null,
  ...more
})
const ABSENT = side({ kind: 'absent', size: 0, mode: 0, hash: null })

const lines = (name: string, first: number, last: number) =>
  [`const ${name} = ${first}`, ...Array.from({ length: 40 }, (_, i) => `// line ${i}`), `const end = ${last}`, ''].join(
    '\n'
  )

/** Two changes far apart in every text; other kinds by name. */
export function diffOf(path: string): FileDiff {
  const name = path.replace(/.*\/|\..*/g, '') || 'env'
  const base = {
    path,
    change: 'modified',
    before: side(),
    after: side({ hash: 'b'.repeat(64) }),
    secret: false
  } as const
  const text = { view: 'text', encodings: { before: 'utf8', after: 'utf8' }, hidden: false, eolOnly: null } as const
  if (path === 'data/rates.csv') return { ...base, view: 'not-kept', reason: 'too-large' }
  if (path === 'run.sh') return { ...base, ...text, after: side({ mode: 0o755 }), beforeText: 'x\n', afterText: 'x\n' }
  if (path === '.env')
    return { ...base, ...text, secret: true, beforeText: 'KEY=old-secret\n', afterText: 'KEY=new-secret\n' }
  if (path === 'src/new.ts') return { ...base, ...text, before: ABSENT, beforeText: '', afterText: 'const born = 1\n' }
  if (path === 'assets/logo.svg') {
    const svg = (fill: string) => `<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8" fill="${fill}"/>`
    return { ...base, ...text, beforeText: svg('red'), afterText: svg('green') }
  }
  return { ...base, ...text, beforeText: lines(name, 1, 2), afterText: lines(name, 3, 4) }
}

/** The changes of `lines` above, as the engine counts them. */
export function hunksOf(path: string): readonly TextHunk[] {
  if (!path.startsWith('src/cart/')) return []
  // As in a diff that holds edits of others, too.
  const more = path === 'src/cart/rate.ts' ? { byOthers: true } : {}
  return [
    hunk(1, { oldFrom: 0, oldTo: 1, newFrom: 0, newTo: 1 }),
    { ...hunk(2, { oldFrom: 41, oldTo: 42, newFrom: 41, newTo: 42 }), ...more }
  ]
}

const hunk = (n: number, block: LineBlock): TextHunk => ({
  n,
  ...block,
  blocks: [block],
  undoneBy: null,
  undoneLines: []
})

const wrote = (n: number, more: Partial<BlameLine>): BlameLine => ({
  n,
  run: null,
  prompt: null,
  origin: 'baseline',
  seq: 0,
  at: null,
  text: `// line ${n}`,
  ...more
})
export const BLAME: readonly BlameLine[] = [
  wrote(1, {}),
  wrote(2, { origin: 'agent', run: 'run_1', prompt: 'Add tax to the cart totals', seq: 4, at: Date.now() }),
  wrote(3, { origin: 'agent', run: 'run_1', prompt: 'Add tax to the cart totals', seq: 4, at: Date.now() }),
  wrote(4, { origin: 'outside', seq: 7, at: Date.now() }),
  ...Array.from({ length: 200 }, (_, i) => wrote(5 + i, {}))
]
