/** Real agents, installed by whoever runs the tests: DRIFTLINE_REAL_AGENTS names the folder they are in (docs/agents.md). */
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'

const INSTALLED = process.env.DRIFTLINE_REAL_AGENTS ?? ''

/** An agent's program in that folder or in one below it; null when it is not installed. */
export function programOf(program: string): string | null {
  if (INSTALLED === '') return null
  const folders = ['.', ...readdirSync(INSTALLED)].map((name) => join(INSTALLED, name, 'node_modules/.bin', program))
  return folders.find((file) => existsSync(file)) ?? null
}

/** Words that run a command beside the fake model, where nothing but loopback can be reached if that can be had. */
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
