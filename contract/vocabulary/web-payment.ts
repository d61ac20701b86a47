import type { Numbers } from './numbers.ts'
/** Payment providers on the web, by number; proper names, the same in every language. */
export const webPaymentTypes = {
  Nexi: 0,
  PayPal: 1,
  Satispay: 2,
  Assiopay: 3,
  'Vendon Gateway': 4,
} as const satisfies Numbers
export type WebPaymentType = (typeof webPaymentTypes)[keyof typeof webPaymentTypes]

export interface CredentialField {
  name: string
  /** Encrypted at rest and never sent back. */
  isSecret?: true
  /** A text of several lines, such as a key in PEM. */
  isLong?: true
}

/** What a merchant's account with a provider consists of. */
export const webPaymentCredentials = {
  [webPaymentTypes.Nexi]: [{ name: 'alias' }, { name: 'macKey', isSecret: true }],
  [webPaymentTypes.PayPal]: [{ name: 'clientId' }, { name: 'clientSecret', isSecret: true }, { name: 'webhookId' }],
  [webPaymentTypes.Satispay]: [{ name: 'keyId' }, { name: 'privateKey', isSecret: true, isLong: true }],
  [webPaymentTypes.Assiopay]: [{ name: 'accountId' }, { name: 'signingKey', isSecret: true }],
  [webPaymentTypes['Vendon Gateway']]: [{ name: 'accountId' }, { name: 'signingKey', isSecret: true }],
} as const satisfies Record<WebPaymentType, readonly CredentialField[]>

export const credentialFieldsOf = (type: number): readonly CredentialField[] =>
  webPaymentCredentials[type as WebPaymentType] ?? []

/** Currencies that a provider takes; the others take all. */
export const webPaymentCurrencies: { readonly [T in WebPaymentType]?: readonly string[] } = {
  [webPaymentTypes.Nexi]: ['EUR'],
  [webPaymentTypes.PayPal]: ['BRL', 'CZK', 'EUR', 'GBP', 'MXN', 'USD'],
  [webPaymentTypes.Satispay]: ['EUR'],
}

/** A recharge credits a medium; a payment credits nothing here. */
export const webPaymentKinds = ['recharge', 'payment'] as const
export type WebPaymentKind = (typeof webPaymentKinds)[number]

/** Results by number: 0 waiting, 1 success, 2 error. */
export const webPaymentResults = { waiting: 0, success: 1, error: 2 } as const satisfies Numbers
export type WebPaymentResult = keyof typeof webPaymentResults

/** Where an order is. Failed and reversed are errors. */
export const webPaymentStates = ['waiting', 'paid', 'failed', 'reversed'] as const
export type WebPaymentState = (typeof webPaymentStates)[number]

/** Why an order is in error. */
export const webPaymentReasons = ['declined', 'cancelled', 'expired', 'notStarted', 'reversed'] as const
export type WebPaymentReason = (typeof webPaymentReasons)[number]

export const webPaymentSources = ['callback', 'query'] as const
export type WebPaymentSource = (typeof webPaymentSources)[number]

/** What a report of the provider did to its order. */
export const webPaymentVerdicts = [
  'succeeded',
  'failed',
  'reversed',
  /** It says what is known, or what was true before. */
  'unchanged',
  /** It contradicts a success, so the provider is queried. */
  'asked',
  'otherAmount',
  'otherCurrency',
  'otherTransaction',
  'otherAccount',
] as const
export type WebPaymentVerdict = (typeof webPaymentVerdicts)[number]

/** Verdicts that refuse a report: findings of the order. */
export const webPaymentFindings = [
  'otherAmount',
  'otherCurrency',
  'otherTransaction',
  'otherAccount',
] as const satisfies readonly WebPaymentVerdict[]
export const isFinding = (verdict: WebPaymentVerdict) => (webPaymentFindings as readonly string[]).includes(verdict)
