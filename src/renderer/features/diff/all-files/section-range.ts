/** Which files of the scroll exist. */

/**
 * The indexes near the view and those of `always`, each once and in order: the current file and the one with the focus are
 * often the same. An index outside of the list, such as -1 for no file, is left out.
 */
export function withAlways(near: readonly number[], always: readonly number[], count: number): number[] {
  const further = always.filter((index) => index >= 0 && index < count)
  return [...new Set([...near, ...further])].sort((a, b) => a - b)
}
