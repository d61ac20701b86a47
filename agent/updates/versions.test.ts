import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { disk } from '../disk/disk.ts'
import { mostStarts, openVersions } from './versions.ts'

const base = '1.0.0.0'
const commandId = '0190a0a0-0000-7000-8000-000000000001'

function aFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'gettone-agent-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
const aProgram = (text: string) => [{ name: 'main.mjs', content: Buffer.from(text) }]

/** A folder in which version 2.0.0.0 is on trial. */
function onTrial(folder = aFolder()) {
  const versions = openVersions(folder, base)
  versions.install({ version: '2.0.0.0', files: aProgram('two') }, { former: base, commandId })
  return { folder, versions }
}
const textOf = (program: string | undefined) => (program === undefined ? 'package' : readFileSync(program, 'utf8'))

test('a version on trial that reaches the portal stays, and others are removed', () => {
  const { folder, versions } = onTrial()
  expect(versions.start()).toMatchObject({ isOnTrial: true })
  versions.confirm()
  expect(versions.ended()).toMatchObject({ commandId, outcome: 'success' })
  versions.forget()
  expect(versions.ended()).toBeUndefined()
  const { program, isOnTrial } = versions.start()
  expect([textOf(program), isOnTrial]).toEqual(['two', false])

  versions.install({ version: '3.0.0.0', files: aProgram('three') }, { former: '2.0.0.0', commandId })
  expect(readdirSync(join(folder, 'versions')).toSorted()).toEqual(['2.0.0.0', '3.0.0.0', 'current'])
  expect(textOf(versions.start().program)).toBe('three')
  versions.confirm()
  expect(readdirSync(join(folder, 'versions')).toSorted()).toEqual(['3.0.0.0', 'current'])
})

test('a version that ends three times before it reaches the portal is left, and its command ends as an error', () => {
  const { versions } = onTrial()
  for (let time = 0; time < mostStarts; time++) expect(textOf(versions.start().program)).toBe('two')
  expect(versions.start()).toEqual({ program: undefined, isOnTrial: false })
  expect(versions.trial()).toBeUndefined()
  expect(versions.ended()).toEqual({
    commandId,
    outcome: 'error',
    info: 'Version 2.0.0.0 was left: it was started 3 times and did not reach the portal',
  })
})

test('a version whose program is missing is left', () => {
  const { folder, versions } = onTrial()
  rmSync(join(folder, 'versions', '2.0.0.0'), { recursive: true })
  expect(versions.start()).toEqual({ program: undefined, isOnTrial: false })
  expect(versions.ended()).toMatchObject({ outcome: 'error' })
})

test('a newer package is preferred, an older one is not', () => {
  const { folder, versions } = onTrial()
  versions.confirm()
  expect(openVersions(folder, '3.0.0.0').start()).toEqual({ program: undefined, isOnTrial: false })
  expect(textOf(openVersions(folder, '1.5.0.0').start().program)).toBe('two')
})

test('an older version that a user allowed stays beside a newer package', () => {
  const folder = aFolder()
  const versions = openVersions(folder, '5.0.0.0')
  versions.install({ version: '4.0.0.0', files: aProgram('four') }, { former: '5.0.0.0', commandId })
  versions.confirm()
  expect(textOf(versions.start().program)).toBe('four')
  // An update to the version of the package runs the package.
  versions.install({ version: '5.0.0.0', files: aProgram('five') }, { former: '4.0.0.0', commandId })
  expect(versions.start()).toEqual({ program: undefined, isOnTrial: true })
})

test('a damaged file of the current version starts the package', () => {
  const { folder, versions } = onTrial()
  for (const content of ['', '{"version"', 'null', '[]', '{}']) {
    writeFileSync(join(folder, 'versions', 'current'), content)
    expect(versions.start()).toEqual({ program: undefined, isOnTrial: false })
  }
})

test('on a full disk nothing is installed, and a version whose starts cannot be counted is not tried', () => {
  const folder = aFolder()
  let isFull = true
  const versions = openVersions(folder, base, {
    ...disk,
    write(path, content) {
      if (isFull) throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
      disk.write(path, content)
    },
  })
  const release = { version: '2.0.0.0', files: aProgram('two') }
  expect(() => versions.install(release, { former: base, commandId })).toThrow('no space left')
  expect(readdirSync(join(folder, 'versions'))).toEqual([])
  isFull = false
  versions.install(release, { former: base, commandId })
  isFull = true
  expect(versions.start()).toEqual({ program: undefined, isOnTrial: false })
  isFull = false
  expect(versions.start()).toMatchObject({ isOnTrial: true })
})

const installer = join(import.meta.dirname, '..', '..', 'testkit', 'agent', 'update-installer.ts')

/** Installs version 2.0.0.0 in a process that is killed at a change of the disk. Resolves with what it printed, and the signal that ended it. */
async function installAndDie(folder: string, change?: number) {
  const child = spawn(process.execPath, [
    installer,
    folder,
    commandId,
    ...(change === undefined ? [] : [String(change)]),
  ])
  let text = ''
  child.stdout.on('data', (bytes: Buffer) => {
    text += bytes.toString()
  })
  const [, signal] = (await once(child, 'close')) as [number | null, string | null]
  return { text, signal }
}

test('an installation that is killed at any of its changes leaves the former version; after the last one the whole new version runs', async () => {
  const whole = aFolder()
  const changes = Number((await installAndDie(whole)).text)
  expect(changes).toBeGreaterThan(6)
  expect(openVersions(whole, base).start().isOnTrial).toBe(true)
  for (const name of ['main.mjs', 'serialport-linux-x64.node'])
    expect(readFileSync(join(whole, 'versions', '2.0.0.0', name), 'utf8')).toBe(`all of ${name}`)

  const killed = Array.from({ length: changes }, async (_, change) => {
    const folder = aFolder()
    expect(await installAndDie(folder, change)).toMatchObject({ signal: 'SIGKILL' })
    const versions = openVersions(folder, base)
    expect(versions.start()).toEqual({ program: undefined, isOnTrial: false })
    // The next installation is not hindered by what is left.
    versions.install({ version: '3.0.0.0', files: aProgram('three') }, { former: base, commandId })
    expect(readdirSync(join(folder, 'versions')).toSorted()).toEqual(['3.0.0.0', 'current'])
  })
  await Promise.all(killed)
}, 180_000)
