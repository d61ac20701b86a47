import type { z } from 'zod'
import { NewCustomer } from '#contract/cashless/customer.ts'
import { NewProduct } from '#contract/catalogue/product-fields.ts'
import { NewClient } from '#contract/merchants/client-edit.ts'
import { NewGroup } from '#contract/merchants/group.ts'
import { phoneOf } from '#contract/rules/phone.ts'
import { adoptCodes } from '#database/catalogue/product-code.ts'
import { usedClients, usedCustomers, usedGroups, usedProducts } from '#database/imports/used-records.ts'
import { countUsers } from '#database/merchants/group.ts'
import { giveGroup, takeGroup } from '#database/merchants/group-edit.ts'
import { noteFormerProductTerms } from '#database/sales/former-terms.ts'
import { seesAllGroups } from '#server/http/scope.ts'
import { storedProduct } from '../catalogue/product.ts'
import { storedClient } from '../merchants/client.ts'
import type { ImportCall } from './kind.ts'
import { recordKind } from './record-kind.ts'

type Values = Record<string, unknown>

/** A number as the file writes it, of the record's country. A number that is none stays, so that the schema says so. */
const withPhone = (values: Values, country: string): Values =>
  typeof values.phone === 'string' ? { ...values, phone: phoneOf(values.phone, country) ?? values.phone } : values

/** Values without empty cells, where a new record has a value of its own. */
const withoutEmpty = (values: Values, fields: readonly string[]): Values =>
  Object.fromEntries(Object.entries(values).filter(([name, value]) => value !== null || !fields.includes(name)))

/** A group that a user of some groups creates becomes one of theirs. */
async function giveGroups({ doors, user, merchantId, db, live }: ImportCall, ids: readonly string[]): Promise<void> {
  if (seesAllGroups(user.scope, merchantId) || ids.length === 0) return
  for (const id of ids) await giveGroup(doors, user.id, { merchant_id: merchantId, id })
  db.afterCommit(() => live.announceUser(user.id))
}

async function takeGroups({ doors, user, merchantId, db, live }: ImportCall, ids: readonly string[]): Promise<void> {
  if (seesAllGroups(user.scope, merchantId)) return
  for (const id of ids) await takeGroup(doors, user.id, { merchant_id: merchantId, id })
  db.afterCommit(() => live.announceUser(user.id))
}

/** Groups with machines, with further users than their creator, and groups that rules name. */
async function groupsInUse({ db, doors, user, merchantId }: ImportCall, ids: readonly string[]): Promise<string[]> {
  const own = seesAllGroups(user.scope, merchantId) ? 0 : 1
  const people = await countUsers(
    doors,
    ids.map((id) => ({ merchant_id: merchantId, id })),
  )
  const withOthers = ids.filter((id) => (people.get(id) ?? 0) > own)
  return [...withOthers, ...(await usedGroups(db, merchantId, ids))]
}

type NewGroup = z.output<typeof NewGroup>

export const groupKind = recordKind<NewGroup>({
  noun: 'group',
  table: 'groups',
  schema: NewGroup,
  keys: ['name'],
  created: giveGroups,
  removing: takeGroups,
  used: groupsInUse,
})

export const clientKind = recordKind<NewClient>({
  noun: 'client',
  table: 'clients',
  schema: NewClient,
  keys: ['code', 'name'],
  unique: ['code', 'name'],
  /** A file without codes has the names as codes, and one without countries those of the merchant. */
  complete: (values, before, { country }) => {
    const given = withoutEmpty(values, ['code', 'country'])
    const name = typeof given.name === 'string' ? given.name.trim() : ''
    const own = before ? {} : { code: name.slice(0, 50), ...(country && { country }) }
    const all: Values = { ...own, ...given }
    return withPhone(all, String(all.country ?? before?.country ?? country))
  },
  stored: storedClient,
  used: ({ db, merchantId }, ids) => usedClients(db, merchantId, ids),
})

export const productKind = recordKind<NewProduct>({
  noun: 'product',
  table: 'products',
  schema: NewProduct,
  keys: ['code'],
  stored: storedProduct,
  changing: ({ db, merchantId, now }, records) =>
    noteFormerProductTerms(
      db,
      merchantId,
      records.map(({ id, fields }) => ({ id, cost: fields.cost, vat: fields.vat })),
      now,
    ),
  created: ({ db, merchantId }, ids) => adoptCodes(db, merchantId, ids),
  used: ({ db, merchantId }, ids) => usedProducts(db, merchantId, ids),
})

export const customerKind = recordKind<NewCustomer>({
  noun: 'customer',
  table: 'customers',
  schema: NewCustomer,
  keys: ['email', 'externalUserId', 'name'],
  complete: (values, _, { country }) => withPhone(values, country),
  // The log outlives the customer, so it has no personal data.
  logged: ({ consentAnalysis, consentCommunications, consentQuality }) => ({
    consentAnalysis,
    consentCommunications,
    consentQuality,
  }),
  used: ({ db, merchantId }, ids) => usedCustomers(db, merchantId, ids),
})
