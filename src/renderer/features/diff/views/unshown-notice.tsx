/** The notices in place of a text: one component per kind of diff without text to compare. */
import type { ReactNode } from 'react'
import type { FileDiff } from '../../../../contract/diff.ts'
import type { FileVersion } from '../../../../contract/log.ts'
import { excludedExplanation, notStoredTitle } from '../../../../contract/words/excluded.ts'
import { formatNumber, plural } from '../../../../contract/words/numbers.ts'
import { formatBytes } from '../../../../contract/words/sizes.ts'
import { Blank } from '../../../ui/blank.tsx'
import type { IconName } from '../../../ui/icon.tsx'
import { type DiffViewKind, exists, type SameView, shapeOf } from '../diff-view-kind.ts'
import { absenceReason, lineCount, permissions, shortHash } from '../file-facts.ts'
import { ImageView } from './image-view.tsx'
import './unshown-notice.css'

type View<V extends FileDiff['view']> = Extract<FileDiff, { view: V }>

interface UnshownNoticeProps {
  readonly diff: FileDiff
  readonly view: DiffViewKind
  /** The change is still to be written. */
  readonly isPreview: boolean
  /** Lines added and deleted, null if not counted. */
  readonly counts: { readonly added: number; readonly deleted: number } | null
  readonly onShowText: () => void
  readonly onShowLarge: (() => void) | undefined
  readonly onOpenInEditor: (() => void) | undefined
}

/** Renders nothing while text is shown. */
export function UnshownNotice(props: UnshownNoticeProps) {
  const { diff, view } = props
  if (view.kind === 'text') return null
  switch (diff.view) {
    case 'image':
      return <ImageView key={diff.path} diff={diff} />
    case 'large':
      return <LargeCard {...props} diff={diff} />
    case 'opaque':
      return <OpaqueCard diff={diff} />
    case 'not-kept':
      return <NotStoredCard diff={diff} />
    case 'link':
      return <LinkCard diff={diff} />
    case 'dir':
      return <DirCard diff={diff} isPreview={props.isPreview} />
    case 'text':
      return view.kind === 'same' ? <SameCard diff={diff} view={view} onShow={props.onShowText} /> : null
  }
}

const SAME_ICONS: Readonly<Record<SameView['icon'], IconName>> = {
  rename: 'aright',
  mode: 'lock',
  eol: 'ws',
  reverted: 'restore'
}

interface SameProps {
  readonly diff: View<'text'>
  readonly view: SameView
  readonly onShow: () => void
}

/** The text is the same: the file was renamed, its permissions or line endings changed, or it was changed back. */
function SameCard({ diff, view, onShow }: SameProps) {
  const show = { label: view.icon === 'eol' ? 'Show' : 'Show text', run: onShow }
  return (
    <Blank className="diff-card" icon={SAME_ICONS[view.icon]} title={view.title} actions={[show]}>
      {view.icon === 'eol' && diff.eolOnly ? <p>{plural(lineCount(diff.afterText), 'line')}.</p> : null}
      {view.detail ? <p>{view.detail}</p> : null}
      <Permissions {...diff} />
    </Blank>
  )
}

/** Characters per line on average, from which not the size is what keeps a text from being shown. */
const LONG_LINE = 1000

function LargeCard({ diff, counts, onShowLarge, onOpenInEditor }: UnshownNoticeProps & { diff: View<'large'> }) {
  const actions = [
    ...(onShowLarge ? [{ label: 'Show anyway', run: onShowLarge }] : []),
    ...(onOpenInEditor ? [{ label: 'Open in editor', run: onOpenInEditor }] : [])
  ]
  const hasLongLines = maxSize(diff) / Math.max(1, diff.lines) > LONG_LINE
  const title = `${formatBytes(maxSize(diff))}, ${plural(diff.lines, 'line')}`
  return (
    <Blank className="diff-card" icon="file" title={title} actions={actions}>
      <p>
        {counts ? (
          <>
            <span className="plus">+{formatNumber(counts.added)}</span>{' '}
            <span className="minus">−{formatNumber(counts.deleted)}</span>
            {'. '}
          </>
        ) : null}
        {hasLongLines ? 'It has very long lines' : 'It is large'} and opens without syntax colours.
      </p>
    </Blank>
  )
}

