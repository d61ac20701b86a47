import { readFileSync } from 'node:fs'
import type { Server } from 'node:net'
import { Server as TlsServer } from 'node:tls'
import type { OnceLog } from '../../log/once-log.ts'

/** Paths of a server's certificate (with its intermediates) and private key, as PEM. */
export interface CertificateFiles {
  cert: string
  key: string
}

export const certificateFiles = (cert: string | undefined, key: string | undefined): CertificateFiles | undefined =>
  cert && key ? { cert, key } : undefined

export const readCertificate = ({ cert, key }: CertificateFiles) => ({
  cert: readFileSync(cert),
  key: readFileSync(key),
  minVersion: 'TLSv1.2' as const,
})

const hourMs = 3_600_000

/**
 * Loads a renewed certificate from its files for new connections; existing connections stay. Returns a function that stops
 * this.
 */
export function renewCertificate(server: Server, files: CertificateFiles, logOnce: OnceLog, everyMs = hourMs) {
  const timer = setInterval(() => {
    try {
      if (server instanceof TlsServer) server.setSecureContext(readCertificate(files))
    } catch (error) {
      // The file is being written, or broken: keep the previous certificate.
      logOnce('certificate', { error, ...files }, 'The renewed certificate cannot be used')
    }
  }, everyMs)
  timer.unref()
  return () => clearInterval(timer)
}
