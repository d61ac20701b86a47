import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { PaymentReport } from '#domain/cashless/web-payment.ts'

/** Facts for the order's page, named one by one by the adapter: never a credential, and nothing about the payer. */
export type Details = Readonly<Record<string, string | number | boolean | null>>

/** A merchant's account with a provider. */
export interface PaymentAccount {
  /** The root of the provider's API. */
  url: string
  /** Whether the address must be public: in production. */
  isPublicOnly: boolean
  credentials: Readonly<Record<string, string>>
}

/** An order as a provider gets it. */
export interface OrderToPay {
  reference: string
  /** Minor units. */
  amount: number
  currency: string
  description: string
  /** The provider's number, once it is known. */
  transaction: string | null
  callbackUrl: string
  /** Where the payer's browser returns to. */
  returnUrl: string
}

export interface StartedPayment {
  transaction: string | null
  redirectUrl: string
  request: Details
  response: Details
}

export type OrderReport = Omit<PaymentReport, 'source'> & { response: Details }

export interface CallbackRequest {
  method: string
  /** Path and query. */
  path: string
  query: URLSearchParams
  headers: IncomingHttpHeaders
  body: Buffer
  now: Date
}

/** A proven callback: the order that it names by our reference or by the provider's number, and what it says; null: only that there is news. */
export interface ProvenCallback {
  reference: string | null
  transaction: string | null
  report: OrderReport | null
}

/** The sender of a callback did not prove to be the provider. */
export class UnprovenError extends Error {}

/** What every payment provider can do. Amounts are minor units. All functions but `readCallback` throw ProviderError. */
export interface PaymentAdapter {
  /** Creates the order at the provider. The same reference again is the same order. */
  create(account: PaymentAccount, order: OrderToPay): Promise<StartedPayment>
  /** Throws UnprovenError, or ProviderError where the provider itself checks the signature. */
  readCallback(account: PaymentAccount, request: CallbackRequest): Promise<ProvenCallback>
  /** What the provider says about the order now. */
  query(account: PaymentAccount, order: OrderToPay): Promise<OrderReport>
  /** Makes a harmless call with the credentials. */
  test(account: PaymentAccount): Promise<void>
}

/** Compares texts in constant time. */
export const isSame = (one: string, other: string): boolean => {
  const [a, b] = [one, other].map((text) => createHash('sha256').update(text).digest()) as [Buffer, Buffer]
  return timingSafeEqual(a, b)
}

export const textOf = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? value.slice(0, 200) : typeof value === 'number' ? String(value) : null

/** A whole number of minor units, as a number or in digits. */
export const unitsOf = (value: unknown): number | null => {
  const number = typeof value === 'string' && /^\d{1,12}$/.test(value) ? Number(value) : value
  return typeof number === 'number' && Number.isSafeInteger(number) ? number : null
}

type Fields = Readonly<Record<string, unknown>>
export const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {}
export const firstOf = (value: unknown): Fields => fieldsOf(Array.isArray(value) ? value[0] : undefined)

/** A JSON body; anything else proves nothing. */
export function jsonOf(body: Buffer): Fields {
  try {
    return fieldsOf(JSON.parse(body.toString('utf8')))
  } catch {
    throw new UnprovenError()
  }
}
