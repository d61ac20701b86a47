import { type MerchantDetails, MerchantFields, nothingSaid } from '#contract/merchants/merchant-edit.ts'

/** A merchant as its form has it; what is not chosen yet is ''. */
export type MerchantValues = { [K in keyof MerchantFields]: MerchantFields[K] | '' }

/** A merchant that is to be made: a country is the first thing to say of it. */
export const newMerchant: MerchantValues = {
  name: '',
  country: '',
  language: '',
  timeZone: '',
  currency: '',
  isDemo: false,
  demoExpiresOn: null,
  ...nothingSaid,
}

export const fieldNames = Object.keys(newMerchant) as (keyof MerchantFields)[]

/** The form's values of a merchant. */
export const valuesOf = (merchant: MerchantDetails): MerchantValues =>
  Object.fromEntries(fieldNames.map((name) => [name, merchant[name]])) as MerchantValues

/** What is sent: without a date that belongs to no demo. Values that the schema has passed. */
export const sentOf = (values: MerchantValues): MerchantFields => ({
  ...(values as MerchantFields),
  demoExpiresOn: values.isDemo ? (values as MerchantFields).demoExpiresOn : null,
})

export { MerchantFields as MerchantSchema }
