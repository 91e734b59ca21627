/** The notices in place of a text: one component per kind of diff without text to compare. */

import type { ReactNode } from 'react'
import type { FileDiff } from '../../../../contract/diff.ts'
import type { FileVersion } from '../../../../contract/log.ts'
import { excludedExplanation, notStoredTitle } from '../../../../contract/words/excluded.ts'
import { plural } from '../../../../contract/words/numbers.ts'
import { formatBytes } from '../../../../contract/words/sizes.ts'
import { Button } from '../../../ui/button.tsx'
import { Icon, type IconName } from '../../../ui/icon.tsx'
import { type DiffViewKind, exists } from '../diff-view-kind.ts'
import { lineCount, permissions, shortHash } from '../file-facts.ts'

type View<V extends FileDiff['view']> = Extract<FileDiff, { view: V }>

const SAME_ICONS: Readonly<Record<'rename' | 'mode' | 'eol' | 'reverted', IconName>> = {
  rename: 'aright',
  mode: 'lock',
  eol: 'ws',
  reverted: 'restore'
}

interface SameProps {
  readonly diff: View<'text'>
  readonly view: Extract<DiffViewKind, { kind: 'same' }>
  readonly onShow: () => void
}

/** The text is the same: the file was renamed, its permissions or line endings changed, or it was changed back. */
export function SameCard({ diff, view, onShow }: SameProps) {
  const modes = diff.before.mode !== diff.after.mode
  return (
    <Card
      icon={SAME_ICONS[view.icon]}
      title={view.title}
      actions={
        <Button size="sm" onClick={onShow}>
          {view.icon === 'eol' ? 'Show' : 'Show text'}
        </Button>
      }
    >
      {view.icon === 'eol' && diff.eolOnly ? <p>{plural(lineCount(diff.afterText), 'line')}.</p> : null}
      {view.detail ? <p>{view.detail}</p> : null}
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
  /** Lines added and deleted, null if not counted. */
  readonly counts: { readonly added: number; readonly deleted: number } | null
  readonly onShow: () => void
  readonly onOpenInEditor: (() => void) | undefined
}

export function LargeCard({ diff, counts, onShow, onOpenInEditor }: LargeProps) {
  const size = Math.max(diff.before.size, diff.after.size)
  return (
    <Card
      icon="file"
      title={`${formatBytes(size)}, ${plural(diff.lines, 'line')}`}
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
        Not shown because of its size. It opens without syntax colours.
      </p>
    </Card>
  )
}

/** The file type in words. The engine reports "data" for a file without a known signature. */
function typeLabel(type: string): string {
  return type === '' || type === 'data' ? 'Binary file' : type.charAt(0).toUpperCase() + type.slice(1)
}

/** Files above this size are never shown, bytes. */
const MAX_SHOWN_BYTES = 20_000_000

export function OpaqueCard({ diff }: { readonly diff: View<'opaque'> }) {
  const tooLarge = Math.max(diff.before.size, diff.after.size) > MAX_SHOWN_BYTES
  const same = diff.before.hash !== null && diff.before.hash === diff.after.hash
  return (
    <Card icon={tooLarge ? 'box' : 'hex'} title={tooLarge ? 'Too large to show' : typeLabel(diff.type)}>
      <SideFacts before={diff.before} after={diff.after} />
      <p>
        {same ? 'Same bytes. ' : 'No text to compare. '}
        {exists(diff.before) ? 'Restore works as usual.' : 'It did not exist before.'}
      </p>
    </Card>
  )
}

export function NotStoredCard({ diff }: { readonly diff: View<'not-kept'> }) {
  const size = Math.max(diff.before.size, diff.after.size)
  const lost = diff.before.notStored !== null
  return (
    <Card icon="none" title={notStoredTitle(diff.reason)}>
      {size > 0 ? <SideFacts before={diff.before} after={diff.after} /> : null}
      <p>
        {lost ? 'The earlier version cannot be restored. ' : 'The earlier version is stored and can be restored. '}
        The file on disk is unchanged.
      </p>
      <p>{excludedExplanation(diff.reason)}</p>
    </Card>
  )
}

export function LinkCard({ diff }: { readonly diff: View<'link'> }) {
  const title = !exists(diff.before) ? 'New link' : !exists(diff.after) ? 'Link deleted' : 'Link target changed'
  const side = (s: typeof diff.before) =>
    s.kind === 'symlink' ? (s.target ?? '') : exists(s) ? `a ${s.kind}` : absenceReason(s)
  return (
    <Card icon="link" title={diff.before.target === diff.after.target ? 'Link target unchanged' : title}>
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
  const title = !exists(diff.before)
    ? 'New folder'
    : !exists(diff.after)
      ? 'Folder deleted'
      : diff.before.kind === diff.after.kind
        ? 'Folder permissions changed'
        : `A ${diff.before.kind} became a ${diff.after.kind === 'dir' ? 'folder' : diff.after.kind}`
  return (
    <Card icon="folder" title={title}>
      {exists(diff.before) && exists(diff.after) && diff.before.mode !== diff.after.mode ? (
        <p className="mono">
          {permissions(diff.before.mode)} → {permissions(diff.after.mode)}
        </p>
      ) : null}
      <p>Files inside are listed separately.</p>
    </Card>
  )
}

/** A notice in place of a text: an icon, a title, facts and actions. */
interface CardProps {
  readonly icon: IconName
  readonly title: string
  readonly children?: ReactNode
  readonly actions?: ReactNode
}

function Card({ icon, title, children, actions }: CardProps) {
  return (
    <div className="blank diff-card">
      <Icon name={icon} size="big" />
      <h3>{title}</h3>
      {children}
      {actions ? <div className="row">{actions}</div> : null}
    </div>
  )
}

/** Sizes and hashes of both sides. */
function SideFacts({ before, after }: { readonly before: FileVersion; readonly after: FileVersion }) {
  const size = (side: FileVersion) => (exists(side) ? formatBytes(side.size) : absenceReason(side))
  return (
    <table className="kv-table">
      <thead>
        <tr>
          <td />
          <th scope="col">before</th>
          <th scope="col">after</th>
        </tr>
      </thead>
      <tbody>
        <tr>
          <th scope="row">size</th>
          <td>{size(before)}</td>
          <td>{size(after)}</td>
        </tr>
        <tr>
          <th scope="row">hash</th>
          <td className="mono">{shortHash(before.hash)}</td>
          <td className="mono">{shortHash(after.hash)}</td>
        </tr>
      </tbody>
    </table>
  )
}

/** Why a side has no content. */
export function absenceReason(side: FileVersion): string {
  return side.kind === 'unknown' ? 'was not covered' : 'did not exist'
}
