/** The result of a failed or partial restore, file by file: failures first, with the reason. */
import type { ItemOutcome, RestoreResult } from '../../../contract/restore.ts'
import { resumeFailureText, resumeNoteText } from '../../../contract/words/conversation.ts'
import { plural } from '../../../contract/words/numbers.ts'
import { splitPath } from '../../../contract/words/paths.ts'
import { noteText, outcomeReason } from '../../../contract/words/plan.ts'
import { capitalized } from '../../../contract/words/text.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { MiddleCut } from '../../ui/middle-cut.tsx'
import { VirtualList } from '../../ui/virtual-list.tsx'
import { GitOutcomes } from './git-choice.tsx'
import './restore-list.css'

/** With a second line, and without. */
const ROW_PX = { two: 42, one: 28 } as const
const RESULT_LABELS = { failed: 'not restored', skipped: 'skipped', kept: 'unchanged', done: 'restored' } as const

export function RestoreOutcome({ result }: { readonly result: RestoreResult }) {
  const order = ['failed', 'skipped', 'done', 'kept'] as const
  const items = [...result.items].sort((a, b) => order.indexOf(a.result) - order.indexOf(b.result))
  const failed = items.filter((item) => item.result === 'failed').length
  return (
    <div className="restore-outcome">
      <div className="restore-section">
        <b>{failed > 0 ? `${plural(failed, 'file')} not restored` : 'Result for each file'}</b>
      </div>
      <GitOutcomes items={result.git} />
      <VirtualList
        label="Result for each file"
        className="restore-list"
        items={items}
        keyOf={(item) => item.path}
        heightOf={(item) => (whyText(item) === '' ? ROW_PX.one : ROW_PX.two)}
        renderRow={(item) => {
          const { folder, name } = splitPath(item.path)
          const bad = item.result === 'failed'
          const why = whyText(item)
          return (
            <li className={why === '' ? 'fr plan-row' : 'fr plan-row two'}>
              <span className="name plan-name">
                <span className="plan-path">
                  <span className="muted name-folder">
                    <MiddleCut text={folder} />
                  </span>
                  <MiddleCut text={name} />
                </span>
                {why === '' ? null : <span className={bad ? 'cap c-danger ell' : 'cap muted ell'}>{why}</span>}
              </span>
              <span className="fr-note">{RESULT_LABELS[item.result]}</span>
            </li>
          )
        }}
      />
    </div>
  )
}

/** Why it has this result, or a remark on it; "" if the result says all. */
function whyText(item: ItemOutcome): string {
  return capitalized(outcomeReason(item) || noteText(item.note))
}

/**
 * After a restore with its conversation: the command that resumes the session there, and the prompt that was undone.
 */
export function ResumePanel({ conversation }: { readonly conversation: NonNullable<RestoreResult['conversation']> }) {
  const { resume } = conversation
  const note = resume ? resumeNoteText(resume.note) : resumeFailureText(conversation.failure)
  const prompt = resume?.prompt || conversation.prompt
  return (
    <div className="next-steps">
      {resume?.command ? (
        <section aria-label="Resume command">
          <div className="row">
            <b className="grow">Continue from here</b>
            <CopyButton kind="primary" label="Copy command" text={resume.command} />
          </div>
          <pre>{resume.command}</pre>
          <p className="small muted">
            Run it in <span className="mono">{resume.cwd}</span>.{note ? ` ${note}` : ''}
          </p>
        </section>
      ) : null}
      {prompt ? (
        <section aria-label="Undone prompt">
          <div className="row">
            <b className="grow">Prompt that was undone</b>
            <CopyButton label="Copy prompt" text={prompt} />
          </div>
          <pre className="prompt">{prompt}</pre>
        </section>
      ) : null}
      {note && !resume?.command ? (
        <p className="row next-note">
          <Icon name="info" />
          <span>{note}</span>
        </p>
      ) : null}
    </div>
  )
}
