/** Catches the errors of a pane, so that the other panes stay usable. */
import { Component, type ErrorInfo, type ReactNode } from 'react'
import { FailedBlank } from './blank.tsx'

interface PaneBoundaryProps {
  /** What is shown, as the object of a sentence: "the timeline". */
  readonly name: string
  /** Another value tries again, as another selection may work. */
  readonly resetOn?: string | null
  readonly children: ReactNode
}

interface PaneBoundaryState {
  readonly error: unknown
  readonly failed: boolean
}

const WORKING: PaneBoundaryState = { error: null, failed: false }

export class PaneBoundary extends Component<PaneBoundaryProps, PaneBoundaryState> {
  override state = WORKING

  static getDerivedStateFromError(error: unknown): PaneBoundaryState {
    return { error, failed: true }
  }

  override componentDidCatch(error: unknown, { componentStack }: ErrorInfo): void {
    console.error(`Couldn’t show ${this.props.name}.`, error, componentStack)
  }

  override componentDidUpdate({ resetOn }: PaneBoundaryProps): void {
    if (this.state.failed && resetOn !== this.props.resetOn) this.setState(WORKING)
  }

  override render(): ReactNode {
    if (!this.state.failed) return this.props.children
    const { error } = this.state
    return (
      <FailedBlank
        title={`Couldn’t show ${this.props.name}.`}
        text="Nothing recorded was lost, and no file was changed."
        details={String(error instanceof Error ? error.stack : error)}
        onRetry={() => this.setState(WORKING)}
      />
    )
  }
}
