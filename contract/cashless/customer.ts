import { z } from 'zod'
import { editOf } from '../frame/editing.ts'
import { endpoint } from '../frame/endpoint.ts'
import type { ExportedList } from '../frame/exported-list.ts'
import { type ListColumns, ordsOf } from '../frame/list-columns.ts'
import { ListTotal } from '../frame/list-totals.ts'
import { recordOf } from '../frame/record-of.ts'
import { Flag, Instant, LineText, MinorUnits, paged, pageOf, Search } from '../frame/shapes.ts'
import { Phone } from '../rules/phone.ts'
import { Email } from '../rules/text.ts'
import { Currency } from '../vocabulary/world/currencies.ts'
import { Language } from '../vocabulary/world/languages.ts'

const orNothing = <T extends z.ZodType>(rule: T) => rule.nullable().default(null)

/** A holder of media, as staff enters it. A consent is dated when it changes. */
export const NewCustomer = z.strictObject({
  name: LineText.trim().min(1).max(200),
  email: orNothing(Email),
  phone: orNothing(Phone),
  language: orNothing(Language),
  /** The customer's id at the app or key portal. */
  externalUserId: orNothing(LineText.trim().min(1).max(100)),
  consentAnalysis: z.boolean().default(false),
  consentCommunications: z.boolean().default(false),
  consentQuality: z.boolean().default(false),
})
export type NewCustomer = z.output<typeof NewCustomer>

/** A payment card: what its provider shows of it. Never its number or token. */
export const PaymentCard = z.strictObject({
  type: z.string(),
  lastFour: z.string(),
  expiryMonth: z.int(),
  expiryYear: z.int(),
  isSaved: z.boolean(),
  lastUsedAt: Instant.nullable(),
})
export type PaymentCard = z.infer<typeof PaymentCard>

/** Days of a customer’s figures: the last ones, today included. */
export const customerFigureDays = 30

/** A customer and what their media did. Amounts are minor units. Sales and recharges at machines are those of the reader's groups. */
export const Customer = recordOf(NewCustomer, {
  currency: Currency,
  /** Privacy consents 1 to 3: analysis, commercial communications, quality and satisfaction. Each date is that of its last change. */
  consentAnalysisAt: Instant.nullable(),
  consentCommunicationsAt: Instant.nullable(),
  consentQualityAt: Instant.nullable(),
  /** Bonus on their media. */
  activeBonus: MinorUnits,
  /** Cloud credit and bonus that reached their media in the last 30 days: recharges, refunds, bonuses. */
  credit30Days: MinorUnits,
  /** Recharges on the web, and at machines, in the last 30 days. */
  recharges30Days: MinorUnits,
  /** Sales at machines in the last 30 days, failed vends left out. */
  sales30Days: MinorUnits,
  lastUsedAt: Instant.nullable(),
  medias: z.int(),
})
export type Customer = z.infer<typeof Customer>

/** The customer's account at the key portal: proven address, registration, last sign-in. */
export const CustomerAccount = z.strictObject({
  email: z.string(),
  registeredAt: Instant,
  lastSignInAt: Instant.nullable(),
})
export type CustomerAccount = z.infer<typeof CustomerAccount>

export const CustomerDetails = Customer.extend({
  cards: z.array(PaymentCard),
  /** Null: not registered at the key portal. */
  account: CustomerAccount.nullable(),
})
export type CustomerDetails = z.infer<typeof CustomerDetails>

export const CustomerFilters = z.strictObject({
  /** Search in name, email, phone and external id. */
  search: Search.optional(),
  hasMedias: Flag.optional(),
  consentAnalysis: Flag.optional(),
  consentCommunications: Flag.optional(),
  consentQuality: Flag.optional(),
})
export type CustomerFilters = z.infer<typeof CustomerFilters>

