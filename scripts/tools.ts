import { spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, join } from 'node:path'

/** A program that the tests use and npm does not ship. */
export type Tool = {
  /** Its name in a sentence. */
  what: string
  /** The variable with its path, set by the user and read by the tests. */
  variable: string
  /** Its names on the PATH, the best first. */
  names: readonly string[]
  debianPackage: string
}

export const tools = {
  chromium: {
    what: 'a Chromium browser',
    variable: 'CHROMIUM_PATH',
    names: ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'],
    debianPackage: 'chromium',
  },
  mosquittoPub: {
    what: "Mosquitto's client mosquitto_pub",
    variable: 'MOSQUITTO_PUB',
    names: ['mosquitto_pub'],
    debianPackage: 'mosquitto-clients',
  },
  mosquittoSub: {
    what: "Mosquitto's client mosquitto_sub",
    variable: 'MOSQUITTO_SUB',
    names: ['mosquitto_sub'],
    debianPackage: 'mosquitto-clients',
  },
  mosquitto: {
    what: 'the MQTT broker Mosquitto',
    variable: 'MOSQUITTO',
    names: ['mosquitto'],
    debianPackage: 'mosquitto',
  },
} as const satisfies Record<string, Tool>

/**
 * The path of a tool: from its variable, else the PATH, else Playwright's own download. Undefined if it is not found.
 */
export function findTool(tool: Tool): string | undefined {
  const configured = process.env[tool.variable]
  if (configured) {
    if (isProgram(configured)) return configured
    throw new Error(`${tool.variable} names ${configured}, but no program is there.`)
  }
  // Debian keeps the broker in sbin, which a user's PATH leaves out.
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/local/sbin', '/usr/sbin', '/opt/homebrew/sbin']
  const places = tool.names.flatMap((name) => folders.map((folder) => join(folder, name)))
  return places.find(isProgram) ?? (tool === tools.chromium ? playwrightsChromium() : undefined)
}

/** As {@link findTool}, for tests that require the tool. */
export function requireTool(tool: Tool): string {
  const path = findTool(tool)
  if (path) return path
  throw new Error(`This test needs ${tool.what}: "npm test" installs it, or set ${tool.variable} to its path.`)
}

/**
 * Finds a tool or installs it: a browser by Playwright's download, else Debian's package if the user is root. No tool
 * is skipped: a missing one ends the run with an error.
 */
export function ensureTool(tool: Tool, say: (line: string) => void): string {
  const installed = findTool(tool)
  if (installed) return installed
  if (tool === tools.chromium) {
    say('No browser found. Playwright downloads Chromium (about 170 MB)')
    downloadPlaywrightsChromium()
    const downloaded = playwrightsChromium()
    if (downloaded) return downloaded
    say('Playwright could not download Chromium')
  }
  const isDebian = existsSync('/etc/debian_version')
  if (isDebian && process.getuid?.() === 0) {
    say(`Debian's package ${tool.debianPackage} is installed`)
    installDebianPackage(tool.debianPackage)
    const installed = findTool(tool)
    if (installed) return installed
  }
  const remedy = isDebian ? `run "apt-get install ${tool.debianPackage}" as root` : 'install it'
  throw new Error(
    `The tests need ${tool.what}, which was not found and could not be installed: ${remedy}, or set ${tool.variable} to its path.`,
  )
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}

function playwrightsChromium(): string | undefined {
  const cache =
    process.env.PLAYWRIGHT_BROWSERS_PATH ??
    join(homedir(), process.platform === 'darwin' ? 'Library/Caches/ms-playwright' : '.cache/ms-playwright')
  if (!existsSync(cache)) return undefined
  const programs = ['chrome-linux64/chrome', 'chrome-linux/chrome', 'chrome-mac/Chromium.app/Contents/MacOS/Chromium']
  return readdirSync(cache)
    .filter((name) => /^chromium-\d+$/.test(name))
    .sort((one, other) => Number(other.slice(9)) - Number(one.slice(9)))
    .flatMap((name) => programs.map((program) => join(cache, name, program)))
    .find(isProgram)
}

function downloadPlaywrightsChromium() {
  const cli = join(import.meta.dirname, '../node_modules/playwright-core/cli.js')
  spawnSync(process.execPath, [cli, 'install', 'chromium'], { stdio: ['ignore', 'ignore', 'ignore'], timeout: 300_000 })
}

/** Installs without starting the services of packages: Debian's Mosquitto would occupy port 1883. */
function installDebianPackage(name: string) {
  const policy = '/usr/sbin/policy-rc.d'
  const isOurs = !existsSync(policy)
  if (isOurs) writeFileSync(policy, '#!/bin/sh\nexit 101\n', { mode: 0o755 })
  const apt = (...args: string[]) =>
    spawnSync('apt-get', ['-qq', ...args], {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
      timeout: 600_000,
    }).status === 0
  try {
    if (!apt('install', '-y', '--no-install-recommends', name)) {
      apt('update')
      apt('install', '-y', '--no-install-recommends', name)
    }
  } finally {
    if (isOurs) rmSync(policy, { force: true })
  }
}
