import { ProductError } from '#contract/errors.ts'
import { toWire } from '#contract/frame/instant.ts'
import { ClientData, type clientData } from '#contract/licences/client-data.ts'
import type { TenantDb } from '#database/frame/tenant.ts'
import { holdLicence, type LicenceRecord } from '#database/licences/licence.ts'
import { directLicence, forgetHashes, licenceOfHash } from '#database/licences/licence-directory.ts'
import { stepOf } from '#domain/licences/licence-step.ts'
import type { Call, Handlers } from '#server/http/handler.ts'
import { wireOf } from '#server/http/wire.ts'
import { hashOfKey, hashOfLink, hintOfKey, newLicenceKey } from '#server/licences/licence-secrets.ts'
import { factsOf, takeStep } from '#server/licences/take-step.ts'

type Linked = LicenceRecord & { link_expires_at: Date }

/** The licence of a link, locked. A link that is unknown, altered, used, replaced or too old answers alike. */
async function withLink<T>(
  { doors, params, now }: Call & { params: { token: string } },
  work: (db: TenantDb, licence: Linked) => Promise<T>,
): Promise<T> {
  const hash = hashOfLink(params.token)
  const place = await licenceOfHash(doors, hash)
  if (!place) throw new ProductError('TokenNotFoundException')
  return doors.withTenant([{ merchantId: place.merchant_id, groups: 'all' }], async (db) => {
    const licence = await holdLicence(db, place.id)
    const isOpen = licence?.link_hash === hash && licence.link_expires_at !== null && licence.link_expires_at > now
    if (!licence || !isOpen || 'refused' in stepOf(factsOf(licence), 'confirm', now))
      throw new ProductError('TokenNotFoundException')
    return work(db, licence as Linked)
  })
}

/** The public page of the mailed link. */
export const clientDataHandlers: Handlers<typeof clientData> = {
  getClientData: (call) =>
    withLink(call, async (db, licence) => {
      const machine = await db
        .from('machines')
        .where('machines.merchant_id', '=', licence.merchant_id)
        .where('machines.id', '=', licence.machine_id)
        .select('machines.address')
        .executeTakeFirst()
      const facts = { address: machine?.address ?? null, linkExpiresAt: toWire(licence.link_expires_at) }
      return wireOf(ClientData, licence, facts) as ClientData
    }),

  confirmClientData: (call) =>
    withLink(call, async (db, licence) => {
      const { doors, now, live, request } = call
      const licenceKey = newLicenceKey()
      const hash = hashOfKey(licenceKey)
      await directLicence(doors, hash, licence, now)
      const key = { key_hash: hash, key_hint: hintOfKey(licenceKey) }
      const change = { ...key, link_hash: null, link_expires_at: null, confirmed_at: now }
      await takeStep(db, licence, 'confirm', { now, by: 'client', change })
      db.afterCommit(() => {
        live.announce(licence.merchant_id, 'licence')
        forgetHashes(doors, licence, [hash]).catch((error: unknown) =>
          request.log.warn({ err: error }, 'The link of a licence was not removed'),
        )
      })
      return { name: licence.name, licenceKey }
    }),
}