export const customerColumns = {
  name: { kind: 'text', heading: 'customer:field.name' },
  merchant: { kind: 'text', heading: 'customer:field.merchant' },
  email: { kind: 'text', heading: 'customer:field.email' },
  phone: { kind: 'text', heading: 'customer:field.phone' },
  medias: { kind: 'number', heading: 'customer:field.medias' },
  activeBonus: { sort: false, kind: 'amount', heading: 'customer:field.activeBonus' },
  credit30Days: { sort: false, kind: 'amount', heading: 'customer:field.credit30Days' },
  recharges30Days: { sort: false, kind: 'amount', heading: 'customer:field.recharges30Days' },
  sales30Days: { sort: false, kind: 'amount', heading: 'customer:field.sales30Days' },
  lastUsedAt: { kind: 'instant', heading: 'customer:field.lastUsedAt' },
  consentAnalysis: {
    facts: {
      consentAnalysis: { kind: 'flag', heading: 'customer:field.consentAnalysis' },
      consentAnalysisAt: { kind: 'instant', heading: 'customer:field.consentAnalysisAt' },
    },
  },
  consentCommunications: {
    facts: {
      consentCommunications: { kind: 'flag', heading: 'customer:field.consentCommunications' },
      consentCommunicationsAt: { kind: 'instant', heading: 'customer:field.consentCommunicationsAt' },
    },
  },
  consentQuality: {
    facts: {
      consentQuality: { kind: 'flag', heading: 'customer:field.consentQuality' },
      consentQualityAt: { kind: 'instant', heading: 'customer:field.consentQualityAt' },
    },
  },
  createdAt: { kind: 'instant', heading: 'customer:field.createdAt' },
  id: { kind: 'plain', heading: 'customer:field.id' },
} as const satisfies ListColumns

export const customerOrds = ordsOf(customerColumns, 'name')

const list = '/merchants/{merchantId}/customers' as const
const one = `${list}/{customerId}` as const
const gated = { feature: 'customerMedia' } as const

export const customers = {
  listCustomers: endpoint({
    ...gated,
    method: 'GET',
    path: list,
    summary: 'List customers',
    needs: 'customer.read',
    topics: ['customer', 'media'],
    query: CustomerFilters.extend(paged(customerOrds)),
    ok: pageOf(Customer),
  }),
  totalCustomers: endpoint({
    ...gated,
    method: 'GET',
    path: `${list}/totals`,
    summary: 'Get the sums of all matching customers by currency: media, bonus, and their last 30 days',
    needs: 'customer.read',
    topics: ['customer', 'media'],
    query: CustomerFilters,
    ok: z.array(ListTotal),
    timeOut: 'large',
  }),
  getCustomer: endpoint({
    ...gated,
    method: 'GET',
    path: one,
    summary: 'Get a customer, with payment cards',
    needs: 'customer.read',
    topics: ['customer', 'media'],
    ok: CustomerDetails,
    fails: ['CustomerNotFound'],
  }),
  createCustomer: endpoint({
    ...gated,
    method: 'POST',
    path: list,
    summary: 'Create a customer',
    needs: 'customer.write',
    body: NewCustomer,
    ok: CustomerDetails,
    status: 201,
    fails: ['MerchantNotSelected', 'CustomerAlreadyExists'],
  }),
  updateCustomer: endpoint({
    ...gated,
    method: 'PUT',
    path: one,
    summary: 'Update a customer',
    needs: 'customer.write',
    body: editOf(NewCustomer),
    ok: CustomerDetails,
    fails: ['CustomerNotFound', 'CustomerAlreadyExists', 'EditConflict'],
  }),
  deleteCustomer: endpoint({
    ...gated,
    method: 'DELETE',
    path: one,
    summary: 'Erase the data of a customer; media, credit, transactions and refunds stay, without an owner',
    needs: 'customer.write',
    fails: ['CustomerNotFound'],
  }),
  getCustomerData: endpoint({
    ...gated,
    method: 'GET',
    path: `${one}/data`,
    summary: 'Download all stored data of a customer as JSON',
    needs: 'customer.write',
    finds: ['customerId'],
    produces: 'application/json',
    fails: ['CustomerNotFound'],
  }),
}

/** The list as a file. */
export const exportedCustomers = {
  row: customers.listCustomers,
  filters: CustomerFilters,
  ords: customerOrds,
  columns: customerColumns,
} as const satisfies ExportedList
