/** A settings file that cannot be parsed. The message completes "line 3: ". */
export class SettingsSyntaxError extends Error {
  /** From 1. */
  readonly line: number
  constructor(line: number, message: string) {
    super(message)
    this.line = line
  }
}
