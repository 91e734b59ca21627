/**
 * Which forms of the contract this version speaks. A caller on another machine may be older or newer than the recorder,
 * and compares both with `app.info`, its first call. Until now every change was an addition: a new method, a new optional
 * parameter, a new key of a result that callers can do without. Those need no new number, because the recorder refuses by
 * name what it does not know (WR-2). A change that an older side would misread does.
 */

export interface Protocol {
  /** The form in use. */
  readonly version: number
  /** The oldest form that this side still understands. */
  readonly oldest: number
}

export const PROTOCOL: Protocol = { version: 1, oldest: 1 }

/** Which side must be updated before the two understand each other; null when they do. */
export function outdatedSide(near: Protocol, far: Protocol): 'near' | 'far' | null {
  if (far.version < near.oldest) return 'far'
  return near.version < far.oldest ? 'near' : null
}
