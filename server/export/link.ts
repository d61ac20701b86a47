import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import { ProductError } from '#contract/errors.ts'

export interface Links {
  /** The last part of a link to an export's file. It is valid until the given instant. */
  tokenOf(exportId: string, until: Date): string
  /** The export of a token. Throws ExportExpired after its time, and ExportNotFound for an invalid token. */
  read(token: string, now: Date): string
}

/** Signed links: the link alone gives access, so that a browser can download the file without a session token. */
export function exportLinks(secretKey: string): Links {
  const key = Buffer.from(hkdfSync('sha256', secretKey, 'gettone', 'export links', 32))
  const sign = (text: string) => createHmac('sha256', key).update(text).digest()
  return {
    tokenOf(exportId, until) {
      const said = `${exportId}.${until.getTime()}`
      return `${said}.${sign(said).toString('base64url')}`
    },
    read(token, now) {
      const [id = '', until = '', signature = ''] = token.split('.')
      const given = Buffer.from(signature, 'base64url')
      const right = sign(`${id}.${until}`)
      // Several texts decode to the same signature; only our own form is accepted.
      const isOurs = given.length === right.length && timingSafeEqual(given, right)
      if (!isOurs || token !== `${id}.${until}.${right.toString('base64url')}`) throw new ProductError('ExportNotFound')
      if (Number(until) <= now.getTime()) throw new ProductError('ExportExpired')
      return id
    },
  }
}
