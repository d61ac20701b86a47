import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { generate } from 'selfsigned'

export interface TestCertificate {
  /** The authority's own certificate, the server's and the server's key, as PEM. */
  caFile: string
  certFile: string
  keyFile: string
}

/** A new authority in a folder, and its certificate for 127.0.0.1 and localhost. */
export async function aCertificate(folder: string, name = 'server'): Promise<TestCertificate> {
  const notAfterDate = new Date(Date.now() + 86_400_000)
  const authority = await generate([{ name: 'commonName', value: `Authority of ${name}` }], {
    algorithm: 'sha256',
    notAfterDate,
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true },
    ],
  })
  const server = await generate([{ name: 'commonName', value: 'localhost' }], {
    algorithm: 'sha256',
    notAfterDate,
    ca: { key: authority.private, cert: authority.cert },
    extensions: [
      {
        name: 'subjectAltName',
        altNames: [
          { type: 7, ip: '127.0.0.1' },
          { type: 2, value: 'localhost' },
        ],
      },
    ],
  })
  const put = (file: string, pem: string) => {
    writeFileSync(join(folder, file), pem, { mode: 0o600 })
    return join(folder, file)
  }
  return {
    caFile: put(`${name}-ca.crt`, authority.cert),
    certFile: put(`${name}.crt`, server.cert),
    keyFile: put(`${name}.key`, server.private),
  }
}
