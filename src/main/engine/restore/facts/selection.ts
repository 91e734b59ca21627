/** Which part of an act a person chose: some paths, some changes of some paths, or all of it. */
import { isWithin } from '../../files/inside.ts'

export interface Selection {
  /** A folder stands for all below it. */
  readonly paths?: readonly string[]
  /** By path; without `paths` these are the paths. */
  readonly hunks?: Readonly<Record<string, readonly number[]>>
}

export function isWanted({ paths, hunks }: Selection, path: string): boolean {
  const chosen = paths ?? (hunks && Object.keys(hunks))
  return chosen === undefined || chosen.some((one) => isWithin(path, one))
}

export function isWhole({ paths, hunks }: Selection): boolean {
  return paths === undefined && hunks === undefined
}
