import { roleMay } from '#contract/access.ts'
import { Media, MediaFinding, MediaOperation, MediaReservation, type medias } from '#contract/cashless/media.ts'
import { ProductError } from '#contract/errors.ts'
import type { MediaOrigin } from '#contract/vocabulary/cashless.ts'
import { type MediaRow, mediaList, totalMedias, typesOfMedias } from '#database/cashless/media-list.ts'
import {
  type FindingRow,
  findingsOfMedia,
  type MediaReservationRow,
  type OperationRow,
  operationsOf,
  reservationsOfMedia,
} from '#database/cashless/statement.ts'
import type { Handlers, TenantCall } from '#server/http/handler.ts'
import { seesInvisible } from '#server/http/redact-names.ts'
import { wireOf } from '#server/http/wire.ts'

type Reader = Pick<TenantCall, 'user'>

/** A medium as the reader may see it: merchant users do not see customers. */
export const presentMedia = (row: MediaRow, { user }: Reader): Media => {
  const seesCustomer = roleMay(user.role, 'customer.read')
  return wireOf(Media, row, {
    lastCounter: row.key_counter,
    originType: row.origin_type as MediaOrigin,
    customerId: seesCustomer ? row.customer_id : null,
    customerName: seesCustomer ? row.customer_name : null,
    replacesId: row.replaces,
    replacedById: row.replaced_by,
  })
}

/** The medium of a path. */
export async function mediaOf({ db }: Pick<TenantCall, 'db'>, id: string): Promise<MediaRow> {
  const row = await mediaList.find(db, id)
  if (!row) throw new ProductError('MediaNotFound')
  return row
}

const presentOperation = (row: OperationRow, currency: Media['currency']): MediaOperation =>
  wireOf(MediaOperation, row, { currency })

const presentReservation = (row: MediaReservationRow, currency: Media['currency']): MediaReservation =>
  wireOf(MediaReservation, row, { currency })

export const presentFinding = (row: FindingRow, currency: Media['currency']): MediaFinding =>
  wireOf(MediaFinding, row, { currency })

/** Media, their credit, and what happened to it. */
export const mediaHandlers: Handlers<typeof medias> = {
  listMedias: async (call) => {
    const { rows, total, capped } = await mediaList.list(call.db, call.query)
    return { items: rows.map((row) => presentMedia(row, call)), total, capped }
  },

  totalMedias: ({ db, query }) => totalMedias(db, query),

  mediaTypesOfMedias: ({ db }) => typesOfMedias(db),

  getMedia: async (call) => presentMedia(await mediaOf(call, call.params.mediaId), call),

  getWallets: async (call) => {
    const { id, serial, currency, ...media } = presentMedia(await mediaOf(call, call.params.mediaId), call)
    const free = media.credit
    const bonusFree = Math.min(media.bonusCredit, free)
    return {
      mediaId: id,
      serial,
      currency,
      wallets: [
        {
          kind: 'cloud',
          balance: media.cloudCredit,
          reserved: media.cloudCredit - (free - bonusFree),
          free: free - bonusFree,
        },
        { kind: 'bonus', balance: media.bonusCredit, reserved: media.bonusCredit - bonusFree, free: bonusFree },
        { kind: 'key', balance: media.keyCredit, reserved: 0, free: media.keyCredit },
      ],
    }
  },

  listMediaOperations: async (call) => {
    const media = await mediaOf(call, call.params.mediaId)
    const { rows, ...page } = await operationsOf(call.db, media, call.query, seesInvisible(call.user))
    return { items: rows.map((row) => presentOperation(row, media.currency)), ...page }
  },

  listMediaReservations: async (call) => {
    const media = await mediaOf(call, call.params.mediaId)
    const { rows, ...page } = await reservationsOfMedia(call.db, media, call.query)
    return { items: rows.map((row) => presentReservation(row, media.currency)), ...page }
  },

  listMediaFindings: async (call) => {
    const media = await mediaOf(call, call.params.mediaId)
    const { rows, ...page } = await findingsOfMedia(call.db, media, call.query, seesInvisible(call.user))
    return { items: rows.map((row) => presentFinding(row, media.currency)), ...page }
  },
}
