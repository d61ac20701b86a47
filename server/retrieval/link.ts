import type { RequestKey } from '#database/insight/data-retrieval-request.ts'
import { exportLinks } from '../export/link.ts'

/** The reader of a link: their rights decide at each download. */
export interface LinkedRequest extends RequestKey {
  userId: string
}

const purpose = {
  info: 'historical data links',
  missing: 'DataRetrievalRequestNotFound',
  expired: 'DataRetrievalRequestExpired',
} as const

/** Signed links to the files of requests, each for one user. */
export function retrievalLinks(secretKey: string) {
  const links = exportLinks(secretKey, purpose)
  return {
    tokenOf: ({ merchantId, id, userId }: LinkedRequest, until: Date) =>
      links.tokenOf([merchantId, id, userId].join('_'), until),
    read(token: string, now: Date): LinkedRequest {
      const [merchantId = '', id = '', userId = ''] = links.read(token, now).split('_')
      return { merchantId, id, userId }
    },
  }
}
