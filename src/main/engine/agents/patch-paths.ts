/** Reads the paths from the `apply_patch` format of OpenAI's agents. */

const HEADER = /^\*\*\* (?:Add File|Update File|Delete File|Move to): (.+?)\s*$/

/** Paths as written: relative to the agent's working folder, sometimes absolute. A move names both its paths. */
export function patchPaths(patch: string): string[] {
  const found = new Set<string>()
  for (const line of patch.split('\n')) {
    const name = HEADER.exec(line)?.[1]
    if (name) found.add(name)
  }
  return [...found]
}
