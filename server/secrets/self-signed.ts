import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { generate } from 'selfsigned'
import type { Config } from '../config.ts'

/**
 * A self-signed certificate for this machine's names and addresses, created once and reused. For trying the portal on a
 * phone nearby.
 */
export async function selfSigned(config: Config): Promise<{ key: string; cert: string }> {
  const hosts = config.publicOrigins.map((origin) => new URL(origin).hostname)
  const file = join(config.DATA_DIR, 'self-signed.json')
  if (existsSync(file)) {
    const stored = JSON.parse(readFileSync(file, 'utf8')) as {
      hosts: string[]
      key: string
      cert: string
      until: number
    }
    if (hosts.every((host) => stored.hosts.includes(host)) && stored.until > Date.now()) return stored
  }
  const days = 365
  const made = await generate([{ name: 'commonName', value: hosts[0] ?? 'localhost' }], {
    algorithm: 'sha256',
    keySize: 3072,
    notAfterDate: new Date(Date.now() + days * 86_400_000),
    extensions: [
      {
        name: 'subjectAltName',
        altNames: hosts.map((host) => (/^[\d.]+$/.test(host) ? { type: 7, ip: host } : { type: 2, value: host })),
      },
    ],
  })
  const certificate = { hosts, key: made.private, cert: made.cert, until: Date.now() + (days - 7) * 86_400_000 }
  writeFileSync(file, JSON.stringify(certificate), { mode: 0o600 })
  return certificate
}
