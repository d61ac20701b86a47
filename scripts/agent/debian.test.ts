import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { bundleAgent } from './bundle.ts'
import { architectures, buildDebianPackage, hasDpkg } from './debian.ts'

function aFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'gettone-agent-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
const output = (command: string, args: string[], path = process.env.PATH) =>
  execFileSync(command, args, { encoding: 'utf8', env: { ...process.env, PATH: path } })

test.skipIf(!hasDpkg)(
  'two builds of a package have the same bytes; it has the driver of its architecture alone, and runs where it is unpacked',
  async () => {
    const build = async () => {
      const folder = aFolder()
      const program = await bundleAgent('1.2.3.4')
      return architectures.map((one) => buildDebianPackage(program, one, folder))
    }
    const packages = await build()
    for (const [index, path] of (await build()).entries())
      expect(Buffer.compare(readFileSync(path), readFileSync(packages[index] ?? ''))).toBe(0)

    const contents = packages.map((path) => output('dpkg-deb', ['--contents', path]))
    expect(contents.map((text) => text.match(/serialport-[\w-]+\.node/g))).toEqual([
      ['serialport-linux-x64.node'],
      ['serialport-linux-arm64.node'],
    ])
    for (const text of contents) {
      expect(text).toContain('./usr/lib/systemd/system/gettone-agent.service')
      expect(text.split('\n').filter((line) => line && !line.includes(' root/root '))).toEqual([])
    }
    const [amd64 = ''] = packages
    expect(output('dpkg-deb', ['--field', amd64, 'Version', 'Architecture', 'Depends'])).toBe(
      'Version: 1.2.3.4\nArchitecture: amd64\nDepends: nodejs (>= 24), adduser, libc6, libstdc++6\n',
    )

    const root = aFolder()
    output('dpkg-deb', ['--extract', amd64, root])
    const path = [dirname(process.execPath), process.env.PATH].join(delimiter)
    expect(output(join(root, 'usr', 'bin', 'gettone-agent'), ['help'], path)).toContain('gettone-agent <command>')
    output('dpkg-deb', ['--control', amd64, join(root, 'control')])
    for (const name of ['postinst', 'prerm', 'postrm']) output('sh', ['-n', join(root, 'control', name)])
  },
  180_000,
)
