/**
 * The part of the engine a hook needs when no host runs: log, store and agent gateway, without watching, initial
 * snapshots and retention. A separate program file loaded by hook.ts, because loading code is most of the time such a
 * hook takes.
 */
import { statSync } from 'node:fs'
import { sha256 as sha256InJavaScript } from '@noble/hashes/sha2.js'
import { ingestEvent } from './engine/agents/gateway.ts'
import type { HookEvent } from './engine/agents/hook-event.ts'
import { replaySpool } from './engine/agents/spool.ts'
import { systemClock } from './engine/ports/clock.ts'
import { hashLightly } from './engine/store/hash.ts'
import { requireCurrentSchema } from './engine/store/migrate.ts'
import { openWorkspace } from './engine/workspaces/open-workspace.ts'
import { createRegistry } from './engine/workspaces/registry.ts'

/** Below this many bytes hashing in JavaScript (2 to 3 ms) is faster than loading node:crypto (4 to 5 ms). */
const JAVASCRIPT_HASH_LIMIT = 8 * 1024

/** Records one event, after the spooled ones: events must reach the log in their order. */
export async function ingestInProcess(dataDir: string, home: string, hookEvent: HookEvent): Promise<void> {
  hashLightly(sha256InJavaScript, JAVASCRIPT_HASH_LIMIT)
  const registry = createRegistry(
    dataDir,
    (opening) =>
      openWorkspace({
        ...opening,
        dataDir,
        home,
        clock: systemClock,
        watching: 'off',
        parts: null,
        ingestProgram: '',
        prepare: requireCurrentSchema,
        emit: () => {}
      }),
    requireCurrentSchema
  )
  const gateway = { registry, clock: systemClock, emit: () => {} }
  await replaySpool(dataDir, (spooled) => ingestEvent(gateway, spooled, true))
  await ingestEvent(gateway, hookEvent)
  for (const { lock } of registry.opened()) await lock.run(async () => {})
  // The event is durable since its commit. Closing would also checkpoint the WAL and sync the database file on every
  // hook; doing it once the WAL is large is enough.
  const walBytes = registry
    .opened()
    .map(({ store }) => statSync(`${store.file}-wal`, { throwIfNoEntry: false })?.size ?? 0)
  if (walBytes.some((bytes) => bytes > WAL_CHECKPOINT_BYTES)) await registry.close()
}

/** Size of the WAL that justifies a checkpoint, bytes: every later hook has to read the WAL again. */
const WAL_CHECKPOINT_BYTES = 1024 * 1024
