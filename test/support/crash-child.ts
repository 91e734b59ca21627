/** A process that kills itself during its work on a recorded folder: a restore, a run, a capture or a sweep. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Resolutions, RestoreRequest } from '../../src/contract/restore.ts'
import { checkDisk } from '../../src/main/engine/drift/check.ts'
import { createEngine, type Engine } from '../../src/main/engine/engine.ts'
import { ownProcess } from '../../src/main/engine/ports/processes.ts'
import { sweep } from '../../src/main/engine/retention/sweep.ts'
import { openStore } from '../../src/main/engine/store/open-store.ts'
import { storeFile } from '../../src/main/engine/workspaces/store-file.ts'
import { caughtUp } from './caught-up.ts'
import { openRecorder } from './crash-recorder.ts'
import { INGEST_PROGRAM } from './programs.ts'
import { beforeEachWrite } from './store-writes.ts'

export type CrashOrder = {
  readonly dataDir: string
  readonly workspace: string
  readonly root: string
} & (
  | {
      /** Restores and dies at this ApplyPoint, or with `journalled` when the first file is staged. Without `at` it completes. */
      readonly do: 'restore'
      readonly request: RestoreRequest
      readonly resolutions?: Resolutions
      readonly at?: string
    }
  | { readonly do: 'run'; readonly files: Readonly<Record<string, string>>; readonly checked: boolean }
  | { readonly do: 'captures'; readonly name: string; readonly count: number }
  | { readonly do: 'restores'; readonly request: RestoreRequest }
  | { readonly do: 'check' }
  /** Records what changed and dies before the `dieBefore`-th statement that writes. Without it it sends a `WriteCount`. */
  | { readonly do: 'record'; readonly dieBefore?: number }
  /** The same, reporting a prompt in the session of a transcript, which is then imported. */
  | { readonly do: 'import'; readonly transcript: string; readonly session: string; readonly dieBefore?: number }
  /** Writes the texts to its file in turn and records each, until a message arrives. */
  | { readonly do: 'flips'; readonly name: string; readonly texts: readonly string[] }
  /** The same, sweeping with a budget of 0. */
  | { readonly do: 'sweep'; readonly dieBefore?: number }
)

/** The statements by which a process wrote, and which of them were the COMMITs, from 1. */
export interface WriteCount {
  readonly writes: number
  readonly commits: readonly number[]
}

function die(): never {
  process.kill(process.pid, 'SIGKILL')
  throw new Error('still alive')
}

function openEngine({ dataDir }: CrashOrder): Promise<Engine> {
  const home = join(dataDir, '..', 'home')
  return createEngine({ dataDir, home, host: 'cli', watch: false, programs: { ingest: INGEST_PROGRAM } })
}

/** Dies before the n-th statement that writes. Returns what was written until then. */
function dieBeforeWrite(n: number | undefined): () => WriteCount {
  let writes = 0
  const commits: number[] = []
  beforeEachWrite((sql) => {
    if (++writes === n) die()
    if (sql === 'COMMIT') commits.push(writes)
  })
  return () => ({ writes, commits })
}

async function main(order: CrashOrder): Promise<void> {
  switch (order.do) {
    case 'restore': {
      await using open = openRecorder(order.dataDir, order.workspace)
      process.send?.('ready')
      await open.restore({
        request: order.request,
        resolutions: order.resolutions ?? {},
        progress: () => {
          if (order.at === 'journalled') die()
        },
        point: (point) => {
          if (point === order.at) die()
        }
      })
      break
    }
    case 'run': {
      const engine = await openEngine(order)
      const self = ownProcess()
      const { workspace } = order
      await engine.call('run.begin', {
        workspace,
        title: 'killed run',
        agent: 'test',
        pid: self.pid,
        pidStart: self.start
      })
      for (const [path, text] of Object.entries(order.files)) {
        writeFileSync(join(order.root, path), text)
        if (order.checked) await engine.call('drift.list', { workspace, check: true })
      }
      die()
      break
    }
    case 'captures': {
      const { workspace } = order
      const engine = await openEngine(order)
      for (let i = 0; i < order.count; i++) {
        writeFileSync(join(order.root, order.name), `${order.name} ${i}\n`)
        await engine.call('drift.list', { workspace, check: true })
      }
      await engine.close()
      break
    }
    case 'check': {
      const { workspace } = order
      const engine = await openEngine(order)
      process.send?.('ready')
      await engine.call('drift.list', { workspace, check: true })
      await engine.close()
      break
    }
    case 'record': {
      await using open = openRecorder(order.dataDir, order.workspace)
      const written = dieBeforeWrite(order.dieBefore)
      await open.recorder.lock.run(() => checkDisk(open.recorder, 'position'))
      process.send?.(written())
      break
    }
    case 'import': {
      const { transcript, session, root, workspace } = order
      const engine = await openEngine(order)
      const written = dieBeforeWrite(order.dieBefore)
      const { pid } = process
      for (const hook_event_name of ['SessionStart', 'UserPromptSubmit'])
        await engine.call('agent.event', {
          id: `${pid} ${hook_event_name}`,
          agent: 'claude-code',
          event: hook_event_name,
          at: Date.now(),
          payload: {
            session_id: session,
            cwd: root,
            transcript_path: transcript,
            hook_event_name,
            prompt: 'go on',
            source: 'resume'
          },
          process: { pid, start: '' }
        })
      const store = openStore(storeFile(order.dataDir, workspace))
      await caughtUp({ engine, store: (read) => read(store) })
      store.close()
      process.send?.(written())
      await engine.close()
      break
    }
    case 'flips': {
      await using open = openRecorder(order.dataDir, order.workspace)
      let stopped = false
      process.once('message', () => {
        stopped = true
      })
      process.send?.('ready')
      for (let i = 0; !stopped; i++) {
        writeFileSync(join(order.root, order.name), order.texts[i % order.texts.length] as string)
        await open.recorder.lock.run(() => checkDisk(open.recorder, 'position'))
        // Lets the event loop receive the message.
        await new Promise((resolve) => setImmediate(resolve))
      }
      break
    }
    case 'sweep': {
      const store = openStore(storeFile(order.dataDir, order.workspace))
      const written = dieBeforeWrite(order.dieBefore)
      await sweep(store, {
        budget: 0,
        days: 30,
        now: Date.now(),
        dryRun: false,
        pause: () => undefined,
        neverKeep: null,
        stop: () => false
      })
      store.close()
      process.send?.(written())
      break
    }
    case 'restores': {
      await using open = openRecorder(order.dataDir, order.workspace)
      process.send?.('ready')
      await new Promise((resolve) => process.once('message', resolve))
      let outcome: string
      try {
        outcome = (await open.restore({ request: order.request })).state
      } catch (error) {
        outcome = error instanceof Error && 'code' in error ? String(error.code) : String(error)
      }
      process.send?.(outcome)
    }
  }
  process.disconnect?.()
}

const order = process.argv[2]
if (order !== undefined) await main(JSON.parse(order) as CrashOrder)
