/** The lines above a diff that say what a reader should know first; most serious on top. */
import type { ReactNode } from 'react'
import { type Encodings, encodingWords, type FileDiff, type TextEncoding } from '../../../contract/diff.ts'
import { Button } from '../../ui/button.tsx'
import { Icon, type IconName } from '../../ui/icon.tsx'
import { count } from '../files/file-words.ts'
import { type Face, isThere } from './face.ts'
import { countHidden } from './hidden-characters.ts'
import { lineCount } from './measures.ts'

interface NoticeProps {
  readonly icon: IconName
  readonly tone?: 'warn'
  readonly action?: { readonly label: string; readonly run: () => void }
  readonly children: ReactNode
}

export function Notice({ icon, tone, action, children }: NoticeProps) {
  return (
    <div className={tone ? `notice ${tone}` : 'notice'}>
      <Icon name={icon} />
      <span>{children}</span>
      <span className="grow" />
      {action ? (
        <Button kind="plain" size="sm" onClick={action.run}>
          {action.label}
        </Button>
      ) : null}
    </div>
  )
}

interface DiffNoticesProps {
  readonly diff: FileDiff
  readonly face: Face
  readonly revealed: boolean
  readonly stopped: boolean
  /** Two columns although one was chosen. */
  readonly crowded: boolean
  /** What is compared has not happened yet. */
  readonly ahead: boolean
  /** That a file is new is told elsewhere. */
  readonly told: boolean
  readonly computing: boolean
  readonly onReveal: () => void
  readonly onComputeFully: () => void
}

export function DiffNotices(props: DiffNoticesProps) {
  const { diff, face, revealed, stopped, crowded, ahead, told } = props
  if (face.kind !== 'text') return null
  const text = diff.view === 'text' ? diff : null
  const hidden = text?.hidden ? countHidden(text.beforeText) + countHidden(text.afterText) : 0
  return (
    <>
      {text?.hidden ? (
        <Notice icon="warn" tone="warn">
          {hidden > 0 ? count(hidden, 'hidden character') : 'Hidden characters'} {hidden === 1 ? 'changes' : 'change'}{' '}
          how this reads. {hidden === 1 ? 'It is' : 'They are'} drawn below.
        </Notice>
      ) : null}
      {diff.secret ? (
        <Notice icon="lock" action={{ label: revealed ? 'Hide' : 'Show', run: props.onReveal }}>
          {revealed
            ? 'Looks like secrets. Values are shown on this screen only.'
            : 'Looks like secrets. Values are masked here and left out of exports.'}
        </Notice>
      ) : null}
      {text && (text.encodings.before !== 'utf8' || text.encodings.after !== 'utf8') ? (
        <Notice icon="info">{encodingSentence(text.encodings)}</Notice>
      ) : null}
      {face.shape === 'gone' ? (
        <Notice icon="trash">
          {ahead
            ? 'To be deleted. It has'
            : `${diff.after.kind === 'unknown' ? 'The new version was not covered.' : 'Deleted.'} It had`}{' '}
          {count(lineCount(text?.beforeText ?? ''), 'line')}.
        </Notice>
      ) : null}
      {face.shape === 'born' ? (
        diff.before.kind === 'unknown' ? (
          <Notice icon="info">The earlier version was not covered, so all of it is shown as new.</Notice>
        ) : told ? null : (
          <Notice icon="fileplus">
            {ahead ? 'To be created. It does not exist now.' : 'New file. It did not exist before.'}
          </Notice>
        )
      ) : null}
      {text?.eolOnly && face.shape === 'changed' ? (
        <Notice icon="ws">Only line endings changed ({text.eolOnly}).</Notice>
      ) : null}
      {isThere(diff.before) && isThere(diff.after) && diff.before.mode !== diff.after.mode && text ? (
        <Notice icon="lock">Its permissions changed too.</Notice>
      ) : null}
      {crowded ? (
        <Notice icon="info">In two columns: so many deleted lines have no room between the others.</Notice>
      ) : null}
      {stopped ? (
        <Notice
          icon="clock"
          action={{ label: props.computing ? 'Computing…' : 'Compute fully', run: props.onComputeFully }}
        >
          Comparison stopped after 1 s. Large blocks may look changed that are not.
        </Notice>
      ) : null}
    </>
  )
}

function encodingSentence(encodings: Encodings): string {
  const words = encodingWords(encodings)
  return encodings.before === encodings.after
    ? `Shown as ${words}. Bytes are kept exactly.`
    : `The encoding changed: ${words}. Bytes are kept exactly${isWide(encodings.before) || isWide(encodings.after) ? '; it can be taken back as a whole' : ''}.`
}

/** Its lines cannot lie in a file with lines of another encoding. */
function isWide(encoding: TextEncoding): boolean {
  return encoding === 'utf-16le' || encoding === 'utf-16be'
}
