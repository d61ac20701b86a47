import { z } from 'zod'
import { nameOf } from '#contract/vocabulary/numbers.ts'
import { always, saying } from '../frame/broken.ts'
import { Version } from '../frame/editing.ts'
import { endpoint } from '../frame/endpoint.ts'
import { ids } from '../frame/ids.ts'
import { Day, Instant, LineText } from '../frame/shapes.ts'
import { MerchantFacts } from '../people/user.ts'
import { demoExpires } from '../rules/merchant.ts'
import { postalCodeBy } from '../rules/postal-code.ts'
import { Email, WebAddress, WebSocketAddress } from '../rules/text.ts'
import { TimeZone } from '../rules/time-zone.ts'
import { vatCodeBy } from '../rules/vat-code.ts'
import { webPaymentTypes } from '../vocabulary/web-payment.ts'
import { Country } from '../vocabulary/world/countries.ts'
import { Currency } from '../vocabulary/world/currencies.ts'
import { Language } from '../vocabulary/world/languages.ts'

/** A text that need not be there; nothing is ''. */
const line = (maxLength: number) => LineText.trim().max(maxLength)
/** The same with a form of its own. */
const optional = (rule: z.ZodType, name: 'email' | 'url' | 'webSocket', maxLength: number) =>
  line(maxLength).refine((text) => text === '' || rule.safeParse(text).success, saying(name))
const months = z.int().min(0).max(120)

/** The part of a merchant that all its users see. */
const publicFields = {
  name: LineText.trim().min(1).max(200),
  country: Country,
  language: Language,
  timeZone: TimeZone,
  currency: Currency,
  isDemo: z.boolean(),
  /** The demo's last day by the merchant's own calendar. */
  demoExpiresOn: Day.nullable(),
}

/** The part that only the provider sees. */
const privateFields = {
  legalName: line(200),
  /** Validated by the rules of `legalCountry`. */
  vatCode: LineText.trim().max(40).nullable(),
  legalCountry: z.union([Country, z.literal('')]),
  legalStreet: line(200),
  legalPostalCode: line(20),
  legalCity: line(100),
  legalProvince: line(100),
  contactName: line(200),
  contactEmail: optional(Email, 'email', 254),
  /** The merchant's own number in the provider's SAP. */
  sapCode: line(40),
  /** Of machines that associate from then on, with the extended ones on top; both 0: none is noted. */
  defaultWarrantyMonths: months,
  extendedWarrantyMonths: months,
  /** Without it only the provider sees the merchant here. */
  webPortal: z.boolean(),
  prepaid3Years: z.boolean(),
  webSocketUrl: optional(WebSocketAddress, 'webSocket', 2048),
  creditCardPaymentUrl: optional(WebAddress, 'url', 2048),
  erpApiUrl: optional(WebAddress, 'url', 2048),
  erpTemperatureHistory: z.boolean(),
  erpSignalHistory: z.boolean(),
  /** Recharges over the portal, and their transactions. */
  portalRecharge: z.boolean(),
  screenConfigurationManagement: z.boolean(),
  /** Days in which a screen on the enrolment whitelist may enrol. */
  enrolmentWhitelistDays: z.int().min(1).max(365),
  mobileApp: z.boolean(),
  /** The payment provider for payouts, a key of `webPaymentTypes`; null is none. */
  externalOcfService: z
    .int()
    .refine((type) => nameOf(webPaymentTypes, type) !== undefined, saying('choice'))
    .nullable(),
  creditBackup: z.boolean(),
}

type PrivateFields = z.output<z.ZodObject<typeof privateFields>>

/** A merchant with only its public part set. */
export const nothingSaid: PrivateFields = {
  legalName: '',
  vatCode: null,
  legalCountry: '',
  legalStreet: '',
  legalPostalCode: '',
  legalCity: '',
  legalProvince: '',
  contactName: '',
  contactEmail: '',
  sapCode: '',
  defaultWarrantyMonths: 24,
  extendedWarrantyMonths: 0,
  webPortal: true,
  prepaid3Years: false,
  webSocketUrl: '',
  creditCardPaymentUrl: '',
  erpApiUrl: '',
  erpTemperatureHistory: false,
  erpSignalHistory: false,
  portalRecharge: false,
  screenConfigurationManagement: false,
  enrolmentWhitelistDays: 30,
  mobileApp: false,
  externalOcfService: null,
  creditBackup: false,
}

/** Duration of a demo in days, by default. */
export const demoDays = 90

/** Fields with a country's format need the country. */
const checks = [
  vatCodeBy<Record<string, unknown>>('vatCode', 'legalCountry'),
  postalCodeBy<Record<string, unknown>>('legalPostalCode', 'legalCountry'),
  demoExpires,
  z.superRefine<Record<string, unknown>>((values, context) => {
    if (values.legalCountry === '' && (values.vatCode || values.legalPostalCode))
      context.addIssue({ code: 'custom', ...saying('required'), path: ['legalCountry'] })
  }, always),
] as const

type Defaulted<S extends z.ZodRawShape> = { [K in keyof S]: z.ZodDefault<S[K] & z.ZodType> }
const optionalShape = Object.fromEntries(
  Object.entries(privateFields).map(([name, schema]) => [
    name,
    (schema as z.ZodType).default(nothingSaid[name as keyof PrivateFields]),
  ]),
) as Defaulted<typeof privateFields>

/** The fields of the form, all required. */
export const MerchantFields = z.strictObject({ ...publicFields, ...privateFields }).check(...checks)
export type MerchantFields = z.infer<typeof MerchantFields>

/** Missing fields are as in `nothingSaid`; a demo without a last day lasts `demoDays`. */
export const NewMerchant = z
  .strictObject({
    ...publicFields,
    isDemo: z.boolean().default(false),
    demoExpiresOn: Day.nullable().optional(),
    ...optionalShape,
  })
  .check(...checks)

export const UpdateMerchant = z
  .strictObject({ id: ids.merchantId, version: Version, ...publicFields, ...privateFields })
  .check(...checks)

/** All fields of a merchant. A value stored under an older rule is shown unchanged. */
export const MerchantDetails = z.strictObject({
  ...MerchantFacts.shape,
  ...privateFields,
  legalCountry: z.string(),
  version: Version,
  machines: z.int(),
  people: z.int(),
  createdAt: Instant,
})
export type MerchantDetails = z.infer<typeof MerchantDetails>

const refused = ['MerchantNameTaken', 'CurrencyInUse', 'TimeZoneInUse'] as const

export const merchantEdits = {
  getMerchant: endpoint({
    method: 'GET',
    path: '/merchants/{merchantId}',
    summary: 'Get a merchant',
    needs: 'merchant.admin',
    topics: ['merchant'],
    ok: MerchantDetails,
    fails: ['MerchantNotFoundException'],
  }),
  createMerchant: endpoint({
    method: 'POST',
    path: '/merchants',
    summary: 'Create a merchant with an association PIN',
    needs: 'merchant.admin',
    body: NewMerchant,
    ok: MerchantDetails,
    status: 201,
    fails: ['MerchantNameTaken'],
  }),
  updateMerchant: endpoint({
    method: 'PUT',
    path: '/merchants',
    summary: 'Update a merchant; currency and time zone are fixed once data is stored',
    needs: 'merchant.admin',
    body: UpdateMerchant,
    ok: MerchantDetails,
    fails: ['MerchantNotFoundException', 'EditConflict', ...refused],
  }),
}
