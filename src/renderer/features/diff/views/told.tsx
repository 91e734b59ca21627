/** One component per kind of file that has no text to compare; each with its sentence (UI.md C.6). */
import type { FileDiff } from '../../../../contract/diff.ts'
import { Button } from '../../../ui/button.tsx'
import type { IconName } from '../../../ui/icon.tsx'
import { count } from '../../files/file-words.ts'
import { type Face, isThere } from '../face.ts'
import { bytes, lineCount, permissions } from '../measures.ts'
import { NOT_KEPT_WORDS } from '../not-kept.ts'
import { absence, Card, SideFacts } from './card.tsx'

type View<V extends FileDiff['view']> = Extract<FileDiff, { view: V }>

const SAME_ICONS: Readonly<Record<'rename' | 'mode' | 'eol' | 'back', IconName>> = {
  rename: 'aright',
  mode: 'lock',
  eol: 'ws',
  back: 'restore'
}

interface SameProps {
  readonly diff: View<'text'>
  readonly face: Extract<Face, { kind: 'same' }>
  readonly onShow: () => void
}

/** Nothing a reader would see in the text: renamed, permissions, line endings, or changed and changed back. */
export function SameCard({ diff, face, onShow }: SameProps) {
  const modes = diff.before.mode !== diff.after.mode
  return (
    <Card
      icon={SAME_ICONS[face.icon]}
      title={face.title}
      actions={
        <Button size="sm" onClick={onShow}>
          {face.icon === 'eol' ? 'Show' : 'Show text'}
        </Button>
      }
    >
      {face.icon === 'eol' && diff.eolOnly ? <p>{count(lineCount(diff.afterText), 'line')}.</p> : null}
      {face.detail ? <p>{face.detail}</p> : null}
      {modes ? (
        <p className="mono">
          {permissions(diff.before.mode)} → {permissions(diff.after.mode)}
        </p>
      ) : null}
    </Card>
  )
}

interface LargeProps {
  readonly diff: View<'large'>
  /** Lines added and deleted where known. */
  readonly counts: { readonly added: number; readonly deleted: number } | null
  readonly onShow: () => void
  readonly onOpenInEditor: (() => void) | undefined
}

export function LargeCard({ diff, counts, onShow, onOpenInEditor }: LargeProps) {
  const size = Math.max(diff.before.size, diff.after.size)
  return (
    <Card
      icon="file"
      title={`${bytes(size)}, ${count(diff.lines, 'line')}`}
      actions={
        <>
          <Button size="sm" onClick={onShow}>
            Show anyway
          </Button>
          {onOpenInEditor ? (
            <Button size="sm" onClick={onOpenInEditor}>
              Open in editor
            </Button>
          ) : null}
        </>
      }
    >
      <p>
        {counts ? (
          <>
            <span className="plus">+{counts.added.toLocaleString('en-US')}</span>{' '}
            <span className="minus">−{counts.deleted.toLocaleString('en-US')}</span>
            {'. '}
          </>
        ) : null}
        Showing it plain is quick, colouring it is not.
      </p>
    </Card>
  )
}

/** What the engine calls "data" has no known signature. */
function typeWords(type: string): string {
  return type === '' || type === 'data' ? 'Binary file' : type.charAt(0).toUpperCase() + type.slice(1)
}

/** Above this size nothing is ever drawn (UI.md C.6). */
const TOO_LARGE = 20_000_000

export function OpaqueCard({ diff }: { readonly diff: View<'opaque'> }) {
  const tooLarge = Math.max(diff.before.size, diff.after.size) > TOO_LARGE
  const same = diff.before.hash !== null && diff.before.hash === diff.after.hash
  return (
    <Card icon={tooLarge ? 'box' : 'hex'} title={tooLarge ? 'Too large to show' : typeWords(diff.type)}>
      <SideFacts before={diff.before} after={diff.after} />
      <p>
        {same ? 'The bytes are the same. ' : 'No text to compare. '}
        {isThere(diff.before) ? 'Restore works as usual.' : 'It did not exist before.'}
      </p>
    </Card>
  )
}

export function NotKeptCard({ diff }: { readonly diff: View<'not-kept'> }) {
  const words = NOT_KEPT_WORDS[diff.reason]
  const size = Math.max(diff.before.size, diff.after.size)
  const lost = diff.before.notStored !== null
  return (
    <Card icon="none" title={words.title}>
      {size > 0 ? <SideFacts before={diff.before} after={diff.after} /> : null}
      <p>
        {lost ? 'The earlier version cannot be restored. ' : 'The earlier version is kept and can be restored. '}
        The file on disk is untouched.
      </p>
      <p>{words.remedy}</p>
    </Card>
  )
}

export function LinkCard({ diff }: { readonly diff: View<'link'> }) {
  const title = !isThere(diff.before)
    ? 'A new link'
    : !isThere(diff.after)
      ? 'The link was deleted'
      : 'The link points elsewhere'
  const side = (s: typeof diff.before) =>
    s.kind === 'symlink' ? (s.target ?? '') : isThere(s) ? `a ${s.kind}` : absence(s)
  return (
    <Card icon="link" title={diff.before.target === diff.after.target ? 'The link is unchanged' : title}>
      <table className="kv-table">
        <tbody>
          <tr>
            <th scope="row">before</th>
            <td className="mono">{side(diff.before)}</td>
          </tr>
          <tr>
            <th scope="row">after</th>
            <td className="mono">{side(diff.after)}</td>
          </tr>
        </tbody>
      </table>
      <p>Links are recorded as links and never followed.</p>
    </Card>
  )
}

export function DirCard({ diff }: { readonly diff: View<'dir'> }) {
  const title = !isThere(diff.before)
    ? 'A new folder'
    : !isThere(diff.after)
      ? 'The folder was deleted'
      : diff.before.kind === diff.after.kind
        ? 'The folder’s permissions changed'
        : `A ${diff.before.kind} became a ${diff.after.kind === 'dir' ? 'folder' : diff.after.kind}`
  return (
    <Card icon="folder" title={title}>
      {isThere(diff.before) && isThere(diff.after) && diff.before.mode !== diff.after.mode ? (
        <p className="mono">
          {permissions(diff.before.mode)} → {permissions(diff.after.mode)}
        </p>
      ) : null}
      <p>Folders hold no content of their own. Files inside are listed by themselves.</p>
    </Card>
  )
}
