import { execFileSync, spawnSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type DriverPlace, driverFor, type Program } from './bundle.ts'

/** Debian's names of architectures. */
const places = { amd64: 'linux-x64', arm64: 'linux-arm64' } as const satisfies Record<string, DriverPlace>
export type Architecture = keyof typeof places
export const architectures = Object.keys(places) as Architecture[]

export const hasDpkg = spawnSync('dpkg-deb', ['--version']).status === 0

const sources = join(import.meta.dirname, '..', '..', 'deploy', 'agent')
const library = 'usr/lib/gettone-agent'

/**
 * Writes the Debian package of an architecture into a folder, and returns its path. The same program gives the same bytes: all files have the time
 * SOURCE_DATE_EPOCH, in seconds, or else the beginning of 2026.
 */
export function buildDebianPackage(program: Program, architecture: Architecture, folder: string): string {
  const root = mkdtempSync(join(tmpdir(), 'gettone-agent-deb-'))
  try {
    fill(root, program, architecture)
    const path = join(folder, `gettone-agent_${program.version}_${architecture}.deb`)
    execFileSync('dpkg-deb', ['--root-owner-group', '-Zxz', '--build', root, path], {
      env: { ...process.env, SOURCE_DATE_EPOCH: String(sourceTime()) },
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    return path
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

const sourceTime = () => Number(process.env.SOURCE_DATE_EPOCH ?? Date.UTC(2026, 0, 1) / 1000)

function fill(root: string, { version, main, launcher, licences }: Program, architecture: Architecture): void {
  const folders = new Set([root])

  function place(path: string, mode: number, put: (path: string) => void) {
    const whole = join(root, path)
    mkdirSync(dirname(whole), { recursive: true })
    for (let folder = dirname(whole); folder !== root; folder = dirname(folder)) folders.add(folder)
    put(whole)
    chmodSync(whole, mode)
    utimesSync(whole, sourceTime(), sourceTime())
  }
  const write = (path: string, content: Uint8Array | string, mode = 0o644) =>
    place(path, mode, (whole) => writeFileSync(whole, content))
  const copy = (path: string, source: string, mode = 0o644) =>
    place(path, mode, (whole) => copyFileSync(join(sources, source), whole))

  const driver = driverFor(places[architecture])
  write(`${library}/${main.name}`, main.content)
  write(`${library}/${launcher.name}`, launcher.content, 0o755)
  write(`${library}/${driver.name}`, driver.content)
  copy('usr/lib/systemd/system/gettone-agent.service', 'gettone-agent.service')
  copy('usr/share/doc/gettone-agent/README.md', 'README.md')
  write('usr/share/doc/gettone-agent/copyright', licences.content)
  for (const script of ['postinst', 'prerm', 'postrm']) copy(`DEBIAN/${script}`, `debian/${script}`, 0o755)
  const bytes = [main, launcher, driver, licences].reduce((sum, { content }) => sum + content.length, 0)
  write('DEBIAN/control', controlOf(version, architecture, Math.ceil(bytes / 1024)))
  mkdirSync(join(root, 'usr', 'bin'))
  folders.add(join(root, 'usr', 'bin'))
  symlinkSync(`../lib/gettone-agent/${launcher.name}`, join(root, 'usr', 'bin', 'gettone-agent'))
  for (const folder of folders) {
    chmodSync(folder, 0o755)
    utimesSync(folder, sourceTime(), sourceTime())
  }
}

const controlOf = (version: string, architecture: Architecture, kilobytes: number) => `Package: gettone-agent
Version: ${version}
Architecture: ${architecture}
Maintainer: Gettone <agent@gettone.invalid>
Installed-Size: ${kilobytes}
Depends: nodejs (>= 24), adduser, libc6, libstdc++6
Section: comm
Priority: optional
Description: reads a vending machine over its DEX or DDCMP port
 The agent of a Gettone portal on a small computer beside the machine: it reads
 the audit, reports it, and takes commands and updates from the portal.
`
