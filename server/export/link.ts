import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import { type ErrorCode, ProductError } from '#contract/errors.ts'

export interface Links {
  /** The last part of a link to an export's file. It is valid until the given instant. */
  tokenOf(exportId: string, until: Date): string
  /** The export of a token. Throws the purpose's error after its time and for an invalid token. */
  read(token: string, now: Date): string
}

/** What links give access to, with the errors of wrong and of expired ones. */
interface Purpose {
  info: string
  missing: ErrorCode
  expired: ErrorCode
}
const ofExports: Purpose = { info: 'export links', missing: 'ExportNotFound', expired: 'ExportExpired' }

/** Signed links: the link alone gives access, so that a browser can download the file without a session token. */
export function exportLinks(secretKey: string, { info, missing, expired }: Purpose = ofExports): Links {
  const key = Buffer.from(hkdfSync('sha256', secretKey, 'gettone', info, 32))
  const sign = (text: string) => createHmac('sha256', key).update(text).digest()
  return {
    tokenOf(exportId, until) {
      const payload = `${exportId}.${until.getTime()}`
      return `${payload}.${sign(payload).toString('base64url')}`
    },
    read(token, now) {
      const [id = '', until = '', signature = ''] = token.split('.')
      const signed = Buffer.from(signature, 'base64url')
      const right = sign(`${id}.${until}`)
      // Several texts decode to the same signature; only our own form is accepted.
      const isOurs = signed.length === right.length && timingSafeEqual(signed, right)
      if (!isOurs || token !== `${id}.${until}.${right.toString('base64url')}`) throw new ProductError(missing)
      if (Number(until) <= now.getTime()) throw new ProductError(expired)
      return id
    },
  }
}
