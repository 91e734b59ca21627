/**
 * The `--json` documents that differ from the engine's answers, where a sentence stands for codes. Their keys are
 * stable.
 */
import type { AgentChange, AgentProblem, AgentState } from '../../contract/agents.ts'
import type { Result } from '../../contract/api.ts'
import type { Checkpoint } from '../../contract/checkpoint.ts'
import type { Resume } from '../../contract/conversation.ts'
import type { DoctorProblem } from '../../contract/doctor.ts'
import type { ErrorCode } from '../../contract/errors.ts'
import type { Conflict, PlanItem, RestorePlan, RestoreResult } from '../../contract/restore.ts'
import type { WorkspaceStatus } from '../../contract/status.ts'
import type { Drift, EntryDetail, TimelineEntry } from '../../contract/timeline.ts'
import { agentNotesText, agentProblemText } from '../../contract/words/agent-problems.ts'
import { checkpointCauseText, checkpointLabel } from '../../contract/words/checkpoints.ts'
import { resumeFailureText, resumeNoteText } from '../../contract/words/conversation.ts'
import { doctorCode, doctorText } from '../../contract/words/doctor.ts'
import { driftCauseText } from '../../contract/words/drift.ts'
import { conflictReason, noteText, obstacleText, outcomeReason, warningText } from '../../contract/words/plan.ts'
import { runNoteText } from '../../contract/words/run-notices.ts'
import { diffWarningText, runWarningText } from '../../contract/words/run-warnings.ts'
import { DISK_FULL_TEXT, unwatchedText } from '../../contract/words/watching.ts'
import type { WorkspaceSummary } from '../../contract/workspace.ts'

export function entryDocument(entry: TimelineEntry): object {
  if (entry.kind === 'drift') return driftDocument(entry)
  if (entry.kind !== 'run') return entry
  const { notes, ...run } = entry
  return { ...run, note: notes.map(runNoteText).join('; ') }
}

export function detailDocument({ entry, checkpoints, turns, calls = [], warnings = [] }: EntryDetail): object {
  return {
    ...entryDocument(entry),
    checkpoints: checkpoints.map(checkpointDocument),
    ...(entry.kind === 'run' && { turns, calls, warnings: warnings.map(runWarningText) })
  }
}

export function diffDocument({ warnings, ...diff }: Result<'diff.patch'>): object {
  return { ...diff, warning: diffWarningText(warnings) }
}

export function checkpointDocument({ cause, ...checkpoint }: Checkpoint): object {
  return { ...checkpoint, label: checkpointLabel(checkpoint), why: checkpointCauseText(cause) }
}

export function statusDocument({ drift, watcher, disk, ...status }: WorkspaceStatus): object {
  return {
    ...status,
    drift: drift.map(driftDocument),
    watcher: { ...watcher, why: unwatchedText(watcher.why) },
    disk: { ...disk, why: disk.low ? DISK_FULL_TEXT : '' }
  }
}

export function folderDocument({ watcher, ...summary }: WorkspaceSummary): object {
  return { ...summary, watcher: { ...watcher, why: unwatchedText(watcher.why) } }
}

export function agentDocument({ managed, problems, ...agent }: AgentState): object {
  const text = (problem: AgentProblem): string => agentProblemText(agent.id, problem)
  return { ...agent, managed: managed ? text(managed) : '', problems: problems.map(text) }
}

export function agentChangeDocument({ notes, ...change }: AgentChange): object {
  return { ...change, note: agentNotesText(notes) }
}

/** With the paths and positions of damaged content. */
export function doctorDocument(problem: DoctorProblem): object {
  const { workspace } = problem
  const found = { workspace, code: doctorCode(problem), message: doctorText(problem) }
  return problem.code === 'Content' ? { ...found, affected: problem.affected } : found
}

export function driftDocument<D extends Pick<Drift, 'cause' | 'branches'>>({ branches, ...drift }: D): object {
  return { ...drift, note: driftCauseText({ cause: drift.cause, branches }) }
}

export function planDocument(plan: RestorePlan): object {
  return {
    plan: plan.plan,
    act: plan.act,
    target: plan.target,
    title: plan.title,
    items: plan.items.map(itemDocument),
    conflicts: plan.conflicts.map(conflictDocument),
    warnings: plan.warnings.map(warningText),
    unchanged: plan.unchanged,
    live: plan.live,
    mode: plan.mode,
    modes: plan.modes.map((mode) => ({ ...mode, why: obstacleText(mode.why) })),
    conversation: plan.conversation && { ...plan.conversation, why: obstacleText(plan.conversation.why) },
    git: plan.git
  }
}

/** A refusal before anything was written: the current plan with the keys of a result, and the reason. */
export function refusedDocument(plan: RestorePlan, refusal: string, code: ErrorCode | undefined): object {
  return {
    ...planDocument(plan),
    restore: '',
    state: 'refused',
    guard: '',
    refusal,
    ...(code && { error: { code, message: refusal, data: {} } })
  }
}

export function resultDocument(result: RestoreResult): object {
  return {
    restore: result.restore,
    state: result.state,
    guard: result.guard,
    items: result.items.map((item) => {
      const reason = outcomeReason(item)
      return { ...itemDocument(item), result: item.result, ...(reason && { reason }) }
    }),
    conflicts: result.conflicts.map(conflictDocument),
    warnings: result.warnings.map(warningText),
    ...(result.conversation && { conversation: conversationDocument(result.conversation) }),
    ...(result.refusal && { refusal: result.refusal }),
    git: result.git
  }
}

function conversationDocument({ resume, failure, ...moved }: NonNullable<RestoreResult['conversation']>): object {
  const note = resume ? resumeNoteText(resume.note) : resumeFailureText(failure)
  return { ...moved, resume: resume && resumeDocument(resume), note }
}

export function resumeDocument(resume: Resume): object {
  return { ...resume, note: resumeNoteText(resume.note) }
}

function itemDocument({ path, action, note }: PlanItem): object {
  return { path, action, ...(note && { note: noteText(note) }) }
}

function conflictDocument(conflict: Conflict): object {
  const { path, choices, choice, mergeable } = conflict
  const by = conflict.by.map(({ who, at }) => ({ run: who, at }))
  return { path, reason: conflictReason(conflict), by, choices, choice, mergeable }
}
