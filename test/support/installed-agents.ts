/** Real agents, installed by the person who runs the tests in the folder DRIFTLINE_REAL_AGENTS (docs/agents.md). */
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'

const INSTALLED = process.env.DRIFTLINE_REAL_AGENTS ?? ''

/** Path of an agent's program in that folder or a subfolder; null if it is not installed. */
export function programOf(program: string): string | null {
  if (INSTALLED === '') return null
  const folders = ['.', ...readdirSync(INSTALLED)].map((name) => join(INSTALLED, name, 'node_modules/.bin', program))
  return folders.find((file) => existsSync(file)) ?? null
}

/** Command prefix that runs a command next to the fake model, isolated from the network where possible. */
export function besideModel(requests: string): readonly string[] {
  return [
    ...(INSTALLED === '' ? [] : alone()),
    process.execPath,
    resolve('test/support/fake-model/with-model.ts'),
    requests
  ]
}

let words: readonly string[] | null = null

function alone(): readonly string[] {
  if (words) return words
  const all = ['unshare', '-rn', 'sh', '-c', 'ip link set lo up && exec "$@"', 'alone']
  words = spawnSync(all[0]!, [...all.slice(1), 'true']).status === 0 ? all : []
  return words
}
