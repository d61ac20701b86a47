import { randomBytes } from 'node:crypto'
import { type ConfigRecord, configById } from '#database/cashless/web-payment-config.ts'
import type { OrderRecord } from '#database/cashless/web-payment-order.ts'
import { paymentService } from '#database/cashless/web-payment-service.ts'
import type { Doors } from '#database/frame/tenant.ts'
import type { Config } from '../config.ts'
import { apiPrefix } from '../http/prefix.ts'
import type { LiveHub } from '../live/hub.ts'
import type { Vault } from '../secrets/vault.ts'
import type { OrderToPay, PaymentAccount, PaymentAdapter } from './adapter.ts'
import { adapterOf } from './adapters.ts'

export interface PaymentDeps {
  doors: Doors
  vault: Vault
  live: Pick<LiveHub, 'announce'>
  config: Pick<Config, 'publicUrl' | 'production'>
}

/** The secrets of an account, encrypted together. */
export const sealSecrets = (vault: Vault, secrets: Readonly<Record<string, string>>): string =>
  Object.keys(secrets).length === 0 ? '' : vault.seal(JSON.stringify(secrets))

export const openSecrets = (vault: Vault, { sealed }: Pick<ConfigRecord, 'sealed'>): Record<string, string> =>
  sealed === '' ? {} : (JSON.parse(vault.open(sealed)) as Record<string, string>)

export const wholeOf = (merchantId: string) => [{ merchantId, groups: 'all' }] as const

/** A merchant's account with its service, ready for calls. */
export interface ReadyAccount {
  adapter: PaymentAdapter
  account: PaymentAccount
}

/** Null: the service is gone. */
export async function readyAccount(
  { doors, vault, config: settings }: PaymentDeps,
  config: ConfigRecord,
): Promise<ReadyAccount | null> {
  const service = await paymentService(doors, config.service_id)
  if (!service) return null
  const account = {
    url: service.url,
    isPublicOnly: settings.production,
    credentials: { ...config.credentials, ...openSecrets(vault, config) },
  }
  return { adapter: adapterOf(service.type), account }
}

/** The account of an order. */
export async function accountOfOrder(deps: PaymentDeps, order: OrderRecord): Promise<ReadyAccount | null> {
  const { merchant_id: merchantId, config_id } = order
  const config = await deps.doors.withTenant(wholeOf(merchantId), (db) => configById(db, merchantId, config_id), 'read')
  return config ? readyAccount(deps, config) : null
}

export const callbackUrlOf = (config: PaymentDeps['config'], merchantId: string, configId: string) =>
  `${config.publicUrl}${apiPrefix}/payments/${merchantId}/${configId}/callback`

/** The link that the payer gets. */
export const payerLinkOf = (config: PaymentDeps['config'], { reference }: Pick<OrderRecord, 'reference'>) =>
  `${config.publicUrl}/pay/${reference}`

export const orderToPay = (config: PaymentDeps['config'], order: OrderRecord): OrderToPay => ({
  reference: order.reference,
  amount: order.amount,
  currency: order.currency,
  description: order.description ?? order.media_serial ?? order.reference,
  transaction: order.transaction_number,
  callbackUrl: callbackUrlOf(config, order.merchant_id, order.config_id),
  returnUrl: `${payerLinkOf(config, order)}/done`,
})

const letters = '0123456789abcdefghijklmnopqrstuv'
/** 26 letters and digits with 130 random bits: Nexi takes at most 30 of them. */
export const newReference = () => [...randomBytes(26)].map((byte) => letters[byte % 32]).join('')
