/** The words of what `doctor` finds: what is wrong, what is safe, and what to do. Pure. */
import type { AffectedPath, DoctorFinding } from '../doctor.ts'
import type { RebuiltList } from '../workspace.ts'
import { agentProblemText } from './agent-problems.ts'
import { dataFolderReadersText } from './data-folder.ts'
import { CONFIRM_LIST_TEXT, rebuiltListText, rebuiltSettingsText } from './folder-list.ts'
import { plural } from './numbers.ts'
import { listSome } from './text.ts'

type DamagedConversation = Extract<DoctorFinding, { readonly code: 'Conversation' }>

/** A short stable name of the finding: a code of the finding or of the error. */
export function doctorCode(finding: DoctorFinding): string {
  return finding.code === 'Unopened' ? finding.error : finding.code
}

export function doctorText(finding: DoctorFinding): string {
  switch (finding.code) {
    case 'Database':
      return finding.detail
    case 'Log':
      return finding.edits
        ? `edit ${finding.edits[1]} of ${finding.path} does not start where edit ${finding.edits[0]} ended`
        : `the current version of ${finding.path} is not from its last recorded edit`
    case 'Base':
      return `edit ${finding.edit} of ${finding.path} builds on edit ${finding.base}, which is not before it: it cannot be undone`
    case 'Path':
      return `${JSON.stringify(finding.path)} is not inside the folder: nothing is read or written there. Another program made or changed this history.`
    case 'Content':
      return contentText(finding.affected, finding.count)
    case 'Conversation':
      return conversationDamageText(finding)
    case 'GitDatabase':
      return `The kept copies of git's state in ${finding.file} are damaged: ${finding.detail}. What git loses may not come back from them. ${GIT_IS_SAFE} To keep git's state anew, stop the recorder and move the folder of that file away.`
    case 'GitFile':
      return `${plural(finding.versions, 'kept version')} of .git/${finding.path} cannot be read: what only ${finding.versions === 1 ? 'it names' : 'they name'} cannot be restored. ${GIT_IS_SAFE}`
    case 'InterruptedRestore':
      return 'A restore was interrupted. Run "driftline recover finish" or "driftline recover undo".'
    case 'TemporaryFiles':
      return `${plural(finding.count, 'temporary file')} of an earlier restore ${finding.count === 1 ? 'is' : 'are'} left, because a folder was moved meanwhile: ${listSome(finding.paths, finding.paths.length, finding.count)}. Nothing needs ${finding.count === 1 ? 'it' : 'them'}, and ${finding.count === 1 ? 'it is' : 'they are'} not recorded: delete ${finding.count === 1 ? 'it' : 'them'}.`
    case 'Agent':
      return `${finding.agent}: ${agentProblemText(finding.agent, finding.problem)}`
    case 'DataFolder':
      return dataFolderReadersText(finding.folder, finding.readers)
    case 'RebuiltList':
      return rebuiltListProblem(finding.list)
    case 'UnlistedHistory':
      return unlistedText(finding.file, finding.unreadable)
    case 'Unopened':
      return finding.message
  }
}

const GIT_IS_SAFE = 'The repository itself, your files and their history are not affected.'

function rebuiltListProblem(list: RebuiltList): string {
  const { lead, rest } = rebuiltListText(list)
  return `${lead}${rest} ${rebuiltSettingsText(list)} ${CONFIRM_LIST_TEXT}`
}

function unlistedText(file: string, unreadable: string | null): string {
  if (unreadable !== null)
    return `${file} is in no list of folders and cannot be read (${unreadable}). It is not changed. The next start of the recorder tries again.`
  return `${file} is in no list of folders and does not say which folder it is of: an earlier version recorded it. It is not changed. If it is of no use, delete its folder.`
}

function conversationDamageText({ session, messages, texts, repaired }: DamagedConversation): string {
  const lost = messages - repaired
  const what = [
    ...(lost > 0 ? [plural(lost, 'message')] : []),
    ...(texts > 0 ? [plural(texts, 'prompt, output or record', 'prompts, outputs or records')] : [])
  ].join(' and ')
  const shown = 'Each is shown as damaged in its place; everything else, files and restores are not affected.'
  if (session === null) return `${what} of runs without a conversation cannot be read. ${shown}`
  const name = session.title === '' ? session.id : `"${session.title}" (${session.id})`
  const restored =
    repaired > 0
      ? `${plural(repaired, 'damaged message')} of it ${repaired === 1 ? 'is' : 'are'} stored again, as the agent's transcript has ${repaired === 1 ? 'it' : 'them'}. `
      : ''
  if (what === '') return `The conversation ${name} can be read again. ${restored}Nothing is lost.`
  const source =
    session.transcript === null || lost === 0
      ? ''
      : ` The messages are stored again by the next \`driftline doctor\` that finds them in the agent's transcript, ${session.transcript}: restore that from a backup if you have one.`
  const last =
    texts === 0
      ? ''
      : ` A prompt, output or record cannot be repaired; \`driftline sessions --delete ${session.id}\` deletes the conversation with it.`
  return `The conversation ${name} is damaged: ${what} cannot be read. ${restored}${shown}${source}${last}`
}

/** Places named in one sentence. */
const SHOWN = 5

function contentText(affected: readonly AffectedPath[], count: number): string {
  if (count === 0)
    return 'A stored content that nothing needs is damaged. Nothing is lost; the next `driftline gc` deletes it.'
  const places = listSome(affected.map(placeText), SHOWN, count)
  const now = affected.some(({ upto }) => upto === null)
  return `The stored content of ${places} is damaged. A restore to such a position keeps the file as it is, names it, and restores all others. ${
    now
      ? 'The file in the folder is not affected: the next check stores it again.'
      : `To repair ${plural(count, 'place')}, put a file with the former content into the folder, from a backup for instance: the next check stores it again.`
  }`
}

/** "src/a.ts (positions 3 to 7)". */
function placeText({ path, since, upto }: AffectedPath): string {
  if (upto === null) return `${path} (since position ${since})`
  return upto - since === 1 ? `${path} (position ${since})` : `${path} (positions ${since} to ${upto - 1})`
}
