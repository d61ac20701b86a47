import { randomUUIDv7 } from 'node:crypto'
import { rolesThatMay } from '#contract/access.ts'
import { ProductError } from '#contract/errors.ts'
import { toWire } from '#contract/frame/instant.ts'
import {
  demoDays,
  type MerchantDetails,
  type MerchantFields,
  type merchantEdits,
} from '#contract/merchants/merchant-edit.ts'
import { writePostalCode } from '#contract/rules/postal-code.ts'
import { vatCodeOf } from '#contract/rules/vat-code.ts'
import type { TenantDb } from '#database/frame/tenant.ts'
import { findMerchant } from '#database/merchants/merchant.ts'
import {
  countUsers,
  detailsOf,
  insertMerchant,
  insertSettings,
  merchantToEdit,
  storedBy,
  usersWhoSee,
  writeMerchant,
} from '#database/merchants/merchant-edit.ts'
import { recordChange } from '#database/platform/change-log.ts'
import { changedFields, isOvertaken } from '#domain/frame/editing.ts'
import { localDayOf } from '#domain/time/local-hour.ts'
import { createPins, randomPin } from '#server/gateway/pins.ts'
import { refuseOvertaken } from '#server/http/editable.ts'
import type { Handlers, UserCall } from '#server/http/handler.ts'
import { refuseAll } from '#server/http/refuse.ts'
import { scopeOf } from '#server/http/scope.ts'
import { presentMerchant } from './merchant.ts'

type Call = Pick<UserCall, 'doors' | 'user'>

const dayMs = 86_400_000
const subjectType = 'merchant'

async function present({ doors, user }: Call, db: TenantDb, id: string): Promise<MerchantDetails> {
  const row = await findMerchant(db, id)
  const details = await detailsOf(db, id)
  if (!row) throw new ProductError('MerchantNotFoundException')
  return {
    ...presentMerchant(row, user),
    ...details,
    webPortal: row.web_portal,
    version: row.version,
    machines: row.machines,
    people: await countUsers(doors, id),
    createdAt: toWire(row.created_at),
  }
}

/** A merchant's fields without derived values. */
function fieldsOf(merchant: MerchantDetails): MerchantFields {
  const { id: _i, version: _v, machines: _m, people: _p, createdAt: _c, ...rest } = merchant
  const { features: _f, productFamilies: _pf, demoDaysLeft: _d, closedBy: _b, ...fields } = rest
  return fields as MerchantFields
}

/** Codes in their stored form. */
const stored = (merchant: MerchantFields): MerchantFields => ({
  ...merchant,
  demoExpiresOn: merchant.isDemo ? merchant.demoExpiresOn : null,
  legalPostalCode: merchant.legalPostalCode && writePostalCode(merchant.legalCountry, merchant.legalPostalCode),
  vatCode: (merchant.vatCode && vatCodeOf(merchant.vatCode, merchant.legalCountry)) || null,
})

/** Reloads the access of every user who sees the merchant, or saw it before. */
async function reloadAccess({ doors, live }: Call & Pick<UserCall, 'live'>, merchantId: string): Promise<void> {
  live.announce(merchantId, 'merchant')
  for (const id of await usersWhoSee(doors, merchantId, rolesThatMay('merchant.readAll'))) live.announceUser(id)
}

/** Merchants, created and changed by the provider. */
export const merchantEditHandlers: Handlers<typeof merchantEdits> = {
  getMerchant: async (call) => {
    refuseAll(call.params.merchantId)
    return present(call, call.db, call.params.merchantId)
  },

  createMerchant: async (call) => {
    const { doors, body, user, now, config } = call
    const id = randomUUIDv7()
    const lastDay = localDayOf(now.getTime() + demoDays * dayMs, body.timeZone)
    const merchant = stored({ ...body, demoExpiresOn: body.demoExpiresOn ?? lastDay })
    const made = await doors.withTenant([{ merchantId: id, groups: 'all' }], async (db) => {
      await insertMerchant(db, id, merchant, now)
      const subject = { subjectType, subjectId: id, after: merchant }
      await recordChange(db, { merchantId: id, at: now, user, action: 'merchant.create', ...subject })
      // Last, because the PIN's entry is a separate transaction. An entry without a merchant opens nothing.
      const pins = createPins(config.secretKey)
      let pin = randomPin()
      while (!(await pins.claim(doors, id, pin))) pin = randomPin()
      await insertSettings(db, id, pins.seal(pin))
      return present(call, db, id)
    })
    await reloadAccess(call, id)
    return made
  },

  updateMerchant: async (call) => {
    const { doors, user, now } = call
    const { id, version, ...edits } = call.body
    refuseAll(id)
    const fields = stored(edits)
    const saved = await doors.withTenant(scopeOf(user, id), async (db) => {
      const held = await merchantToEdit(db, id)
      if (!held) throw new ProductError('MerchantNotFoundException')
      const current = await present(call, db, id)
      const before = fieldsOf(current)
      if (isOvertaken({ version, ...fields }, current)) {
        return refuseOvertaken({ db, user }, subjectType, id, current)
      }
      if (fields.currency !== before.currency || fields.timeZone !== before.timeZone) {
        const has = await storedBy(db, id)
        if (fields.currency !== before.currency && has.money) throw new ProductError('CurrencyInUse')
        if (fields.timeZone !== before.timeZone && has.hours) throw new ProductError('TimeZoneInUse')
      }
      if (changedFields({ ...fields }, { ...before }).length === 0) return current
      await writeMerchant(db, id, fields)
      const subject = { subjectType, subjectId: id, before, after: fields }
      await recordChange(db, { merchantId: id, at: now, user, action: 'merchant.update', ...subject })
      return present(call, db, id)
    })
    await reloadAccess(call, id)
    return saved
  },
}
