/** The paths an apply_patch text names. */

const HEADER = /^\*\*\* (?:Add File|Update File|Delete File|Move to): (.+?)\s*$/

/** As written: relative to the agent's folder, sometimes absolute. A move names both its paths. */
export function patchPaths(patch: string): string[] {
  const found = new Set<string>()
  for (const line of patch.split('\n')) {
    const name = HEADER.exec(line)?.[1]
    if (name) found.add(name)
  }
  return [...found]
}
