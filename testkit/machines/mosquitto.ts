import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { requireTool, tools } from '../../scripts/tools.ts'
import { aFreePort } from '../browser/portal.ts'
import { aCertificate } from '../certificate.ts'

export interface TestMosquitto {
  url: string
  /** The same over TLS, for clients that trust the authority of `caFile`. */
  tlsUrl: string
  caFile: string
  /** With the gateway's own user. */
  gatewayUrl: string
  /** `kill -9`. */
  kill(): Promise<void>
  /** Freezes the broker: its connections stay open, and it answers nothing. */
  freeze(): void
  /** `kill -9` and a start on the same port. */
  killAndRestart(): Promise<void>
}

const page = readFileSync(join(import.meta.dirname, '../../docs/device-protocol.md'), 'utf8')
const blockOf = (language: string) => new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, 'ms').exec(page)?.[1] ?? ''

/**
 * A Mosquitto with the settings of the documentation, ended with the test; the gateway's password is `gateway`. With
 * `dynamic` in place of machines, only the gateway has an account and creates the machines' accounts.
 */
export async function aMosquitto(
  machines: readonly { serial: string; secret: string }[] | 'dynamic',
): Promise<TestMosquitto> {
  const folder = mkdtempSync(join(tmpdir(), 'mosquitto-'))
  let broker: ChildProcess | undefined
  onTestFinished(() => {
    broker?.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  })
  chmodSync(folder, 0o755)
  const port = await aFreePort()
  const tlsPort = await aFreePort()
  const { caFile, certFile, keyFile } = await aCertificate(folder)
  const inFolder = (words: string) =>
    words.replaceAll('/etc/mosquitto/', `${folder}/`).replaceAll('/var/lib/mosquitto/', `${folder}/`)
  const settings = blockOf('conf')
    .replace('listener 8883', `listener ${tlsPort} 127.0.0.1`)
    .replace('listener 1883', `listener ${port}`)
    .replace('/etc/mosquitto/certs/server.crt', certFile)
    .replace('/etc/mosquitto/certs/server.key', keyFile)
  const accounts = /^password_file .*\nacl_file .*$/m
  if (!accounts.test(settings)) throw new Error('The documentation names no accounts')
  const configuration = machines === 'dynamic' ? settings.replace(accounts, blockOf('dynamic').trim()) : settings
  writeFileSync(
    join(folder, 'mosquitto.conf'),
    `${inFolder(configuration)}\nuser ${process.getuid?.() === 0 ? 'root' : ''}\n`,
  )
  if (machines === 'dynamic') {
    const [program = '', ...words] = inFolder(blockOf('setup').replace('PASSWORD', 'gateway')).trim().split(' ')
    await once(spawn(program, words), 'close')
  } else await writeAccounts(folder, machines)

  async function start() {
    const started = spawn(requireTool(tools.mosquitto), ['-c', 'mosquitto.conf'], { cwd: folder })
    broker = started
    let output = ''
    started.stderr.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
    await expect.poll(() => output, { timeout: 10_000 }).toContain('running')
  }
  async function kill() {
    const current = broker as ChildProcess
    current.kill('SIGKILL')
    await once(current, 'exit')
  }
  await start()
  return {
    url: `mqtt://127.0.0.1:${port}`,
    tlsUrl: `mqtts://127.0.0.1:${tlsPort}`,
    caFile,
    gatewayUrl: `mqtt://gateway:gateway@127.0.0.1:${port}`,
    kill,
    freeze: () => void broker?.kill('SIGSTOP'),
    async killAndRestart() {
      await kill()
      await start()
    },
  }
}

async function writeAccounts(folder: string, machines: readonly { serial: string; secret: string }[]): Promise<void> {
  writeFileSync(join(folder, 'access'), blockOf('acl'), { mode: 0o700 })
  // Passwords in clear text: `mosquitto_passwd -U` hashes them.
  const users = [['gateway', 'gateway'], ...machines.map(({ serial, secret }) => [serial, secret])]
  writeFileSync(join(folder, 'passwords'), `${users.map((user) => user.join(':')).join('\n')}\n`, { mode: 0o700 })
  await once(spawn('mosquitto_passwd', ['-U', join(folder, 'passwords')]), 'close')
}
