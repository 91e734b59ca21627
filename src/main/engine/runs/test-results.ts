/**
 * [TS-1] Records how a command ended that runs tests, checks types or lints. The result belongs to the position at the end of the
 * command, so there is none when others changed files while it ran: which of them it tested is not known.
 */
import type { Seq } from '../../../contract/log.ts'
import { hasOtherEdits } from '../store/edit-calls.ts'
import type { Store } from '../store/open-store.ts'
import type { Writable } from '../store/sql.ts'
import { insertTestResult } from '../store/test-results.ts'
import { testedBy } from './test-commands.ts'
import type { NamedCommand } from './test-programs.ts'

/** A command that ended. */
interface EndedCommand {
  readonly command: string
  readonly code: number
  readonly run: string
  /** Its tool call; null for the command of a `driftline run`. */
  readonly call: string | null
  readonly startSeq: Seq
  readonly endSeq: Seq
  /** ms UTC */
  readonly at: number
}

/** `named`: commands that a person named as tests. */
export function recordTestResult(tx: Writable<Store>, ended: EndedCommand, named: readonly NamedCommand[]): void {
  const { run, call, startSeq, endSeq: seq, at } = ended
  const tested = testedBy(ended.command, ended.code, named)
  if (!tested || hasOtherEdits(tx, { run, call, after: startSeq, to: seq })) return
  insertTestResult(tx, { ...tested, run, call, seq, at })
}
