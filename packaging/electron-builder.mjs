// Configuration of electron-builder for the three systems, used by `npm run dist`.
import { FUSES, filesFor, UNPACKED } from './contents.mjs'

/** With a certificate the system's own check accepts the app; without one it needs an ad-hoc signature to start on Apple silicon. */
const CERTIFIED = Boolean(process.env.CSC_LINK || process.env.CSC_NAME)

const FOLDERS = 'Opens a project folder and records every change in it.'

export default {
  appId: 'dev.driftline.app',
  productName: 'Driftline',
  copyright: 'Copyright © 2026 the Driftline authors',
  // Nothing is compiled: the native file is a Node-API prebuild.
  npmRebuild: false,
  nodeGypRebuild: false,
  directories: { output: 'dist', buildResources: 'packaging' },
  // Excludes whole dependencies: the code they need at run time is already bundled.
  files: ['!node_modules/**/*', ...filesFor('$' + '{platform}-$' + '{arch}')],
  asar: true,
  asarUnpack: UNPACKED,
  electronFuses: FUSES,
  electronLanguages: ['en', 'en-US'],
  protocols: [{ name: 'Driftline', schemes: ['driftline'] }],
  publish: null,
  artifactName: '$' + '{productName}-$' + '{version}-$' + '{os}-$' + '{arch}.$' + '{ext}',

  linux: {
    // `driftline` is the command, so the binary of the window needs another name.
    executableName: 'driftline-app',
    icon: 'packaging/icons',
    category: 'Development',
    synopsis: 'The undo timeline for coding agents',
    maintainer: 'Driftline <hello@driftline.dev>',
    target: [
      { target: 'deb', arch: ['x64', 'arm64'] },
      { target: 'rpm', arch: ['x64', 'arm64'] },
      { target: 'AppImage', arch: ['x64', 'arm64'] }
    ],
    extraFiles: [{ from: 'packaging/linux/driftline', to: 'bin/driftline' }],
    desktop: {
      entry: {
        Name: 'Driftline',
        Comment: FOLDERS,
        Keywords: 'undo;restore;agent;history;diff;',
        MimeType: 'inode/directory;x-scheme-handler/driftline;',
        StartupWMClass: 'Driftline'
      }
    }
  },
  deb: { afterInstall: 'packaging/linux/after-install.sh', afterRemove: 'packaging/linux/after-remove.sh' },
  rpm: { afterInstall: 'packaging/linux/after-install.sh', afterRemove: 'packaging/linux/after-remove.sh' },

  mac: {
    icon: 'packaging/icons/driftline.icns',
    category: 'public.app-category.developer-tools',
    // `-` signs ad hoc, after the fuses are set. The hardened runtime would refuse libraries signed that way.
    ...(CERTIFIED ? {} : { identity: '-' }),
    hardenedRuntime: CERTIFIED,
    gatekeeperAssess: false,
    target: [{ target: 'dmg', arch: ['universal'] }],
    // The universal app contains both native files; they are identical in the two halves.
    x64ArchFiles: '**/prebuilds/*.node',
    extraFiles: [{ from: 'packaging/mac/driftline', to: 'Resources/bin/driftline' }],
    extendInfo: {
      CFBundleDocumentTypes: [
        { CFBundleTypeName: 'Folder', CFBundleTypeRole: 'Viewer', LSItemContentTypes: ['public.folder'] }
      ]
    }
  },

  win: {
    icon: 'packaging/icons/driftline.ico',
    target: [
      { target: 'nsis', arch: ['x64', 'arm64'] },
      { target: 'portable', arch: ['x64'] }
    ],
    extraFiles: [{ from: 'packaging/windows/driftline.cmd', to: 'bin/driftline.cmd' }]
  },
  nsis: {
    oneClick: false,
    perMachine: false,
    allowToChangeInstallationDirectory: true,
    // The uninstaller asks (packaging/windows/installer.nsh).
    deleteAppDataOnUninstall: false,
    include: 'packaging/windows/installer.nsh'
  }
}
