/** Exports a run as a bundle for others to review: what it will contain, what is masked, then the file. */
import { useEffect, useState } from 'react'
import type { MadeBundle } from '../../../contract/bundle.ts'
import type { RunEntry } from '../../../contract/timeline.ts'
import { BUNDLE_SUFFIX, bundleContentsText, leftOutText } from '../../../contract/words/bundles.ts'
import { useDriftline } from '../../client/context.tsx'
import { download } from '../../client/download.ts'
import { useTask } from '../../client/use-task.ts'
import { useOpenWorkspace } from '../../state/open-workspace.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Switch } from '../../ui/switch.tsx'
import { useToasts } from '../toast/toasts.tsx'

export function ExportDialog({ run, onClose }: { readonly run: RunEntry; readonly onClose: () => void }) {
  const { client, platform } = useDriftline()
  const toasts = useToasts()
  const [secrets, setSecrets] = useState(false)
  const { made, problem } = useMadeBundle(run.id, secrets)
  const task = useTask()
  const save = async () => {
    if (!made) return
    const name = fileNameOf(run)
    await fetchBundle(client, made.bundle).then((parts) => download(parts, name))
    // The desktop app asks where to save it, and the person may cancel that.
    if (platform.kind === 'browser') toasts.show({ id: 'export', icon: 'check', text: `Exported ${name}.` })
    onClose()
  }
  const wait = made === null ? (problem === null ? 'the run is being collected' : 'nothing can be exported') : null
  return (
    <ConfirmDialog
      title="Export this run"
      confirmLabel="Export bundle"
      role="dialog"
      disabledReason={task.busy ? 'the file is being made' : wait}
      problem={task.problem ?? problem}
      onConfirm={() => void task.run(save)}
      onClose={onClose}
    >
      <p>
        A bundle has this run’s files, conversation and comments, to be reviewed and applied in Driftline on another
        computer.
      </p>
      <div className="export-contents" aria-live="polite" aria-busy={made === null && problem === null}>
        {made ? <Contents made={made} /> : problem === null ? <p>Collecting the run…</p> : null}
      </div>
      <label className="opt small" htmlFor="export-secrets">
        <Switch id="export-secrets" on={secrets} onChange={setSecrets} />
        Include possible secrets
      </label>
    </ConfirmDialog>
  )
}

function Contents({ made }: { readonly made: MadeBundle }) {
  const left = leftOutText(made, 5)
  return (
    <>
      <p>{bundleContentsText(made)}</p>
      {left === '' ? null : (
        <p>Left out because of possible secrets: {left}. This is a guess: read the bundle before you send it.</p>
      )}
    </>
  )
}

/** Makes the bundle, whose counts are the preview, and drops it with the dialog. */
function useMadeBundle(run: string, secrets: boolean) {
  const { client } = useDriftline()
  const { workspace } = useOpenWorkspace()
  const [made, setMade] = useState<MadeBundle | null>(null)
  const { problem, run: attempt } = useTask()
  // biome-ignore lint/correctness/useExhaustiveDependencies: `attempt` is new in each render.
  useEffect(() => {
    let isOver = false
    let bundle: string | null = null
    const drop = (id: string) => client.call('bundle.drop', { bundle: id }).catch(() => {})
    setMade(null)
    void attempt(async () => {
      const answer = await client.call('bundle.make', { workspace: workspace.id, run, secrets })
      if (isOver) return drop(answer.bundle)
      bundle = answer.bundle
      setMade(answer)
    })
    return () => {
      isOver = true
      // A day later the recorder deletes one whose drop was lost.
      if (bundle !== null) void drop(bundle)
    }
  }, [client, workspace.id, run, secrets])
  return { made, problem }
}

async function fetchBundle(
  client: ReturnType<typeof useDriftline>['client'],
  bundle: string
): Promise<Uint8Array<ArrayBuffer>[]> {
  const parts: Uint8Array<ArrayBuffer>[] = []
  for (let at = 0, end = false; !end; ) {
    const piece = await client.call('bundle.fetch', { bundle, at })
    const bytes = Uint8Array.from(atob(piece.base64), (char) => char.charCodeAt(0))
    parts.push(bytes)
    at += bytes.length
    end = piece.end
  }
  return parts
}

/** A name that every system takes: at most 50 letters, of four bytes each, which are not cut. */
function fileNameOf({ title, id }: RunEntry): string {
  const letters = [...title.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '-')]
  const words = letters
    .slice(0, 50)
    .join('')
    .replace(/^-+|-+$/g, '')
  return `${words || id}${BUNDLE_SUFFIX}`
}
