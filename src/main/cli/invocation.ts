/** What a command line is started with, and the form of the parameters it sends. */
import type { StartedRecorder } from '../host/start-recorder.ts'
import type { Patience, Programs } from './open-client.ts'

/** Everything a command reads from its process. The entry file fills it in; tests pass their own. */
export interface Invocation {
  readonly argv: readonly string[]
  readonly env: NodeJS.ProcessEnv
  readonly version: string
  readonly programs: Programs
  readonly cwd: () => string
  /** PATIENCE by default. */
  readonly patience?: Patience
  /** The recorder that was started before the command was loaded; null or absent without one. */
  readonly started?: StartedRecorder | null
}

/** Parameters as a command has them: an absent one may also be undefined, which no frame carries. */
export type Given<T> = T extends readonly unknown[]
  ? T
  : T extends object
    ? { readonly [K in keyof T]: Record<never, never> extends Pick<T, K> ? Given<T[K]> | undefined : Given<T[K]> }
    : T
