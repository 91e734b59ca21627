/** The `driftline` command where no package put it on the PATH: macOS, and an AppImage. */
import { mkdirSync, readFileSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { app, dialog } from 'electron'

export interface InstallableCommand {
  readonly file: string
  /** What it is: a link to the app's own script, or a script for an AppImage, whose inside has no fixed place. */
  readonly content: { readonly link: string } | { readonly script: string }
}

/** Null where the installer did it, or nothing is installed. */
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

/** An AppImage is mounted anew at each start and tells where in APPDIR; run as Node it loads the command line from there. */
export function scriptForAppImage(image: string): string {
  const quoted = `'${image.replaceAll("'", `'\\''`)}'`
  return `#!/bin/sh
${MARK}
ELECTRON_RUN_AS_NODE=1 exec ${quoted} -e 'import(process.env.APPDIR + "/resources/app.asar/out/main/cli.js")' -- driftline "$@"
`
}

/** Writes it and says where; a file of somebody else's is never replaced. */
export function installCommand({ file, content }: InstallableCommand): void {
  try {
    mkdirSync(dirname(file), { recursive: true })
    if ('link' in content) {
      if (!isLinkTo(file, content.link)) symlinkSync(content.link, file)
    } else {
      // Ours may be older; somebody else's makes this fail.
      const ours = readIfThere(file)?.includes(MARK) === true
      writeFileSync(file, content.script, { mode: 0o755, flag: ours ? 'w' : 'wx' })
    }
    told(file)
  } catch (error) {
    // Expected: EACCES (a folder of the system's), EEXIST (somebody's own command).
    dialog.showErrorBox(
      'The driftline command was not installed',
      `${(error as Error).message}. Nothing else was changed. You can link it yourself:\n\n${'link' in content ? `ln -s "${content.link}" ~/bin/driftline` : file}`
    )
  }
}

function readIfThere(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    // Expected: ENOENT. Whatever else it is, writing will say.
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

function told(file: string): void {
  void dialog.showMessageBox({ message: 'The driftline command is installed', detail: file })
}
