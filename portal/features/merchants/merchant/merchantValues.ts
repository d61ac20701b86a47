import { type MerchantDetails, MerchantFields, nothingSaid } from '#contract/merchants/merchant-edit.ts'

/** The form values of a merchant; an empty choice is ''. */
export type MerchantValues = { [K in keyof MerchantFields]: MerchantFields[K] | '' }

/** A new merchant: the country is chosen first. */
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

/** The request body, without an end date if the merchant is not a demo. Values must have passed the schema. */
export const sentOf = (values: MerchantValues): MerchantFields => ({
  ...(values as MerchantFields),
  demoExpiresOn: values.isDemo ? (values as MerchantFields).demoExpiresOn : null,
})

export { MerchantFields as MerchantSchema }
