/** The words of agents' connections: what is wrong and what to do about it. Pure. */
import type { AgentNote, AgentProblem, AgentTestProblem } from '../agents.ts'

/** A sentence on what is wrong with the connection of an agent. */
export function agentProblemText(agent: string, problem: AgentProblem): string {
  switch (problem.code) {
    case 'no-events':
      return 'Connected, but no events yet. Start the agent in a recorded folder. If this message stays, its hooks are disabled.'
    case 'no-trusted-hooks':
      return 'Connected, but no events yet. Codex runs only trusted hooks: open Codex and type /hooks.'
    case 'outdated':
      return `An earlier version wrote its hooks. Run \`driftline connect ${agent}\` to renew them.`
    case 'incomplete':
      return `${problem.found} of ${problem.wanted} hooks are present. Run \`driftline connect ${agent}\` to add the rest.`
    case 'silent':
      return 'The agent has worked since its last event. Restart it. If this message stays, its hooks do not run.'
    case 'turned-off':
      return `${problem.hooks} of its hooks are disabled in Codex. Open Codex and type /hooks.`
    case 'untrusted':
      return `Codex trusts ${problem.trusted} of ${problem.hooks} hooks. Open Codex and type /hooks.`
    case 'all-off':
      return `${problem.file} disables all hooks (disableAllHooks).`
    case 'unreadable':
      return `${problem.file} could not be parsed (line ${problem.line}: ${problem.message}).`
    case 'policy':
      return `${problem.file} allows only your organisation's hooks.`
    case 'locked':
      return `You have no permission to write ${problem.file}.`
  }
}

/** A sentence on why a test event did not arrive; "" if it did. */
export function agentTestText(agent: string, problem: AgentTestProblem | null): string {
  switch (problem?.code) {
    case undefined:
      return ''
    case 'missing':
      return 'The settings have no Driftline entries. Connect the agent first.'
    case 'no-event':
      return 'The command ran, but no event arrived. Driftline may have moved since you connected the agent: disconnect and connect again.'
    case 'timeout':
      return `The command did not exit within ${problem.seconds} seconds.`
    case 'failed':
      return `Couldn't start the command: ${problem.message}.`
    case 'refused':
      return problem.message
    case 'exited':
      return `The command exited with code ${problem.exitCode}.`
    case 'untrusted':
      return agentProblemText(agent, problem)
  }
}

const NOTES: Readonly<Record<AgentNote, string>> = {
  'next-start': 'The tools are available from the next start.',
  'may-be-overwritten': 'A running Claude Code may overwrite this setting; if it does, connect again.',
  'trust-hooks':
    'Codex runs only trusted hooks: open Codex, type /hooks, and trust the Driftline entries. Until then, it sends no events.',
  'downloads-plugin':
    'On its next start, opencode downloads its plugin package once. Offline, each start takes about a minute until the download succeeds.'
}

/** Sentences on what to do next or what to expect after connecting; "" without any. */
export function agentNotesText(notes: readonly AgentNote[]): string {
  return notes.map((note) => NOTES[note]).join(' ')
}
