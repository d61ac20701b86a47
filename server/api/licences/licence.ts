import { randomUUIDv7 } from 'node:crypto'
import { ProductError } from '#contract/errors.ts'
import { Licence, LicenceFields, type licences } from '#contract/licences/licence.ts'
import { isDemoType, licenceFeatures } from '#contract/vocabulary/licence.ts'
import { allMerchants } from '#contract/vocabulary/merchant.ts'
import { among } from '#database/frame/conditions.ts'
import { columnsOf } from '#database/frame/records.ts'
import { withinScope } from '#database/frame/tenant.ts'
import { insertLicence, type LicenceRecord, licenceList } from '#database/licences/licence.ts'
import { addLicenceEvents } from '#database/licences/licence-event.ts'
import { featuresOf } from '#database/merchants/merchant.ts'
import { recordChanges } from '#database/platform/change-log.ts'
import { stepOf } from '#domain/licences/licence-step.ts'
import { possibleEnds } from '#domain/licences/licence-term.ts'
import { editable } from '#server/http/editable.ts'
import type { Handlers, TenantCall } from '#server/http/handler.ts'
import { wireOf } from '#server/http/wire.ts'
import { newLicenceName } from '#server/licences/licence-secrets.ts'
import { factsOf } from '#server/licences/take-step.ts'

export const presentLicence = (row: LicenceRecord): Licence => wireOf(Licence, row)

/** A demo licence has the feature of demos, another one has not. */
const storedOf = (fields: LicenceFields): LicenceFields => ({
  ...fields,
  features: licenceFeatures.filter((feature) =>
    feature === 'Demo' ? isDemoType(fields.type) : fields.features.includes(feature),
  ),
})

/** The log is never changed, so it has no contacts of the end client. */
const loggedOf = (fields: LicenceFields | undefined) => {
  if (!fields) return undefined
  const { contactName: _, clientEmail: __, ...rest } = fields
  return rest
}

/** Refuses a cash recycler's licence without its product family, and an end outside the possible days. */
async function refuseTerms(
  { db, now }: TenantCall,
  merchantId: string,
  { type, expiresOn }: LicenceFields,
  before?: LicenceRecord,
) {
  if (type !== 'none' && type !== before?.type) {
    const { productFamilies } = await featuresOf(db, merchantId)
    if (!productFamilies.includes('cashlogy')) throw new ProductError('ProductFamilyNotEnabled')
  }
  if (expiresOn === null || (before?.expires_on === expiresOn && before.type === type)) return
  const merchant = await db.from('merchants').where('id', '=', merchantId).select('time_zone').executeTakeFirstOrThrow()
  const since = before?.first_activated_at ?? before?.created_at ?? now
  const { from, until } = possibleEnds({ type, since, timeZone: merchant.time_zone }, now)
  if (expiresOn < from || (until !== null && expiresOn > until))
    throw new ProductError('LicenceEndNotPossible', { field: 'expiresOn', from, until })
}

export const licenceRecord = editable({
  noun: 'licence',
  rows: licenceList,
  fields: LicenceFields,
  present: presentLicence,
  stored: storedOf,
  logged: (before: LicenceFields | undefined, after: LicenceFields | undefined) => ({
    ...(before && { before: loggedOf(before) }),
    ...(after && { after: loggedOf(after) }),
  }),
  alsoChange: async (call, licence) => {
    await refuseTerms(call, licence.merchant_id, call.body, licence)
    return undefined
  },
  blockedBy: async (_, licence, { now }) =>
    'refused' in stepOf(factsOf(licence), 'remove', now) ? { status: licence.status } : undefined,
})

/** Creates a licence for each machine of one merchant: for all or for none. */
async function create(
  call: TenantCall,
  merchantId: string,
  fields: LicenceFields,
  posIds: readonly string[],
): Promise<Licence[]> {
  const { user, now, live } = call
  if (merchantId === allMerchants) throw new ProductError('MerchantNotSelected')
  const db = withinScope(call.db, user.scope)
  const machines = await db
    .from('machines')
    .where('machines.merchant_id', '=', merchantId)
    .where(among('machines.id', posIds, 'uuid'))
    .select('machines.id')
    .execute()
  if (machines.length < posIds.length) throw new ProductError('MachineNotFound')
  await refuseTerms({ ...call, db }, merchantId, fields)
  const stored = storedOf(fields)
  const made = posIds.map((machineId) => ({ machineId, key: { merchant_id: merchantId, id: randomUUIDv7() } }))
  for (const { machineId, key } of made)
    await insertLicence(db, {
      ...columnsOf(stored),
      ...key,
      name: newLicenceName(),
      machine_id: machineId,
      created_at: now,
    })
  await addLicenceEvents(
    db,
    made.map(({ key, machineId }) => ({
      licence: key,
      at: now,
      act: 'create' as const,
      status: 0 as const,
      by: user,
      posId: machineId,
    })),
  )
  await recordChanges(
    db,
    made.map(({ key: { id } }) => ({
      merchantId,
      at: now,
      user,
      action: 'licence.create',
      subjectType: 'licence',
      subjectId: id,
      after: loggedOf(stored),
    })),
  )
  call.db.afterCommit(() => live.announce(merchantId, 'licence'))
  const licences: Licence[] = []
  for (const { key } of made) licences.push(presentLicence(await licenceRecord.of(db, key.id)))
  return licences
}

type Rows = Pick<typeof licences, 'createLicence' | 'createLicences'>

export const licenceHandlers: Handlers<Rows> = {
  createLicence: async (call) => {
    const { posId, ...fields } = call.body
    const [licence] = await create(call, call.params.merchantId, fields, [posId])
    return licence as Licence
  },
  createLicences: async (call) => {
    const { posIds, ...fields } = call.body
    return { items: await create(call, call.params.merchantId, fields, posIds) }
  },
}
