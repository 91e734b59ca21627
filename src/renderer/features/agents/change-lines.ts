/** Parses a unified diff of settings files into numbered lines, and folds long blocks of changed lines. Pure. */

export interface ChangeLine {
  readonly kind: 'same' | 'add' | 'delete'
  readonly before: number | null
  readonly after: number | null
  readonly text: string
}

export interface ChangedFile {
  readonly file: string
  /** Whether the change creates or removes the file. */
  readonly whole: 'created' | 'removed' | null
  /** Lines; null separates hunks. */
  readonly lines: readonly (ChangeLine | null)[]
}

/** Files of a unified diff, in order. */
export function changedFiles(diff: string): ChangedFile[] {
  const files: { file: string; whole: ChangedFile['whole']; lines: (ChangeLine | null)[] }[] = []
  let before = 0
  let after = 0
  /** Remaining lines of the hunk. Needed to tell a removed line `-- x` from the header `--- x`. */
  let remaining = { before: 0, after: 0 }
  let old = ''
  for (const line of diff.split('\n')) {
    const last = files.at(-1)
    if (remaining.before > 0 || remaining.after > 0) {
      const text = line.slice(1)
      if (line.startsWith('+')) {
        last?.lines.push({ kind: 'add', before: null, after: after++, text })
        remaining = { ...remaining, after: remaining.after - 1 }
      } else if (line.startsWith('-')) {
        last?.lines.push({ kind: 'delete', before: before++, after: null, text })
        remaining = { ...remaining, before: remaining.before - 1 }
      } else if (!line.startsWith('\\')) {
        last?.lines.push({ kind: 'same', before: before++, after: after++, text })
        remaining = { before: remaining.before - 1, after: remaining.after - 1 }
      }
      continue
    }
    const hunk = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(line)
    if (hunk) {
      if (last && last.lines.length > 0) last.lines.push(null)
      before = Number(hunk[1])
      after = Number(hunk[3])
      remaining = { before: Number(hunk[2] ?? 1), after: Number(hunk[4] ?? 1) }
    } else if (line.startsWith('--- ')) old = nameIn(line)
    else if (line.startsWith('+++ ')) {
      const now = nameIn(line)
      const whole = old === '/dev/null' ? 'created' : now === '/dev/null' ? 'removed' : null
      files.push({ file: whole === 'removed' ? old : now, whole, lines: [] })
    }
  }
  return files
}

function nameIn(line: string): string {
  return line.slice(4).replace(/\t.*$/, '')
}

/** The reverse change: shows what disconnecting removes as what connecting added. */
export function reversed(file: ChangedFile): ChangedFile {
  const kinds = { same: 'same', add: 'delete', delete: 'add' } as const
  const wholes = { created: 'removed', removed: 'created' } as const
  return {
    file: file.file,
    whole: file.whole && wholes[file.whole],
    lines: file.lines.map((line) => line && { ...line, kind: kinds[line.kind], before: line.after, after: line.before })
  }
}

export interface Fold {
  readonly kind: 'fold'
  readonly lines: readonly ChangeLine[]
  /** Names of the folded entries: JSON keys with a list as value. */
  readonly names: readonly string[]
}

/** Longer blocks are folded, except for HEAD and TAIL lines. */
const MAX_UNFOLDED = 14
const HEAD = 7
const TAIL = 3

export function folded(lines: ChangedFile['lines']): (ChangeLine | null | Fold)[] {
  const out: (ChangeLine | null | Fold)[] = []
  let at = 0
  while (at < lines.length) {
    const first = lines[at]
    let end = at
    while (end < lines.length && first && first.kind !== 'same' && lines[end]?.kind === first.kind) end++
    if (end - at <= MAX_UNFOLDED) {
      out.push(...lines.slice(at, Math.max(end, at + 1)))
      at = Math.max(end, at + 1)
      continue
    }
    const hidden = lines.slice(at + HEAD, end - TAIL).filter((line) => line !== null)
    const names = hidden.flatMap(({ text }) => /^\s*"([\w.]+)"\s*:\s*\[/.exec(text)?.[1] ?? [])
    out.push(...lines.slice(at, at + HEAD), {
      kind: 'fold',
      lines: hidden,
      names: names.filter((name) => name !== 'hooks')
    })
    out.push(...lines.slice(end - TAIL, end))
    at = end
  }
  return out
}
