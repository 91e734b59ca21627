/** Finds a Chromium for the tests that need a browser. */
import { existsSync, readdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, join } from 'node:path'

/** The one without windows first: it costs a quarter less of the processor. */
const NAMES = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'chrome',
  'msedge'
]
const MAC = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium'
]
/** Paths of the browsers below a folder of Playwright's cache. */
const IN_CACHE = ['chrome-linux/chrome', 'chrome-linux64/chrome', 'chrome-mac/Chromium.app/Contents/MacOS/Chromium']

/** Path of a browser: DRIFTLINE_BROWSER, the system's, or one in Playwright's cache; undefined without any. */
export function findBrowser(): string | undefined {
  const chosen = process.env.DRIFTLINE_BROWSER
  if (chosen) return existsSync(chosen) ? chosen : undefined
  const folders = (process.env.PATH ?? '').split(delimiter)
  const onPath = NAMES.flatMap((name) => folders.map((folder) => join(folder, name)))
  return [...onPath, ...MAC, ...inPlaywrightCache()].find((path) => existsSync(path))
}

function inPlaywrightCache(): string[] {
  const cache =
    process.env.PLAYWRIGHT_BROWSERS_PATH ??
    join(homedir(), process.platform === 'darwin' ? 'Library/Caches' : '.cache', 'ms-playwright')
  if (!existsSync(cache)) return []
  const builds = readdirSync(cache).filter((name) => /^chromium-\d+$/.test(name))
  return builds.flatMap((build) => IN_CACHE.map((path) => join(cache, build, path)))
}

/**
 * Features that no test is about. The last switch of this kind counts, so those that Playwright switches off are here, too. With
 * its own pages in the address bar, a Chromium with windows loads two of them for each new profile, in a process of their own:
 * a third of what opening a page costs.
 */
const FEATURES_OFF = [
  ...['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup', 'WebUIOmniboxFullPopup', 'PreloadTopChromeWebUI'],
  ...['AvoidUnnecessaryBeforeUnloadCheckSync', 'DestroyProfileOnBrowserClose', 'PaintHolding', 'LensOverlay'],
  ...['HttpsUpgrades', 'HttpsFirstBalancedModeAutoEnable', 'MediaRouter', 'OptimizationHints', 'PreconnectToSearch'],
  ...['NetworkTimeServiceQuerying', 'AimEnabled', 'ThirdPartyStoragePartitioning']
]

/** Switches for a browser controlled by a program. */
export const BROWSER_SWITCHES: readonly string[] = [
  // Chromium's own sandbox refuses to run as root.
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--disable-features=${FEATURES_OFF.join(',')}`
]

/**
 * The same for tests. No page of theirs runs for as long as the optimizing compilers need to be worth their work: without them
 * a test takes a sixth less of the processor, and without what makes letters and scrolling smooth a twentieth.
 */
export const TEST_SWITCHES: readonly string[] = [
  ...BROWSER_SWITCHES,
  '--js-flags=--no-opt,--no-maglev',
  '--disable-partial-raster',
  '--disable-lcd-text',
  '--disable-smooth-scrolling'
]
