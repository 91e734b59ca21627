// The files of a package and the hardening of its Electron, for the packager and for `npm run pack:check`.

/** better-sqlite3 stays a separate package because of its native file. All other packages are bundled into out/. */
export const NATIVE_PACKAGE = 'node_modules/better-sqlite3'

/** Globs of the files in app.asar for a system such as `linux-x64`; a leading `!` excludes. */
export function filesFor(system) {
  return [
    'package.json',
    'out/notices.txt',
    'packaging/icons/tray*.png',
    'packaging/icons/32x32.png',
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

/** Stored outside of app.asar, because the system's loader cannot read archives. */
export const UNPACKED = ['**/*.node']

/** Upper bound of app.asar, bytes. */
export const SIZE_BUDGET = 9_500_000

/**
 * Electron's fuses. `runAsNode` stays on: hooks and the command line run the same binary as Node (docs/privacy.md).
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

/** Fetched from the registry by `npm run dist` only, so that building from source does not install it. */
export const BUILDER = 'electron-builder@26.17.0'
