/** The parts of a bar that names a file: its name and counts, and the buttons that keep or undo it. */
import type { FileChange } from '../../../contract/diff.ts'
import { letterOf } from '../../../contract/words/files.ts'
import { formatNumber } from '../../../contract/words/numbers.ts'
import { splitPath } from '../../../contract/words/paths.ts'
import { useFileActions, useKeepUnavailable, useReview, useWorkspaceState } from '../../state/open-workspace.tsx'
import { Button } from '../../ui/button.tsx'
import { MiddleCut } from '../../ui/middle-cut.tsx'
import { letterClass } from '../files/file-marks.ts'
import type { DiffCommands } from './diff-keys.ts'
import type { ReviewScope } from './review.ts'

/** The letter of the change, the name as a heading, the counts of lines, and whether a tool writes the file now. */
export function FileTitle({ file }: { readonly file: FileChange }) {
  const writing = useWorkspaceState((state) => state.writing.has(file.path))
  const { lead, name } = titleOf(file)
  const letter = letterOf(file.change)
  return (
    <>
      <span className={letterClass(letter)} role="img" aria-label={file.change}>
        {letter}
      </span>
      <h2
        className="bar-path"
        aria-label={`${lead}${name}`}
        title={file.oldPath ? `${file.oldPath} → ${file.path}` : file.path}
      >
        <span>
          <MiddleCut text={lead} />
        </span>
        <b>{name}</b>
      </h2>
      {file.counted && file.kind === 'text' ? (
        <span className="small num nowrap diff-counts">
          {file.added ? <span className="plus">+{formatNumber(file.added)}</span> : null}{' '}
          {file.deleted ? <span className="minus">−{formatNumber(file.deleted)}</span> : null}
        </span>
      ) : null}
      {writing ? (
        <span className="badge" data-tone="live">
          writing
        </span>
      ) : null}
    </>
  )
}

/** The name, and before it the folder and where a renamed file was. */
function titleOf({ path, oldPath }: FileChange): { readonly lead: string; readonly name: string } {
  const { folder, name } = splitPath(path)
  if (!oldPath) return { lead: folder, name }
  const from = splitPath(oldPath)
  return { lead: from.folder === folder ? `${folder}${from.name} → ` : `${from.folder}${from.name} → ${folder}`, name }
}

interface FileButtonsProps {
  readonly file: FileChange
  /** "Undo" or "Restore". */
  readonly verb: string
  readonly scope: ReviewScope
  readonly commands: Pick<DiffCommands, 'keep-file' | 'undo-file'>
}

export function FileButtons({ file, verb, scope, commands }: FileButtonsProps) {
  const { accept } = useFileActions()
  const keepDisabled = useKeepUnavailable()
  const kept = useReview().reviewed.has(file.path)
  return (
    <>
      <Button size="sm" className="file-button" onClick={commands['undo-file']} disabledReason={scope.undoDisabled}>
        {verb} file…
      </Button>
      <Button
        size="sm"
        className="file-button"
        {...(kept ? { icon: 'check' as const } : {})}
        aria-pressed={kept}
        disabledReason={keepDisabled}
        onClick={commands['keep-file']}
      >
        {accept ? 'Accept file' : 'Keep file'}
      </Button>
    </>
  )
}
