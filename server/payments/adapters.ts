import type { WebPaymentType } from '#contract/vocabulary/web-payment.ts'
import type { PaymentAdapter } from './adapter.ts'
import { gateway } from './gateway.ts'
import { nexi } from './nexi.ts'
import { paypal } from './paypal.ts'
import { satispay } from './satispay.ts'

/** The adapter of each type of service. */
const adapters = { 0: nexi, 1: paypal, 2: satispay, 3: gateway, 4: gateway } as const satisfies Record<
  WebPaymentType,
  PaymentAdapter
>

export function adapterOf(type: number): PaymentAdapter {
  const adapter = (adapters as Readonly<Record<number, PaymentAdapter>>)[type]
  if (!adapter) throw new Error(`There is no payment adapter of type ${type}.`)
  return adapter
}
