/** Decoration of the dialog: a line from now back to the target; the undone part is dotted. */

interface ArcProps {
  readonly then: string
}

export function ThenNowArc({ then }: ArcProps) {
  return (
    <svg className="loop" viewBox="0 0 112 44" role="img" aria-label={`From now back to ${then}`}>
      <path className="off" d="M16 20H96" />
      <path d="M96 20C78 20 84 5 56 5S34 20 18 20" />
      <circle cx="96" cy="20" r="3.5" className="end" />
      <circle cx="16" cy="20" r="4.5" />
      <text x="16" y="40">
        {then}
      </text>
      <text x="96" y="40">
        now
      </text>
    </svg>
  )
}
