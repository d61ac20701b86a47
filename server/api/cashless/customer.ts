import {
  Customer,
  type CustomerAccount,
  type CustomerDetails,
  type customers,
  NewCustomer,
  PaymentCard,
} from '#contract/cashless/customer.ts'
import { toWire, toWireOrNull } from '#contract/frame/instant.ts'
import type { Language } from '#contract/vocabulary/world/languages.ts'
import {
  type CustomerRow,
  cardsOf,
  customerList,
  dataOfMedias,
  releaseMedias,
  totalCustomers,
  writeConsent,
} from '#database/cashless/customer.ts'
import type { TenantDb } from '#database/frame/tenant.ts'
import { forgetImported } from '#database/imports/import.ts'
import { claimsOfCustomer, forgetClaims } from '#database/key-portal/claim.ts'
import { type AccountFacts, accountFacts, eraseTraces } from '#database/key-portal/customer-account.ts'
import { inLog } from '#server/customers/admit.ts'
import { type Deed, editable } from '#server/http/editable.ts'
import type { CustomerCall, Handlers } from '#server/http/handler.ts'
import { wireOf } from '#server/http/wire.ts'

const inLanguage = ({ language }: CustomerRow) => ({ language: language as Language | null })

const accountOf = (facts: AccountFacts | undefined): CustomerAccount | null =>
  facts ? { ...facts, registeredAt: toWire(facts.registeredAt), lastSignInAt: toWireOrNull(facts.lastSignInAt) } : null

const detailsOf = async (customer: CustomerRow, { db }: { db: TenantDb }): Promise<CustomerDetails> => ({
  ...wireOf(Customer, customer, inLanguage(customer)),
  cards: (await cardsOf(db, customer)).map((card) => wireOf(PaymentCard, card)),
  account: accountOf(await accountFacts(db, customer)),
})

const consentsOf = ({ consentAnalysis, consentCommunications, consentQuality }: NewCustomer) => ({
  consentAnalysis,
  consentCommunications,
  consentQuality,
})

export const customerRecord = editable({
  noun: 'customer',
  rows: customerList,
  fields: NewCustomer,
  present: detailsOf,
  presentRow: (customer) => wireOf(Customer, customer, inLanguage(customer)),
  duplicates: { customers_email: ['CustomerAlreadyExists', 'email'] },
  storedApart: {
    consentAnalysis: writeConsent('consent_analysis'),
    consentCommunications: writeConsent('consent_communications'),
    consentQuality: writeConsent('consent_quality'),
  },
  // The log outlives the customer, so it has the consents only.
  logged: (before: NewCustomer | undefined, after: NewCustomer | undefined) => ({
    before: before && consentsOf(before),
    after: after && consentsOf(after),
  }),
  clear: letGo,
})

/** Erasure: cards are deleted with the row. Media, credit, transactions, refunds and claims stay, without an owner. */
async function letGo({ db, live }: Pick<Deed, 'db' | 'live'>, customer: CustomerRow): Promise<void> {
  await eraseTraces(db, customer)
  await forgetImported(db, customer)
  if ((await forgetClaims(db, customer)) > 0) db.afterCommit(() => live.announce(customer.merchant_id, 'claim'))
  if ((await releaseMedias(db, customer)) > 0) db.afterCommit(() => live.announce(customer.merchant_id, 'media'))
}

/** The same erasure by the customer. */
export async function eraseOneself(call: CustomerCall): Promise<undefined> {
  const deed = { ...call, user: inLog(call.customer) }
  const customer = await customerRecord.holdToErase(call.db, call.customer.customerId)
  await letGo(deed, customer)
  await customerRecord.erase(deed, customer)
}

/** Customers of a merchant: holders of media. */
export const customerHandlers: Handlers<typeof customers> = {
  ...customerRecord.handlers,
  totalCustomers: ({ db, query }) => totalCustomers(db, query),

  getCustomerData: async ({ db, params, reply, now }) => {
    const customer = await customerRecord.of(db, params.customerId)
    const { merchantName, ...stored } = await detailsOf(customer, { db })
    const data = {
      merchant: merchantName,
      createdAt: toWire(now),
      customer: stored,
      ...(await dataOfMedias(db, customer)),
      claims: await claimsOfCustomer(db, customer, null),
    }
    reply
      .type('application/json')
      .header('content-disposition', `attachment; filename="customer-${customer.id}.json"`)
      .send(Buffer.from(JSON.stringify(data, null, 2)))
    return undefined
  },
}
