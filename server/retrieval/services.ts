import type { Logger } from 'pino'
import type { Doors } from '#database/frame/tenant.ts'
import type { Blobs } from '../files/blobs.ts'
import type { LiveHub } from '../live/hub.ts'
import type { Mail } from '../mail/mail.ts'

/** What writing historical data needs. */
export interface RetrievalServices {
  doors: Doors
  blobs: Blobs
  log: Logger
  mail: Pick<Mail, 'send'>
  live: Pick<LiveHub, 'announce'>
  config: { DATA_RETRIEVAL_HOURS: number; publicUrl: string; secretKey: string }
}
