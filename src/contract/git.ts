/** Git's own state: what a repository lost, what a run did to it, and what is restored. Types only. */

/** `ref`: one that is no branch and no tag, as `refs/notes/commits`. */
type LostKind = 'repository' | 'branch' | 'tag' | 'ref' | 'stash' | 'commits' | 'operation'

/** Something that git no longer lists, and that a kept state still has. */
export interface LostItem {
  readonly kind: LostKind
  /**
   * What `git restore` takes: the name of a branch or tag, a full ref, a shortened commit, or `.git`; in the repository of a subfolder
   * `FOLDER:NAME`, or `FOLDER/.git`.
   */
  readonly name: string
  /** The subfolder whose repository lost it; absent for that of the recorded folder itself. */
  readonly folder?: string
  /** The object it pointed to; '' for the repository. */
  readonly commit: string
  /** Commits that no ref of the repository has; null if git could not count them. */
  readonly commits: number | null
  /** The message of a stash, or the branch that had the commits; of an operation the target that restores it with the files. */
  readonly title: string
  /** ms UTC: the first kept state without it. */
  readonly lostAt: number
  /** The run during which it was lost; null outside of runs. */
  readonly run: string | null
}

/** `replaced`: the repository has no ref, an earlier one at the same place had some. */
export type RepositoryState = 'none' | 'present' | 'missing' | 'replaced'

export interface LostGit {
  readonly repository: RepositoryState
  /** Of all repositories, newest loss first. */
  readonly lost: readonly LostItem[]
  readonly notKept: PartsNotKept
  /** Those of subfolders. */
  readonly below: readonly {
    readonly folder: string
    readonly repository: RepositoryState
    readonly notKept: PartsNotKept
  }[]
}

/** Parts of a repository that are not kept. */
export type PartsNotKept = readonly (
  | 'lfs'
  /** More branches, tags and stashes are lost than are listed. */
  | 'more-lost'
  /** Some tables of refs cannot be read: what only they name is not listed. */
  | 'reftable-names'
  | 'submodules'
  | 'alternates'
  | 'partial-clone'
  | 'large-packs'
  | 'off'
  /** Some kept versions of refs or stashes cannot be read. */
  | 'damaged'
)[]

export type GitItemKind = 'repository' | 'branch' | 'tag' | 'ref' | 'stash' | 'head' | 'index' | 'file' | 'operation'

/** [GT-15] What git has begun and not ended. */
export type OperationKind = 'merge' | 'rebase' | 'am' | 'cherry-pick' | 'revert' | 'bisect'

/** [GT-7] Something of git's own state that differs from a restore's target. */
export interface GitPlanItem {
  /**
   * What selects it: `heads/NAME`, `tags/NAME` or another ref without `refs/`, `stash@COMMIT`, `HEAD`, `index`, `config`,
   * `hooks/NAME`, `info/NAME`, an operation by its kind, `.git`; in the repository of a subfolder `FOLDER:ITEM`, or
   * `FOLDER/.git`.
   */
  readonly item: string
  /** The subfolder whose repository it is in; absent for that of the recorded folder itself. */
  readonly folder?: string
  readonly kind: GitItemKind
  /** The short name of a branch or tag; the message of a stash. */
  readonly name: string
  /** Now and at the target: an object id, what HEAD names, an OperationKind; '' = absent, or of no meaning to a person. */
  readonly from: string
  readonly to: string
  /** Git has it no longer, so the restore proposes it. */
  readonly lost: boolean
  /** Of an operation: items that are restored with it, because it means nothing without them. */
  readonly needs?: readonly string[]
  /** The request selects it. */
  readonly chosen: boolean
}

/** `reason`: why it failed, a sentence. */
export interface GitItemOutcome extends GitPlanItem {
  readonly result: 'done' | 'failed' | 'skipped'
  readonly reason?: string
}

export interface RestoredGitItem {
  readonly kind: GitItemKind
  /** The full name of the ref, or `.git`; in the repository of a subfolder `FOLDER:REF`, or `FOLDER/.git`. */
  readonly name: string
  /** That subfolder; absent for the repository of the recorded folder itself. */
  readonly folder?: string
  /** What it pointed to before; '' = nothing. */
  readonly from: string
  readonly to: string
  readonly result: 'planned' | 'done' | 'failed'
  /** Why it failed, a sentence. */
  readonly reason?: string
}

/**
 * One thing that a run did to a repository. `commits`: that only this ref had, or how far it moved; null unknown. `folder`: the
 * subfolder whose repository it is; absent for that of the recorded folder itself.
 */
export type GitChange = ChangeInRepository & { readonly folder?: string }

type ChangeInRepository =
  | { readonly kind: 'repository-deleted' | 'repository-created' }
  | {
      readonly kind: 'branch-deleted' | 'branch-created' | 'tag-deleted' | 'tag-created'
      readonly name: string
      readonly commits: number | null
    }
  | {
      readonly kind: 'branch-forward' | 'branch-back' | 'branch-rewritten' | 'tag-moved'
      readonly name: string
      readonly commits: number | null
    }
  /** `name`: its path in `.git`. */
  | { readonly kind: 'file-changed' | 'file-deleted' | 'file-created'; readonly name: string }
  | { readonly kind: 'operation-begun' | 'operation-ended'; readonly name: OperationKind }
  | { readonly kind: 'stashes-dropped' | 'stashes-added'; readonly commits: number }
