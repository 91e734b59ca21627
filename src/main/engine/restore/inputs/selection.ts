/** The part of a request that a person selected: some paths, some hunks of some paths, or everything. */
import { isWithin } from '../../files/paths.ts'

export interface Selection {
  /** A folder selects everything below it. */
  readonly paths?: readonly string[]
  /** Hunk numbers by path. Without `paths` the keys are the selected paths. */
  readonly hunks?: Readonly<Record<string, readonly number[]>>
}

export function isSelected({ paths, hunks }: Selection, path: string): boolean {
  const selected = paths ?? (hunks && Object.keys(hunks))
  return selected === undefined || selected.some((folder) => isWithin(path, folder))
}

export function isWhole({ paths, hunks }: Selection): boolean {
  return paths === undefined && hunks === undefined
}
