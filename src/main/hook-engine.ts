/**
 * What a hook needs of the engine when no host runs: the log and the gateway, and nothing that answers people. A program
 * file of its own, loaded by hook.ts, because opening and closing it is nearly all such a hook costs.
 */
import { statSync } from 'node:fs'
import { sha256 as sha256InJavaScript } from '@noble/hashes/sha2.js'
import { takeEvent } from './engine/agents/gateway.ts'
import { replaySpool } from './engine/agents/spool.ts'
import type { Told } from './engine/agents/told.ts'
import { requireNewest } from './engine/db/migrate.ts'
import { systemClock } from './engine/ports/clock.ts'
import { hashLightly } from './engine/store/hash.ts'
import { openWorkspace } from './engine/workspaces/open-workspace.ts'
import { createRegistry, type Registry } from './engine/workspaces/registry.ts'

/** Hashing this much in JavaScript takes 2 to 3 ms, loading node:crypto 4 to 5. */
const HASHED_LIGHTLY = 8 * 1024

/** Takes one event into the log of its folder, after those that were left for later. */
export async function takeHere(dataDir: string, home: string, told: Told): Promise<void> {
  hashLightly(sha256InJavaScript, HASHED_LIGHTLY)
  const registry: Registry = createRegistry(
    dataDir,
    (workspace, boundaries) =>
      openWorkspace({
        workspace,
        dataDir,
        home,
        clock: systemClock,
        watching: () => 'off',
        watchFolder: notHere,
        startCopy: notHere,
        ingestProgram: '',
        prepare: requireNewest,
        setting: (key) => registry.setting(key),
        boundaries,
        retention: { bounds: notHere, sweep: notHere, measure: notHere, createKeeper: notHere },
        onChanged: () => {},
        onCopy: () => {},
        onTrouble: () => {}
      }),
    requireNewest
  )
  const gateway = { registry, clock: systemClock, emit: () => {} }
  await replaySpool(dataDir, (left) => takeEvent(gateway, left, true))
  await takeEvent(gateway, told)
  for (const { lock } of registry.opened()) await lock.run(async () => {})
  // Durable since the commit. Closing would write it back into the file and sync that, too, at every hook; now and then is enough.
  if (registry.opened().some(({ store }) => sizeOf(`${store.file}-wal`) > WRITTEN_BACK_AT)) await registry.close()
}

/** Bytes of a store's log that every hook would have to read again. */
const WRITTEN_BACK_AT = 1024 * 1024

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0
}

function notHere(): never {
  throw new Error('a hook neither watches nor copies nor sweeps')
}
