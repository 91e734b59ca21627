// What a package holds and how its Electron is hardened: one table for the packager and for `npm run pack:check`.

/** Only better-sqlite3 stays a package of its own, for its native file: all else is bundled into out/. */
export const NATIVE_PACKAGE = 'node_modules/better-sqlite3'

/** Globs of what goes into app.asar, for one system such as `linux-x64`; a leading `!` takes away. */
export function filesFor(system) {
  return [
    'package.json',
    'out/notices.txt',
    'packaging/icons/tray*.png',
    'out/main/*.js',
    'out/main/*.cjs',
    'out/preload/*.cjs',
    'out/renderer/**/*',
    '!**/*.map',
    `${NATIVE_PACKAGE}/package.json`,
    `${NATIVE_PACKAGE}/LICENSE`,
    `${NATIVE_PACKAGE}/lib/**/*.js`,
    `${NATIVE_PACKAGE}/prebuilds/${system}.node`
  ]
}

/** Beside app.asar, because the system loads it itself. */
export const UNPACKED = ['**/*.node']

/** Bytes of app.asar that nothing of ours should need. */
export const SIZE_BUDGET = 9_000_000

/**
 * Electron's fuses. `runAsNode` stays on: hooks and the command line are this same program run as Node (docs/privacy.md).
 * `grantFileProtocolExtraPrivileges` is off because pages come from app://.
 */
export const FUSES = {
  runAsNode: true,
  enableCookieEncryption: true,
  enableNodeOptionsEnvironmentVariable: false,
  enableNodeCliInspectArguments: false,
  enableEmbeddedAsarIntegrityValidation: true,
  onlyLoadAppFromAsar: true,
  loadBrowserProcessSpecificV8Snapshot: false,
  grantFileProtocolExtraPrivileges: false
}

/** electron-builder is run from the registry at this version, so that nobody who builds from source installs it. */
export const BUILDER = 'electron-builder@26.17.0'
