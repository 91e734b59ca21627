/** What Driftline is for in three pictures: an agent's run, its review, and its undo. For people without a history. */
import type { ReactNode } from 'react'

export function StoryPicture() {
  return (
    <section aria-label="How it works">
      <ol className="pictures">
        <Picture
          title="Run"
          text="Every change is recorded"
          described="A timeline with two runs of agents, the newest one working."
        >
          <path className="pic-line" d="M14 0V64" />
          <circle className="pic-knot" data-tone="live" cx="14" cy="18" r="4" />
          <circle className="pic-knot" cx="14" cy="46" r="4" />
          <Bars at={28} rows={[12, 40]} widths={[64, 44]} />
        </Picture>
        <Picture
          title="Review"
          text="One diff for each run"
          described="A file with a red deleted line above two green added lines."
        >
          <Bars at={20} rows={[8]} widths={[60]} />
          <rect className="pic-del" x="10" y="20" width="116" height="11" rx="2" />
          <rect className="pic-add" x="10" y="33" width="116" height="23" rx="2" />
          <Bars at={20} rows={[23, 36, 48]} widths={[52, 74, 40]} slim />
        </Picture>
        <Picture
          title="Undo"
          text="Every version is kept"
          described="The timeline goes around the newest run, which is dotted: it was undone."
        >
          <path className="pic-off" d="M28 0V64" />
          <path className="pic-back" d="M28 0C28 14 10 10 10 24C10 40 28 34 28 48V64" />
          <circle className="pic-knot" data-tone="off" cx="28" cy="22" r="4" />
          <circle className="pic-knot" cx="28" cy="50" r="4" />
          <Bars at={42} rows={[16, 44]} widths={[56, 44]} />
        </Picture>
      </ol>
    </section>
  )
}

interface PictureProps {
  readonly title: string
  readonly text: string
  /** The drawing in words. */
  readonly described: string
  readonly children: ReactNode
}

function Picture({ title, text, described, children }: PictureProps) {
  return (
    <li className="picture">
      <svg viewBox="0 0 136 64" role="img" aria-label={described}>
        {children}
      </svg>
      <b>{title}</b>
      <span className="small muted">{text}</span>
    </li>
  )
}

interface BarsProps {
  readonly at: number
  /** y of each bar, and its width. */
  readonly rows: readonly number[]
  readonly widths: readonly number[]
  readonly slim?: boolean
}

/** Bars in place of text. */
function Bars({ at, rows, widths, slim = false }: BarsProps) {
  return rows.map((y, index) => (
    <rect key={y} className="pic-text" x={at} y={y} width={widths[index]} height={slim ? 5 : 7} rx="2" />
  ))
}
