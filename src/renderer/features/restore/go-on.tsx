/** After a restore with its conversation: the command that goes on from there, and the prompt that was taken back. */
import type { RestoreResult } from '../../../contract/restore.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Icon } from '../../ui/icon.tsx'

export function GoOn({ conversation }: { readonly conversation: NonNullable<RestoreResult['conversation']> }) {
  const { resume, note } = conversation
  const prompt = resume?.prompt || conversation.prompt
  return (
    <div className="go-on">
      {resume?.command ? (
        <section aria-label="Command to continue">
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
        <section aria-label="The prompt">
          <div className="row">
            <b className="grow">The prompt that was taken back</b>
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
