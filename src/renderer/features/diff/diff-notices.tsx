/** The notices above the text of a diff, most serious first. */
import type { ReactNode } from 'react'
import { type Encodings, encodingName, type FileDiff, type TextEncoding } from '../../../contract/diff.ts'
import { plural } from '../../../contract/words/numbers.ts'
import { Button } from '../../ui/button.tsx'
import { Icon, type IconName } from '../../ui/icon.tsx'
import { type DiffViewKind, exists } from './diff-view-kind.ts'
import { countHiddenShown, lineCount } from './file-facts.ts'
import type { WhitespaceMode } from './text-doc.ts'

interface NoticeProps {
  readonly icon: IconName
  readonly tone?: 'warn'
  readonly action?: { readonly label: string; readonly run: () => void }
  readonly children: ReactNode
}

export function Notice({ icon, tone, action, children }: NoticeProps) {
  return (
    <div className="notice" data-tone={tone}>
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
  readonly view: DiffViewKind
  readonly revealed: boolean
  readonly stopped: boolean
  /** Shown side by side although the inline view was chosen. */
  readonly tooLongForInline: boolean
  /** The diff previews a restore: its changes have not been made yet. */
  readonly isPreview: boolean
  /** Another bar already says that the file is new. */
  readonly newFileNoticeShown: boolean
  readonly computing: boolean
  readonly whitespace: WhitespaceMode
  /** Number of hunks that change only whitespace that is ignored. */
  readonly hiddenChanges: number
  readonly onReveal: () => void
  readonly onComputeFully: () => void
}

export function DiffNotices(props: DiffNoticesProps) {
  const { diff, view, revealed, stopped, tooLongForInline, isPreview, newFileNoticeShown } = props
  if (view.kind !== 'text') return null
  const text = diff.view === 'text' ? diff : null
  const hidden = text?.hidden ? countHiddenShown(text.beforeText, text.afterText) : 0
  return (
    <>
      {text?.hidden ? (
        <Notice icon="warn" tone="warn">
          {hidden > 0 ? plural(hidden, 'hidden character') : 'Hidden characters'} can make this code look different from
          what runs. Shown as boxes below.
        </Notice>
      ) : null}
      {diff.secret ? (
        <Notice icon="lock" action={{ label: revealed ? 'Hide' : 'Show', run: props.onReveal }}>
          {revealed
            ? 'Looks like secrets. Values are shown only here.'
            : 'Looks like secrets. Values are masked here and left out of exports.'}
        </Notice>
      ) : null}
      {text && (text.encodings.before !== 'utf8' || text.encodings.after !== 'utf8') ? (
        <Notice icon="info">{encodingSentence(text.encodings)}</Notice>
      ) : null}
      {view.shape === 'deleted' ? (
        <Notice icon="trash">
          {isPreview
            ? 'Will be deleted. It has'
            : `${diff.after.kind === 'unknown' ? 'The new version is not covered.' : 'Deleted.'} It had`}{' '}
          {plural(lineCount(text?.beforeText ?? ''), 'line')}.
        </Notice>
      ) : null}
      {view.shape === 'added' ? (
        diff.before.kind === 'unknown' ? (
          <Notice icon="info">The earlier version is not covered, so the whole file is shown as new.</Notice>
        ) : newFileNoticeShown ? null : (
          <Notice icon="fileplus">
            {isPreview ? 'Will be created. It does not exist now.' : 'New file. It did not exist before.'}
          </Notice>
        )
      ) : null}
      {text?.eolOnly && view.shape === 'changed' ? (
        <Notice icon="ws">Only line endings changed ({text.eolOnly}).</Notice>
      ) : null}
      {exists(diff.before) && exists(diff.after) && diff.before.mode !== diff.after.mode && text ? (
        <Notice icon="lock">The permissions changed, too.</Notice>
      ) : null}
      {props.whitespace !== 'show' && view.shape === 'changed' ? (
        <Notice icon="ws">{whitespaceSentence(props.whitespace, props.hiddenChanges)}</Notice>
      ) : null}
      {tooLongForInline ? (
        <Notice icon="info">Shown side by side: too many deleted lines for the inline view.</Notice>
      ) : null}
      {stopped ? (
        <Notice
          icon="clock"
          action={{ label: props.computing ? 'Computing…' : 'Compute fully', run: props.onComputeFully }}
        >
          Comparison stopped at its time limit. Some unchanged lines may be shown as changed.
        </Notice>
      ) : null}
    </>
  )
}

function whitespaceSentence(mode: Exclude<WhitespaceMode, 'show'>, hidden: number): string {
  const ignored =
    mode === 'ignore-all' ? 'Whitespace is ignored.' : 'Whitespace at the start and end of lines is ignored.'
  if (hidden === 0) return ignored
  const rest = hidden === 1 ? 'is whitespace only: it is' : 'are whitespace only: they are'
  return `${ignored} ${plural(hidden, 'change')} ${rest} counted, but not shown.`
}

function encodingSentence(encodings: Encodings): string {
  const names = encodingName(encodings)
  return encodings.before === encodings.after
    ? `Shown as ${names}. The stored bytes are unchanged.`
    : `The encoding changed: ${names}. The stored bytes are unchanged${isWide(encodings.before) || isWide(encodings.after) ? '; undo applies to the whole file' : ''}.`
}

/** Lines of UTF-16 cannot be mixed with lines of another encoding in one file. */
function isWide(encoding: TextEncoding): boolean {
  return encoding === 'utf-16le' || encoding === 'utf-16be'
}
