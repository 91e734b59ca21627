/**
 * After a restore with its conversation: the command that resumes the session there, and the prompt that was undone.
 */
import type { RestoreResult } from '../../../contract/restore.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Icon } from '../../ui/icon.tsx'

export function ResumePanel({ conversation }: { readonly conversation: NonNullable<RestoreResult['conversation']> }) {
  const { resume, note } = conversation
  const prompt = resume?.prompt || conversation.prompt
  return (
    <div className="go-on">
      {resume?.command ? (
        <section aria-label="Resume command">
          <div className="row">
            <b className="grow">Continue from here</b>
            <CopyButton kind="primary" label="Copy command" text={resume.command} />
          </div>
          <pre>{resume.command}</pre>
          <p className="small muted">
            Run it in <span className="mono">{resume.cwd}</span>.{resume.note ? ` ${resume.note}` : ''}
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
      {note ? (
        <p className="row note-line">
          <Icon name="info" />
          <span>{note}</span>
        </p>
      ) : null}
    </div>
  )
}
