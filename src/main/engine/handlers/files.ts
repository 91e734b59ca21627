/** One file: its exact bytes at a target, its history and blame; and a run exported as patch and report. */
import { DriftlineError } from '../../../contract/errors.ts'
import type { FileKind } from '../../../contract/log.ts'
import { blame } from '../diff/blame.ts'
import { describeChanges } from '../diff/describe-changes.ts'
import { versionsOf } from '../diff/file-history.ts'
import { formatRequestedPatch, resolveChanges, warningsOfPatch } from '../diff/requested-changes.ts'
import { looksSecret } from '../files/secret-path.ts'
import { editedPathNames } from '../store/edits.ts'
import { textsOfRun } from '../store/run-texts.ts'
import { findRun } from '../store/runs.ts'
import { resolveTarget } from '../store/targets.ts'
import { versionAt } from '../store/version-at.ts'
import type { StoredVersion } from '../store/versions.ts'
import type { WorkspaceHandlers } from './handler.ts'

export const FILES: WorkspaceHandlers<'file.cat' | 'file.paths' | 'file.history' | 'file.blame' | 'export.run'> = {
  'file.blame': ({ store }, { path, from, hash }) => ({ ...blame(store, path, from, hash), secret: looksSecret(path) }),
  'file.cat': ({ store }, { target, path }) => {
    const version = versionAt(store, path, target === 'now' ? null : resolveTarget(store, target).seq) as StoredVersion
    if (version.kind === 'symlink' && version.target !== null) {
      const bytes = Buffer.from(version.target, 'utf8')
      return { base64: bytes.toString('base64'), size: bytes.length, hash: '', secret: looksSecret(path) }
    }
    if (version.kind !== 'file') {
      const message = `${path} ${KIND_PHRASES[version.kind]} at ${target}.`
      throw new DriftlineError('UnknownTarget', message, { path, target, kind: version.kind })
    }
    if (version.content === null || version.notStored !== null) {
      throw new DriftlineError(
        'NotStored',
        `The content of ${path} at ${target} is not stored (${version.notStored ?? 'unknown'}).`,
        { path, reason: version.notStored }
      )
    }
    return {
      base64: store.content.get(version.content, version.size).toString('base64'),
      size: version.size,
      hash: version.hash ?? '',
      secret: looksSecret(path)
    }
  },
  'file.paths': ({ store }) => ({
    paths: editedPathNames(store).map((path) => ({ path, secret: looksSecret(path) }))
  }),
  'file.history': ({ store }, { workspace, path }, { registry }) => ({
    versions: versionsOf(store, path, registry.find(workspace).addedAt),
    secret: looksSecret(path)
  }),
  'export.run': ({ store }, { run }) => {
    const target = resolveTarget(store, run)
    const row = target.run ? findRun(store, target.run) : null
    if (!row) throw new DriftlineError('UnknownTarget', `"${run}" is not a run.`, { target: run })
    const { range, changes } = resolveChanges(store, { target: row.id, scope: 'run' })
    const files = describeChanges(store, changes)
    // Exports are sent to others: files that look like credentials are named in the report and omitted from the patch.
    const shareable = changes.filter((_, i) => !files[i]?.secret)
    const formatted = formatRequestedPatch(store, shareable, 'git')
    return {
      title: row.name,
      patch: formatted.patch.toString('utf8'),
      run: {
        title: row.name,
        prompt: row.title,
        ...textsOfRun(store, row.id),
        agent: row.agent,
        startedAt: row.started_at,
        endedAt: row.ended_at,
        files,
        warnings: [...range.warnings, ...warningsOfPatch(formatted)]
      }
    }
  }
}

/** Why there are no bytes, between the path and "at TARGET". */
const KIND_PHRASES: Readonly<Record<Exclude<FileKind, 'file'>, string>> = {
  absent: 'did not exist',
  unknown: 'was not covered',
  dir: 'was a folder',
  symlink: 'was a symlink',
  special: 'was a special file'
}
