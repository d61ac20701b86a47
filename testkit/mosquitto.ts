import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { requireTool, tools } from '../scripts/tools.ts'
import { aFreePort } from './portal.ts'

export interface TestMosquitto {
  url: string
  /** With the gateway's own user. */
  gatewayUrl: string
  /** `kill -9`, and a start on the same port. */
  killAndRestart(): Promise<void>
}

const page = readFileSync(join(import.meta.dirname, '../docs/device-protocol.md'), 'utf8')
const blockOf = (language: string) => new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, 'ms').exec(page)?.[1] ?? ''

/** A Mosquitto with the settings of the documentation, ended with the test; the gateway's password is `gateway`. */
export async function aMosquitto(machines: readonly { serial: string; secret: string }[]): Promise<TestMosquitto> {
  const folder = mkdtempSync(join(tmpdir(), 'mosquitto-'))
  let broker: ChildProcess | undefined
  onTestFinished(() => {
    broker?.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  })
  chmodSync(folder, 0o755)
  const port = await aFreePort()
  const settings = blockOf('conf')
    .replace('listener 1883', `listener ${port} 127.0.0.1`)
    .replace('persistence true', '')
  writeFileSync(join(folder, 'mosquitto.conf'), `${settings}\nuser ${process.getuid?.() === 0 ? 'root' : ''}\n`)
  writeFileSync(join(folder, 'access'), blockOf('acl'), { mode: 0o700 })
  // Clear text: Mosquitto hashes them itself when told to (-U).
  const users = [['gateway', 'gateway'], ...machines.map(({ serial, secret }) => [serial, secret])]
  writeFileSync(join(folder, 'passwords'), `${users.map((user) => user.join(':')).join('\n')}\n`, { mode: 0o700 })
  await once(spawn('mosquitto_passwd', ['-U', join(folder, 'passwords')]), 'close')

  async function start() {
    const own = spawn(requireTool(tools.mosquitto), ['-c', 'mosquitto.conf'], { cwd: folder })
    broker = own
    let said = ''
    own.stderr.setEncoding('utf8').on('data', (text: string) => {
      said += text
    })
    await expect.poll(() => said, { timeout: 10_000 }).toContain('running')
  }
  await start()
  return {
    url: `mqtt://127.0.0.1:${port}`,
    gatewayUrl: `mqtt://gateway:gateway@127.0.0.1:${port}`,
    async killAndRestart() {
      const own = broker as ChildProcess
      own.kill('SIGKILL')
      await once(own, 'exit')
      await start()
    },
  }
}
