/** The command that records any program as one run, as it can be typed on this computer. */
import { shortPath } from '../../../contract/words/paths.ts'
import { useCommand, useHome } from '../../client/use-query.ts'
import { CopyButton } from '../../ui/copy-button.tsx'

/** `copy`: with a button that copies it. */
export function RunCommand({ copy = false }: { readonly copy?: boolean }) {
  const command = useCommand()
  const home = useHome()
  const rest = ' run -- your-agent'
  const code = <code className="mono">{shortPath(command, home) + rest}</code>
  if (!copy) return code
  return (
    <span className="run-command">
      {code}
      <CopyButton label="Copy" text={command + rest} kind="ghost" />
    </span>
  )
}