/** The file type in words. The engine reports "data" for a file without a known signature. */
function typeLabel(type: string): string {
  return type === '' || type === 'data' ? 'Binary file' : type.charAt(0).toUpperCase() + type.slice(1)
}

/** Files above this size are never shown, bytes. */
const MAX_SHOWN_BYTES = 20_000_000

function OpaqueCard({ diff }: { readonly diff: View<'opaque'> }) {
  const tooLarge = maxSize(diff) > MAX_SHOWN_BYTES
  const same = diff.before.hash !== null && diff.before.hash === diff.after.hash
  return (
    <Blank
      className="diff-card"
      icon={tooLarge ? 'box' : 'hex'}
      title={tooLarge ? 'Too large to show' : typeLabel(diff.type)}
    >
      <SideFacts {...diff} />
      <p>
        {same ? 'Same bytes. ' : 'No text to compare. '}
        {exists(diff.before) ? 'Restore works as usual.' : 'It did not exist before.'}
      </p>
    </Blank>
  )
}

function NotStoredCard({ diff }: { readonly diff: View<'not-kept'> }) {
  const lost = diff.before.notStored !== null
  return (
    <Blank className="diff-card" icon="none" title={notStoredTitle(diff.reason)}>
      {maxSize(diff) > 0 ? <SideFacts {...diff} /> : null}
      <p>
        {lost ? 'The earlier version cannot be restored. ' : 'The earlier version is stored and can be restored. '}
        The file on disk is unchanged.
      </p>
      <p>{excludedExplanation(diff.reason)}</p>
    </Blank>
  )
}

const LINK_TITLES = { added: 'New link', deleted: 'Link deleted', changed: 'Link target changed' } as const

function LinkCard({ diff }: { readonly diff: View<'link'> }) {
  const side = (s: FileVersion) =>
    s.kind === 'symlink' ? (s.target ?? '') : exists(s) ? `a ${s.kind}` : absenceReason(s)
  const title = diff.before.target === diff.after.target ? 'Link target unchanged' : LINK_TITLES[shapeOf(diff)]
  return (
    <Blank className="diff-card" icon="link" title={title}>
      <table className="kv-table">
        <tbody>
          <FactRow name="before" mono values={[side(diff.before)]} />
          <FactRow name="after" mono values={[side(diff.after)]} />
        </tbody>
      </table>
      <p>Links are recorded as links and never followed.</p>
    </Blank>
  )
}

function DirCard({ diff, isPreview }: { readonly diff: View<'dir'>; readonly isPreview: boolean }) {
  const { before, after } = diff
  const titles = {
    added: isPreview ? 'The folder will be created' : 'New folder',
    deleted: isPreview ? 'The folder will be deleted' : 'Folder deleted',
    changed:
      before.kind === after.kind
        ? 'Folder permissions changed'
        : `A ${before.kind} became a ${after.kind === 'dir' ? 'folder' : after.kind}`
  }
  const shape = shapeOf(diff)
  return (
    <Blank className="diff-card" icon="folder" title={titles[shape]}>
      {shape === 'changed' ? <Permissions {...diff} /> : null}
      <p>Files inside are listed separately.</p>
    </Blank>
  )
}

type Sides = Pick<FileDiff, 'before' | 'after'>

function maxSize({ before, after }: Sides): number {
  return Math.max(before.size, after.size)
}

/** The permissions of both sides, if they differ. */
function Permissions({ before, after }: Sides) {
  if (before.mode === after.mode) return null
  return (
    <p className="mono diff-modes">
      {permissions(before.mode)} → {permissions(after.mode)}
    </p>
  )
}

/** Sizes and hashes of both sides. */
function SideFacts({ before, after }: Sides) {
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
        <FactRow name="size" values={[size(before), size(after)]} />
        <FactRow name="hash" mono values={[shortHash(before.hash), shortHash(after.hash)]} />
      </tbody>
    </table>
  )
}

interface FactRowProps {
  readonly name: string
  readonly values: readonly ReactNode[]
  readonly mono?: boolean
}

function FactRow({ name, values, mono = false }: FactRowProps) {
  return (
    <tr>
      <th scope="row">{name}</th>
      {values.map((value, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the columns are fixed.
        <td key={index} className={mono ? 'mono kv-value' : undefined}>
          {value}
        </td>
      ))}
    </tr>
  )
}
