/** Which parts of changed lines are marked as changed words. Pure. */

/** A changed stretch; lines and columns 1-based, the end column exclusive. */
export interface Stretch {
  readonly startLine: number
  readonly startColumn: number
  readonly endLine: number
  readonly endColumn: number
}
export interface Mark {
  readonly line: number
  readonly startColumn: number
  readonly endColumn: number
}

/**
 * Marks per line. A line that is new as a whole gets none: its colour says it already. Blanks at the ends of a stretch
 * are left out unless the stretch is nothing but blanks.
 */
export function wordMarks(stretches: readonly Stretch[], textOf: (line: number) => string): readonly Mark[] {
  const marks: Mark[] = []
  for (const stretch of stretches) {
    for (let line = stretch.startLine; line <= stretch.endLine; line++) {
      const text = textOf(line)
      const start = line === stretch.startLine ? stretch.startColumn - 1 : 0
      const end = line === stretch.endLine ? stretch.endColumn - 1 : text.length
      const part = text.slice(start, end)
      if (part === '' || part.trim() === text.trim()) continue
      const blank = part.trim() === ''
      if (blank && stretch.startLine !== stretch.endLine) continue
      const lead = blank ? 0 : part.length - part.trimStart().length
      const trail = blank ? 0 : part.length - part.trimEnd().length
      marks.push({ line, startColumn: start + lead + 1, endColumn: start + part.length - trail + 1 })
    }
  }
  return marks
}
