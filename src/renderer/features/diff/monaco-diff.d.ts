/** A module of Monaco that has no types. */
declare module 'monaco-editor/editor/common/diff/linesDiffComputers' {
  import type { LinesComparison, LinesComputer } from './blank-free-diff.ts'
  export const linesDiffComputers: {
    getDefault(): LinesComputer<LinesComparison>
    getAdvancedExternal(): LinesComputer<LinesComparison>
  }
}
declare module 'monaco-editor/editor/editor.worker'
