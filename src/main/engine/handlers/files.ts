/** One file: its exact bytes at a target, its history, and a run as patch and report. */

import { DriftlineError } from '../../../contract/errors.ts'
import { describeChanges } from '../diff/counted.ts'
import { versionsOf } from '../diff/file-history.ts'
import { runReport } from '../diff/report.ts'
import { changesFor, patchOf } from '../diff/requested.ts'
import { looksSecret } from '../diff/secret-path.ts'
import { blame } from '../restore/blame.ts'
import { findRun } from '../sessions/runs.ts'
import { resolveTarget } from '../store/targets.ts'
import { versionAt } from '../store/version-at.ts'
import type { StoredVersion } from '../store/versions.ts'
import type { Handlers } from './handler.ts'

export const FILES: Handlers<'file.cat' | 'file.paths' | 'file.history' | 'file.blame' | 'export.run'> = {
  'file.blame': ({ registry }, { workspace, path }) => ({ lines: blame(registry.open(workspace).store, path) }),
  'file.cat': ({ registry }, { workspace, target, path }) => {
    const { store } = registry.open(workspace)
    const version = versionAt(store, path, target === 'now' ? null : resolveTarget(store, target).seq) as StoredVersion
    if (version.kind === 'symlink' && version.target !== null) {
      const bytes = Buffer.from(version.target, 'utf8')
      return { base64: bytes.toString('base64'), size: bytes.length, hash: '' }
    }
    if (version.kind !== 'file') {
      const what =
        version.kind === 'absent'
          ? 'did not exist'
          : version.kind === 'unknown'
            ? 'was not covered'
            : `was a ${version.kind === 'dir' ? 'folder' : version.kind}`
      throw new DriftlineError('UnknownTarget', `${path} ${what} at ${target}.`, { path, target, kind: version.kind })
    }
    if (version.content === null || version.notStored !== null) {
      throw new DriftlineError(
        'NotStored',
        `The content of ${path} at ${target} was not kept (${version.notStored ?? 'unknown'}).`,
        { path, reason: version.notStored }
      )
    }
    return {
      base64: store.content.get(version.content).toString('base64'),
      size: version.size,
      hash: version.hash ?? ''
    }
  },
  'file.paths': ({ registry }, { workspace }) => {
    const { store } = registry.open(workspace)
    const rows = store.db
      .prepare('SELECT name AS path FROM path WHERE id IN (SELECT path FROM edit) ORDER BY name')
      .all() as { path: string }[]
    return { paths: rows.map(({ path }) => ({ path, secret: looksSecret(path) })) }
  },
  'file.history': ({ registry }, { workspace, path }) => {
    const { store } = registry.open(workspace)
    return { versions: versionsOf(store, path, registry.find(workspace).addedAt), secret: looksSecret(path) }
  },
  'export.run': ({ registry }, { workspace, run }) => {
    const { store } = registry.open(workspace)
    const target = resolveTarget(store, run)
    const row = target.run ? findRun(store, target.run) : null
    if (!row) throw new DriftlineError('UnknownTarget', `"${run}" is not a run.`, { target: run })
    const { range, changes } = changesFor(store, { target: row.id, scope: 'run' })
    const files = describeChanges(store, changes)
    // Secret-looking files are named in the report and left out of the patch: exports travel.
    const shared = changes.filter((_, i) => !files[i]?.secret)
    const { patch } = patchOf(store, shared, 'git')
    return {
      title: row.title,
      patch: patch.toString('utf8'),
      report: runReport({
        title: row.title,
        agent: row.agent,
        startedAt: row.started_at,
        endedAt: row.ended_at,
        files,
        warning: range.warning
      })
    }
  }
}
