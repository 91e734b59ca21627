// Finds a browser for the tests. As root on Debian it installs one, because skipped tests prove nothing.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { findBrowser } from '../test/support/browser.ts'

/** Returns `{path}`, or `{why}` without a browser. */
export function ensureBrowser() {
  const found = findBrowser()
  if (found) return { path: found }
  if (process.env.DRIFTLINE_BROWSER)
    return { why: `DRIFTLINE_BROWSER is ${process.env.DRIFTLINE_BROWSER}, which does not exist.` }
  if (process.platform !== 'linux' || !existsSync('/etc/debian_version'))
    return { why: 'no Chromium or Chrome was found.' }
  if (process.getuid?.() !== 0) return { why: 'no Chromium or Chrome was found, and only root can install one.' }
  return installChromium()
}

function installChromium() {
  console.error('No browser found; installing Chromium for the tests ...')
  const apt = (...args) =>
    spawnSync('apt-get', args, {
      stdio: ['ignore', 'ignore', 'inherit'],
      timeout: 150_000,
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    }).status === 0
  const install = () =>
    ['chromium-headless-shell', 'chromium'].some((name) => apt('install', '-y', '-q', '--no-install-recommends', name))
  // Package lists may be missing or outdated; they are updated only if the installation fails without.
  if (!install() && !(apt('update', '-q') && install()))
    return { why: 'no browser was found, and apt-get could not install Chromium.' }
  const path = findBrowser()
  return path ? { path } : { why: 'apt-get installed Chromium, but it cannot be found.' }
}
