/** Single requests to the engine. Each is reported by a toast; none changes a file. */

import type { RunTexts } from '../../contract/timeline.ts'
import { resumeNoteText } from '../../contract/words/conversation.ts'
import { plural } from '../../contract/words/numbers.ts'
import { baseName } from '../../contract/words/paths.ts'
import { runReport } from '../../contract/words/run-report.ts'
import { diffWarningText } from '../../contract/words/run-warnings.ts'
import { copyText } from '../ui/clipboard.ts'
import { announce } from '../ui/live-region.tsx'
import type { ActionDeps } from './action-deps.ts'

export function createRequests({ id: workspace, store, client, queries, toasts, statusKey, reportError }: ActionDeps) {
  const get = store.getState
  return {
    /** Copies a text and says so; a refusal is reported. */
    copy: (text: string) => {
      copyText(text).then(() => announce('Copied.'), reportError)
    },
    /** Accepts outside changes: all, or those of some paths. */
    accept: (drift: string, paths?: readonly string[]) => {
      client.call('drift.accept', { workspace, drift, ...(paths === undefined ? {} : { paths }) }).then((accepted) => {
        const [only] = paths?.length === 1 ? paths : []
        const what = only ? baseName(only) : plural(paths?.length ?? accepted.drift.count, 'outside change')
        toasts.show({ id: 'drift', icon: 'check', text: `Accepted ${what}. Earlier versions are saved.` })
      }, reportError)
    },
    /** Starts or pauses watching, for all workspaces. */
    setWatching: (on: boolean) => {
      client.call('host.watch', { on }).catch(reportError)
    },
    /** Compares the disk with the log. */
    check: () => {
      client.call('workspace.status', { workspace, check: true }).then(({ drift, folder }) => {
        queries.repeat(statusKey)
        if (folder === 'missing') return
        const open = drift.filter(({ state }) => state === 'open').reduce((sum, { count }) => sum + count, 0)
        toasts.show({
          id: 'check',
          icon: open > 0 ? 'drift' : 'check',
          text: open > 0 ? `${plural(open, 'file')} changed outside of runs.` : 'No outside changes found.'
        })
      }, reportError)
    },
    /** Copies the patch of the comparison, and says what is not in it. */
    copyPatch: () => {
      const { query } = get()
      if (!query) return
      client
        .call('diff.patch', { workspace, ...query })
        .then(async ({ patch, warnings }) => {
          await copyText(patch)
          const text = diffWarningText(warnings)
          toasts.show({ id: 'patch', icon: text ? 'warn' : 'check', text: text || 'Copied the changes as a patch.' })
        })
        .catch(reportError)
    },
    /** Comments on a run, or a file of it, and opens the review that has the comment. */
    commentOnRun: ({
      run,
      path,
      text
    }: {
      readonly run: string
      readonly path: string | null
      readonly text: string
    }) => {
      client
        .call('comments.add', { workspace, target: run, text, ...(path === null ? {} : { path }) })
        .then(({ comment }) => store.setState({ review: comment.session ?? 'newest' }), reportError)
    },
    /** Copies the report of a run as Markdown: its facts and its files, without their text. */
    copyReport: (run: string) => {
      client
        .call('export.run', { workspace, run })
        .then(async (exported) => {
          await copyText(runReport(exported.run))
          toasts.show({ id: 'copy', icon: 'check', text: 'Copied the list of changed files as Markdown.' })
        })
        .catch(reportError)
    },
    /** Copies the command that resumes a session. */
    copyResume: (session: string) => {
      client
        .call('sessions.resume', { workspace, session, fork: false })
        .then(async ({ command, note }) => {
          await copyText(command)
          toasts.show({
            id: 'copy',
            icon: 'check',
            text: `Copied. Run it in a terminal to resume. ${resumeNoteText(note)}`.trim()
          })
        })
        .catch(reportError)
    },
    /** Names a run and sets its note; the toast offers to undo it. */
    describe: async (run: string, texts: RunTexts) => {
      const { former, ...now } = await client.call('run.describe', { workspace, run, ...texts })
      if (former.label === now.label && former.userNote === now.userNote) return
      const { label, userNote } = former
      const undo = () => void client.call('run.describe', { workspace, run, label, userNote }).catch(reportError)
      toasts.show({
        id: 'describe',
        icon: 'pencil',
        text: describedText(former, now),
        action: { label: 'Undo', run: undo }
      })
    },
    /** Pins the present, or an earlier position. */
    pin: (label: string, target?: string) => {
      client
        .call('checkpoint.create', { workspace, label, ...(target === undefined ? {} : { target }) })
        .then(
          () => toasts.show({ id: 'pin', icon: 'pin', text: label ? `Pinned “${label}”` : 'Pinned a checkpoint' }),
          reportError
        )
    }
  }
}

/** What changed of a run's name and note; the name, if both did. */
function describedText(former: RunTexts, now: RunTexts): string {
  if (now.label !== former.label) return now.label ? `Named “${now.label}”.` : 'Removed the name.'
  return now.userNote ? 'Saved the note.' : 'Removed the note.'
}
