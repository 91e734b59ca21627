/** What a restore proposes of git. Pure. */
import type { RestoreRequest } from '../../contract/restore.ts'

/** Restores and undos of runs; other requests repeat what a restore did. */
export function takesGit(request: RestoreRequest): boolean {
  return request.kind === 'restore' || request.kind === 'undo-run'
}

/** [GT-7] What git lost is proposed, except where a person names paths or parts of files. */
export function withLostGit(request: RestoreRequest): RestoreRequest {
  const isWhole = !['paths', 'hunks', 'lines', 'edits'].some((part) => part in request)
  return takesGit(request) && isWhole ? ({ ...request, git: ['lost'] } as RestoreRequest) : request
}
