import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import { ProductError } from '#contract/errors.ts'

export interface Links {
  /** The last part of a link that leads to an export's file until then. */
  tokenOf(exportId: string, until: Date): string
  /** The export that a token leads to. Throws ExportExpired when its time is over, ExportNotFound when it is not one of ours. */
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
      // A signature can be written in several ways that decode alike; ours is the only one taken.
      const isOurs = given.length === right.length && timingSafeEqual(given, right)
      if (!isOurs || token !== `${id}.${until}.${right.toString('base64url')}`) throw new ProductError('ExportNotFound')
      if (Number(until) <= now.getTime()) throw new ProductError('ExportExpired')
      return id
    },
  }
}
