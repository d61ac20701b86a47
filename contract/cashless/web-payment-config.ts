import { z } from 'zod'
import { Version } from '../frame/editing.ts'
import { endpoint } from '../frame/endpoint.ts'
import { Instant, LineText, Text } from '../frame/shapes.ts'

/**
 * A merchant's account with a payment service. Secrets are never sent: `secrets` has the names of the stored secrets. `version` is 0 before
 * the first save.
 */
export const WebPaymentConfig = z.strictObject({
  serviceId: z.uuid(),
  serviceName: z.string(),
  serviceDescription: z.string().nullable(),
  serviceType: z.int(),
  version: z.int(),
  /** Whether payers are offered it. */
  isActive: z.boolean(),
  /** Credentials that are no secrets. */
  credentials: z.record(z.string(), z.string()),
  secrets: z.array(z.string()),
  setAt: Instant.nullable(),
  setBy: z.string().nullable(),
  /** The address to enter at the provider, where it is not sent with each order; null before the first save. */
  callbackUrl: z.string().nullable(),
})
export type WebPaymentConfig = z.infer<typeof WebPaymentConfig>

const name = Text.min(1).max(40)
export const EditedWebPaymentConfig = z.strictObject({
  version: z.union([z.literal(0), Version]),
  isActive: z.boolean(),
  credentials: z.record(name, LineText.trim().max(500)),
  /** Only the secrets that change; the others stay. */
  secrets: z.record(name, Text.trim().min(1).max(8000)).default({}),
})

export type EditedWebPaymentConfig = z.output<typeof EditedWebPaymentConfig>

/** The form: a secret that is left empty stays. */
export const WebPaymentConfigForm = z.strictObject({
  isActive: z.boolean(),
  credentials: z.record(name, LineText.trim().max(500)),
  secrets: z.record(name, Text.max(8000)),
})
export type WebPaymentConfigForm = z.output<typeof WebPaymentConfigForm>

/** Whether the provider accepts the credentials. */
export const WebPaymentTrial = z.strictObject({
  works: z.boolean(),
  problem: z.enum(['refused', 'unreachable']).nullable(),
})
export type WebPaymentTrial = z.infer<typeof WebPaymentTrial>

/** A service that payers can use now. */
export const WebPaymentChoice = z.strictObject({ serviceId: z.uuid(), serviceName: z.string(), serviceType: z.int() })
export type WebPaymentChoice = z.infer<typeof WebPaymentChoice>

export const webPaymentConfigs = {
  listWebPaymentConfigs: endpoint({
    method: 'GET',
    path: '/merchants/{merchantId}/webpaymentconfigs',
    summary: 'List the payment services with the merchant’s accounts, without secrets',
    needs: 'settings.read',
    feature: 'webPayments',
    topics: ['merchant'],
    ok: z.array(WebPaymentConfig),
    fails: ['MerchantNotFoundException'],
  }),
  listWebPaymentChoices: endpoint({
    method: 'GET',
    path: '/merchants/{merchantId}/webpaymentconfigs/active',
    summary: 'List the payment services with which payers can pay',
    needs: 'webPaymentOrder.write',
    feature: 'webPayments',
    topics: ['merchant'],
    ok: z.array(WebPaymentChoice),
    fails: ['MerchantNotFoundException'],
  }),
  updateWebPaymentConfig: endpoint({
    method: 'PUT',
    path: '/merchants/{merchantId}/webpaymentconfigs/{serviceId}',
    summary: 'Save the merchant’s credentials for a payment service',
    needs: 'settings.write',
    feature: 'webPayments',
    params: { serviceId: z.uuid() },
    body: EditedWebPaymentConfig,
    ok: WebPaymentConfig,
    fails: ['MerchantNotFoundException', 'WebPaymentServiceNotFound', 'EditConflict'],
  }),
  tryWebPaymentConfig: endpoint({
    method: 'POST',
    path: '/merchants/{merchantId}/webpaymentconfigs/{serviceId}/try',
    summary: 'Check the saved credentials with a call to the provider',
    needs: 'settings.write',
    feature: 'webPayments',
    limit: 'webPaymentTrial',
    params: { serviceId: z.uuid() },
    ok: WebPaymentTrial,
    fails: ['MerchantNotFoundException', 'WebPaymentServiceNotFound', 'WebPaymentNotConfigured'],
  }),
}
