import { gunzipSync, gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { packRelease, ReleaseError, unpackRelease } from './release-file.ts'

const driver = 'serialport-linux-arm64.node'
const file = (name: string, text: string) => ({ name, content: Buffer.from(text) })
const files = [file('main.mjs', 'program'), file(driver, 'driver'), file('serialport-linux-x64.node', 'other driver')]
const computer = { node: 24, driver }

test('a release has the program and the driver of this computer', () => {
  const { version, files: unpacked } = unpackRelease(packRelease({ version: '1.2.3.4', node: 24, files }), computer)
  expect(version).toBe('1.2.3.4')
  expect(unpacked.map(({ name, content }) => [name, Buffer.from(content).toString()])).toEqual([
    ['main.mjs', 'program'],
    [driver, 'driver'],
  ])
})

test('the same files give the same bytes', () => {
  const pack = () => packRelease({ version: '1.2.3.4', node: 24, files })
  expect(Buffer.compare(pack(), pack())).toBe(0)
})

test('what is no release for this computer is refused', () => {
  const refusal = (packed: Uint8Array, on = computer) => {
    try {
      unpackRelease(packed, on)
    } catch (error) {
      if (error instanceof ReleaseError) return error.message
      throw error
    }
    return 'taken'
  }
  const release = packRelease({ version: '1.2.3.4', node: 24, files })
  const none = 'The file is no release of gettone-agent'
  // The firmware of a machine.
  expect(refusal(Buffer.from('\x7fELF…'))).toBe(none)
  expect(refusal(gzipSync('{"product":"coin-changer","version":"1.2.3.4","node":24,"files":[]}\n'))).toBe(none)
  expect(refusal(release.subarray(0, release.length - 30))).toBe(none)
  expect(refusal(packRelease({ version: '1.2.3.4', node: 24, files: [...files, file('../agent.json', '')] }))).toBe(
    none,
  )
  expect(refusal(packRelease({ version: '../1', node: 24, files }))).toBe(none)
  expect(refusal(gzipSync(gunzipSync(release).subarray(0, -1)))).toBe('The release has another size')
  expect(refusal(release, { node: 22, driver })).toBe('The release needs Node 24, and this is 22')
  const elsewhere = 'serialport-linux-riscv64.node'
  expect(refusal(release, { node: 24, driver: elsewhere })).toBe(`The release has no ${elsewhere}`)
  expect(refusal(packRelease({ version: '1.2.3.4', node: 24, files: files.slice(1) }))).toBe(
    'The release has no program',
  )
})
