/** The table of commands, in the order of `--help`. */
import type { Command } from './command.ts'
import { add } from './commands/add.ts'
import { blame } from './commands/blame.ts'
import { cat } from './commands/cat.ts'
import { checkpoint, checkpoints } from './commands/checkpoint.ts'
import { agents, connect, disconnect } from './commands/connect.ts'
import { diff } from './commands/diff.ts'
import { doctor } from './commands/doctor.ts'
import { drift } from './commands/drift.ts'
import { exportRun } from './commands/export.ts'
import { folders } from './commands/folders.ts'
import { gc } from './commands/gc.ts'
import { helpCommand } from './commands/help.ts'
import { history } from './commands/history.ts'
import { hook } from './commands/hook.ts'
import { locate } from './commands/locate.ts'
import { log } from './commands/log.ts'
import { mcp } from './commands/mcp.ts'
import { open } from './commands/open.ts'
import { recover } from './commands/recover.ts'
import { remove } from './commands/remove.ts'
import { restore } from './commands/restore.ts'
import { resume } from './commands/resume.ts'
import { run } from './commands/run.ts'
import { search } from './commands/search.ts'
import { serve } from './commands/serve.ts'
import { messages, sessions } from './commands/sessions.ts'
import { show } from './commands/show.ts'
import { status } from './commands/status.ts'
import { redo, undo } from './commands/undo.ts'
import { undoRun } from './commands/undo-run.ts'

export const COMMANDS: readonly Command[] = [
  add,
  status,
  folders,
  run,
  log,
  show,
  diff,
  restore,
  undoRun,
  undo,
  redo,
  recover,
  checkpoint,
  checkpoints,
  drift,
  cat,
  history,
  blame,
  search,
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
  open,
  serve,
  locate,
  remove,
  helpCommand(() => COMMANDS)
]
