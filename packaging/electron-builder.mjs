// Configuration of electron-builder for the three systems; `npm run dist` runs it.
import { FUSES, filesFor, UNPACKED } from './contents.mjs'

const FOLDERS = 'Opens a project folder: every change in it is recorded from then on.'

export default {
  appId: 'dev.driftline.app',
  productName: 'Driftline',
  copyright: 'Copyright © 2026 the Driftline authors',
  // The files below are chosen by hand; nothing is compiled, the native file is a Node-API prebuild.
  npmRebuild: false,
  nodeGypRebuild: false,
  directories: { output: 'dist', buildResources: 'packaging' },
  // A production dependency would come whole: what runs of them is bundled already.
  files: ['!node_modules/**/*', ...filesFor('$' + '{platform}-$' + '{arch}')],
  asar: true,
  asarUnpack: UNPACKED,
  electronFuses: FUSES,
  electronLanguages: ['en', 'en-US'],
  protocols: [{ name: 'Driftline', schemes: ['driftline'] }],
  publish: null,
  artifactName: '$' + '{productName}-$' + '{version}-$' + '{os}-$' + '{arch}.$' + '{ext}',

  linux: {
    // The command is `driftline`; the window's program has a name of its own beside it.
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
    hardenedRuntime: true,
    gatekeeperAssess: false,
    target: [{ target: 'dmg', arch: ['universal'] }],
    // One app for both processors holds both native files; each is the same in both halves.
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
    // Asked while removing, never assumed (packaging/windows/installer.nsh).
    deleteAppDataOnUninstall: false,
    include: 'packaging/windows/installer.nsh'
  }
}
