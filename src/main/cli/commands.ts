/** The table of commands, in the order of `--help`. */
import type { Command } from './command.ts'
import { at } from './commands/at.ts'
import { backup, restoreHistory } from './commands/backup.ts'
import { bisect } from './commands/bisect.ts'
import { brake } from './commands/brake.ts'
import { bridge } from './commands/bridge.ts'
import { apply } from './commands/bundles.ts'
import { agents, connect, disconnect } from './commands/connect.ts'
import { events } from './commands/events.ts'
import { exportRun } from './commands/export.ts'
import { blame, cat, diff, history, search } from './commands/files.ts'
import { add, folders, locate, remove } from './commands/folders.ts'
import { git } from './commands/git.ts'
import { hosts } from './commands/hosts.ts'
import { label, note } from './commands/label.ts'
import { checkpoint, checkpoints, log, show } from './commands/log.ts'
import { mount } from './commands/mount.ts'
import { hook, mcp, open, serve } from './commands/open.ts'
import { recorder } from './commands/recorder.ts'
import { queued, recover, redo, restore, undo, undoRun } from './commands/restore.ts'
import { commentOn, findings, reviewCommand } from './commands/review.ts'
import { run } from './commands/run.ts'
import { messages, resume, sessions } from './commands/sessions.ts'
import { settings } from './commands/settings.ts'
import { drift, status } from './commands/status.ts'
import { doctor, gc } from './commands/storage.ts'
import { worktrees } from './commands/worktrees.ts'
import { helpCommand } from './help.ts'

export const COMMANDS: readonly Command[] = [
  add,
  status,
  folders,
  run,
  log,
  show,
  label,
  note,
  diff,
  restore,
  undoRun,
  apply,
  undo,
  redo,
  queued,
  recover,
  brake,
  git,
  worktrees,
  checkpoint,
  checkpoints,
  drift,
  events,
  cat,
  at,
  mount,
  bisect,
  history,
  blame,
  search,
  findings,
  commentOn,
  reviewCommand,
  exportRun,
  sessions,
  messages,
  resume,
  connect,
  disconnect,
  agents,
  hook,
  mcp,
  doctor,
  gc,
  backup,
  restoreHistory,
  settings,
  open,
  serve,
  recorder,
  hosts,
  bridge,
  locate,
  remove,
  helpCommand(() => COMMANDS)
]
