/** A person's comments and decisions about an agent's changes, and the message by which the agent gets them. No I/O. */

/**
 * `open`: not in a message yet. `queued`: in a message that goes with the next prompt. `sent`: in a message that the agent
 * got. `answered`: the turn that got it has ended. `resolved`: a person closed it.
 */
export type CommentState = 'open' | 'queued' | 'sent' | 'answered' | 'resolved'

/**
 * Of the lines a comment is on. `same`: as they were. `changed`: some of them were deleted or others came between them.
 * `gone`: all were deleted. `unknown`: the history of the file has no text to follow them through.
 */
export type CommentedLines = 'same' | 'changed' | 'gone' | 'unknown'

/** A message of a conversation that a comment is on. */
export interface CommentedMessage {
  readonly seq: number
  readonly role: 'user' | 'assistant'
  /** A restore undid it since. */
  readonly undone: boolean
}

/** A tool call that a comment is on. */
export interface CommentedCall {
  readonly id: string
  /** Of the tool. */
  readonly name: string
  /** Seq of the prompt that it belongs to; null if it is not known. */
  readonly message: number | null
  /** A restore undid that prompt since. */
  readonly undone: boolean
}

export interface Comment {
  readonly id: string
  /** When it was written, and last edited; ms UTC. */
  readonly at: number
  readonly editedAt: number | null
  /** Markdown. */
  readonly text: string
  readonly state: CommentState
  /** The run it is about; null for a comment on the present. */
  readonly run: string | null
  /** The session that gets it: that of the run, of the message, or of the tool call. */
  readonly session: string | null
  /** Null for a comment on a run, a file or lines. */
  readonly message: CommentedMessage | null
  /** Null for a comment that is on no tool call. */
  readonly call: CommentedCall | null
  /** Where the file is now; null for a comment on the whole run, on a message, or on a tool call. */
  readonly path: string | null
  /** First and last of its lines as they are numbered now, from 1; null for the whole file, and when they are gone. */
  readonly line: number | null
  readonly endLine: number | null
  /** The file or its lines are no longer where they were. */
  readonly moved: boolean
  readonly lines: CommentedLines
  /** The lines as they were, or those of the message or of what the call did, at most 20; "" for files that may contain secrets. */
  readonly quote: string
  /** The comment it answers. */
  readonly replyTo: string | null
  /** The message it is in. */
  readonly review: string | null
}

/**
 * What a person did with a change of an agent. `undone`: removed. `merged`: removed, while other lines of the file stayed,
 * those of others or of the same run. `restored`: the file went back to an earlier point. `redone`: an undo that the agent
 * got was undone.
 */
export type DecisionKind = 'undone' | 'merged' | 'restored' | 'redone'

/** One file of a decision. */
export interface Decision {
  readonly kind: DecisionKind
  /** The run whose change it was; null when several wrote it. */
  readonly run: string | null
  readonly path: string
  /** What the decision did to the file, as hunks of a patch; null when it is long, not text, or may contain secrets. */
  readonly hunk: string | null
  /** When it was made, ms UTC. */
  readonly at: number
}

/** `queued`: goes with the session's next prompt. `cancelled`: by a person, before the agent got it. */
export type ReviewState = 'queued' | 'sent' | 'cancelled'

/** How the agent got a message: from its hook, by the tool `review_notes`, or pasted by a person. */
export type ReviewRoute = 'prompt' | 'tool' | 'copy'

/** A message to an agent. */
export interface Review {
  readonly id: string
  readonly session: string
  readonly state: ReviewState
  readonly route: ReviewRoute
  /** When it was written, and when the agent got it; ms UTC. */
  readonly at: number
  readonly sentAt: number | null
  /** Markdown, exactly as the agent gets it. */
  readonly message: string
}

/** A message that a turn got, without its text. */
export interface SentReview extends Pick<Review, 'id' | 'route'> {
  readonly turn: string
  readonly sentAt: number
}

/** What an agent has not got yet, and the message that would bring it. */
export interface ReviewDraft {
  /** Null for a run to which no hooks reported: its message can only be copied. */
  readonly session: string | null
  /** That run; else null. */
  readonly run: string | null
  readonly agent: string
  readonly title: string
  readonly comments: readonly Comment[]
  readonly decisions: readonly Decision[]
  /** "" when there is nothing to send. */
  readonly message: string
  /** The message that waits for the next prompt. */
  readonly queued: Review | null
}

/** When an agent gets reviews: only when a person sends one, with every prompt, or never. */
export type ReviewSetting = 'ask' | 'on' | 'off'
