/** What each setting means and accepts, as sentences. Pure. */
import { linesOf, SETTINGS, type SettingKey, type SettingRule } from '../settings.ts'
import { agentIdentity } from './agents.ts'
import { formatNumber } from './numbers.ts'
import { formatBytes } from './sizes.ts'
import { listAll } from './text.ts'

function reviewMeaning(agent: string): string {
  return `When ${agentIdentity(agent).name} gets comments and undone changes: only when you send them, with every prompt, or never.`
}

export const MEANINGS: Readonly<Record<SettingKey, string>> = {
  'capture.limit':
    'Larger files are noticed but not copied. Raising the limit copies skipped files at once; lowering it applies at the next change.',
  'capture.never': 'Files whose content is never stored, as patterns of .gitignore.',
  'capture.include': 'Folders that are covered although git ignores them.',
  'capture.preRunDrift':
    'Adds a checkpoint before a run when there are unreviewed outside changes. The run is compared with them included either way.',
  'history.budget': 'Space for the history of a folder. The current versions of its files do not count.',
  'history.days': 'Checkpoints stay restorable for at least this many days; 0 keeps them forever.',
  'backup.repository':
    'A restic repository, such as a folder or sftp:nas:/backups, or rclone:REMOTE:PATH. All histories are stored in it after each run. Without it, nothing is backed up automatically.',
  'backup.password-file':
    'File with the password of the repository. Without it, RESTIC_PASSWORD_FILE in the recorder’s environment counts.',
  'backup.interval':
    'Minutes from one automatic backup to the next, whether runs ended or not. 0 means after each run.',
  'backup.delay':
    'How long after a run an automatic backup starts. Runs that end meanwhile delay it, by 10 minutes at most.',
  'git.worktrees':
    'Worktrees of a recorded repository are recorded from the moment git creates them until they are removed.',
  'git.state':
    'Git’s branches, stashes, index and objects are kept, so that what git lost can be restored. Existing copies stay until they are evicted.',
  'tests.commands':
    'More commands that run tests, one per line, such as ./ci.sh. A line matches each command that begins with its words.',
  brake: 'Whether a run is stopped when it deletes, empties or moves away many files in a short time.',
  'brake.files':
    'How many files stop a run within ten seconds. By default 200. In a folder of more than 2,000 files it is a tenth of them, 1,000 at most; in a folder of fewer than 400 files it is half of them, 50 at least.',
  'recorder.idle':
    'How long the recorder in the background stays when nobody uses it. Where CI is set, one minute, unless this is set.',
  'log.level': 'What the recorder writes to its log.',
  'desktop.background':
    'Driftline can stay in the tray and record changes as they happen. Otherwise changes are found at the next start.',
  'desktop.login': 'Start in the tray when you log in, without a window.',
  'desktop.notifications':
    'Notify when a run ends. Only while the window is in the background. Your system’s quiet hours apply.',
  'review.refuse-undone':
    'An agent’s file tool is refused when it would write again exactly what you undid in its session, and the agent gets the reason.',
  'review.findings-off': 'Kinds of findings that are not looked for in runs, one per line.',
  'review.claude-code': reviewMeaning('claude-code'),
  'review.cline': reviewMeaning('cline'),
  'review.codex': reviewMeaning('codex'),
  'review.gemini-cli': reviewMeaning('gemini-cli'),
  'review.opencode': reviewMeaning('opencode'),
  'review.qwen-code': reviewMeaning('qwen-code'),
  'ui.theme': 'Colours of the window.',
  'ui.density': 'Compact uses a smaller header and smaller file rows.',
  'ui.letter-keys': 'Single-letter keys in the window.',
  'ui.diff-size': 'Font size of the diff in pixels.',
  'ui.diff-files': 'What the diff shows: one file, or all files of a run in one scroll.',
  'ui.start': 'What a new window shows: the list of folders, or the last one.'
}

const SCOPES = { all: '', 'all-or-folder': '; for all folders or one', folder: '; for one folder' } as const

/** What a setting accepts: "50 MB or more; for all folders or one". */
export function boundsText(key: SettingKey): string {
  return ruleText(SETTINGS[key].rule) + SCOPES[SETTINGS[key].scope]
}

function ruleText(rule: SettingRule): string {
  switch (rule.kind) {
    case 'choice':
      return listAll(rule.values, 'or')
    case 'bytes':
      return `${formatBytes(rule.min)} to ${formatBytes(rule.max)}`
    case 'days':
      return `${formatNumber(rule.min)} to ${formatNumber(rule.max)} days`
    case 'files':
      return `${formatNumber(rule.min)} to ${formatNumber(rule.max)} files`
    case 'minutes':
      return `${formatNumber(rule.min)} to ${formatNumber(rule.max)} minutes`
    case 'lines':
      return `at most ${formatNumber(rule.max)} lines`
    case 'text':
      return `one line of at most ${formatNumber(rule.max)} characters`
    case 'names':
      return `one per line of ${listAll(rule.values, 'and')}`
  }
}

/** Why a value was refused. */
export function refusedValueText(key: SettingKey, value: string): string {
  const { rule } = SETTINGS[key]
  const unknown = rule.kind === 'names' ? linesOf(value).find((name) => !isOneOf(rule.values, name)) : undefined
  return `"${unknown ?? value}" is not a value of ${key}: it takes ${ruleText(rule)}. Nothing was changed.`
}

function isOneOf(values: readonly string[], name: string): boolean {
  return values.includes(name)
}
