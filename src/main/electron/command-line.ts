/** Installs the `driftline` command where no package manager does: on macOS and for an AppImage. */
import { mkdirSync, readFileSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { app, dialog } from 'electron'
import { quoteShell } from '../../contract/words/shell.ts'

interface InstallableCommand {
  readonly file: string
  /** A link to the app's own script; for an AppImage a script, because its contents have no fixed path. */
  readonly content: { readonly link: string } | { readonly script: string }
}

/** The command to install; null where the installer has done it, and in a checkout. */
export function installableCommand(
  env: Readonly<Record<string, string | undefined>> = process.env,
  platform: NodeJS.Platform = process.platform
): InstallableCommand | null {
  if (!app.isPackaged) return null
  if (platform === 'darwin')
    return { file: '/usr/local/bin/driftline', content: { link: join(process.resourcesPath, 'bin', 'driftline') } }
  const image = env.APPIMAGE
  return image ? { file: join(homedir(), '.local/bin/driftline'), content: { script: scriptForAppImage(image) } } : null
}

const MARK = "# The driftline command: the AppImage's own Electron, run as Node."

/**
 * An AppImage is mounted at another path on each start and sets APPDIR to it. Run as Node, it imports the command line
 * from there.
 */
export function scriptForAppImage(image: string): string {
  return `#!/bin/sh
${MARK}
ELECTRON_RUN_AS_NODE=1 exec ${quoteShell(image)} -e 'import(process.env.APPDIR + "/resources/app.asar/out/main/cli.cjs")' -- driftline "$@"
`
}

/** Installs the command and shows its path. Never replaces a file that Driftline did not write. */
export function installCommand({ file, content }: InstallableCommand): void {
  try {
    mkdirSync(dirname(file), { recursive: true })
    if ('link' in content) {
      if (!isLinkTo(file, content.link)) symlinkSync(content.link, file)
    } else {
      // An older version of our script is replaced; any other file makes the write fail with EEXIST.
      const isOurs = readIfExists(file)?.includes(MARK) === true
      writeFileSync(file, content.script, { mode: 0o755, flag: isOurs ? 'w' : 'wx' })
    }
    void dialog.showMessageBox({ message: 'The driftline command is installed', detail: file })
  } catch (error) {
    // Expected: EACCES (no write permission), EEXIST (another program's command).
    dialog.showErrorBox(
      'Couldn’t install the driftline command',
      `${(error as Error).message}. Nothing else was changed. You can create the link yourself:\n\n${'link' in content ? `ln -s "${content.link}" ~/bin/driftline` : file}`
    )
  }
}

function readIfExists(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    // Expected: ENOENT. Any other error appears again when the file is written.
    return null
  }
}

function isLinkTo(file: string, target: string): boolean {
  try {
    return readlinkSync(file) === target
  } catch {
    // Expected: ENOENT, EINVAL (not a link).
    return false
  }
}
