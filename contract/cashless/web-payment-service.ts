import { z } from 'zod'
import { nameOf } from '#contract/vocabulary/numbers.ts'
import { saying } from '../frame/broken.ts'
import { editOf, Version } from '../frame/editing.ts'
import { endpoint } from '../frame/endpoint.ts'
import { type ListColumns, ordsOf } from '../frame/list-columns.ts'
import { Instant, LineText, oneOrMany, paged, pageOf, Search, Text } from '../frame/shapes.ts'
import { WebAddress } from '../rules/text.ts'
import { webPaymentTypes } from '../vocabulary/web-payment.ts'

/** The number of a provider in `webPaymentTypes`. */
export const WebPaymentTypeNumber = z
  .int()
  .refine((type) => nameOf(webPaymentTypes, type) !== undefined, saying('choice'))

/** A payment service as the super admin enters it. `url`: the root of the provider's API. */
export const NewWebPaymentService = z.strictObject({
  name: LineText.trim().min(1).max(120),
  description: Text.trim().min(1).max(500).nullable().default(null),
  url: WebAddress,
  type: WebPaymentTypeNumber,
})
export type NewWebPaymentService = z.output<typeof NewWebPaymentService>

export const WebPaymentService = z.strictObject({
  id: z.uuid(),
  version: Version,
  name: z.string(),
  description: z.string().nullable(),
  url: z.string(),
  type: z.int(),
  /** Merchants with credentials for it. */
  merchants: z.int(),
  createdAt: Instant,
})
export type WebPaymentService = z.infer<typeof WebPaymentService>

export const WebPaymentServiceFilters = z.strictObject({
  /** Search in name, description and address. */
  search: Search.optional(),
  types: oneOrMany(z.coerce.number().pipe(WebPaymentTypeNumber)),
})
export type WebPaymentServiceFilters = z.infer<typeof WebPaymentServiceFilters>

export const webPaymentServiceColumns = {
  name: { kind: 'text', heading: 'web-payment-service:field.name' },
  type: { kind: 'plain', heading: 'web-payment-service:field.type' },
  description: { kind: 'text', heading: 'web-payment-service:field.description' },
  url: { kind: 'text', heading: 'web-payment-service:field.url' },
  merchants: { kind: 'number', heading: 'web-payment-service:column.merchants' },
  createdAt: { kind: 'instant', heading: 'web-payment-service:column.created' },
} as const satisfies ListColumns

export const webPaymentServiceOrds = ordsOf(webPaymentServiceColumns, 'name')

export const webPaymentServices = {
  listWebPaymentServices: endpoint({
    method: 'GET',
    path: '/webpaymentservices',
    summary: 'List the payment services that merchants are offered',
    needs: 'webPaymentService.read',
    query: WebPaymentServiceFilters.extend(paged(webPaymentServiceOrds)),
    ok: pageOf(WebPaymentService),
  }),
  getWebPaymentService: endpoint({
    method: 'GET',
    path: '/webpaymentservices/{webPaymentServiceId}',
    summary: 'Get a payment service',
    needs: 'webPaymentService.read',
    ok: WebPaymentService,
    fails: ['WebPaymentServiceNotFound'],
  }),
  createWebPaymentService: endpoint({
    method: 'POST',
    path: '/webpaymentservices',
    summary: 'Create a payment service',
    needs: 'webPaymentService.write',
    body: NewWebPaymentService,
    ok: WebPaymentService,
    status: 201,
    fails: ['WebPaymentServiceAlreadyExists'],
  }),
  updateWebPaymentService: endpoint({
    method: 'PUT',
    path: '/webpaymentservices/{webPaymentServiceId}',
    summary: 'Update a payment service. The type of a service in use cannot change',
    needs: 'webPaymentService.write',
    body: editOf(NewWebPaymentService),
    ok: WebPaymentService,
    fails: ['WebPaymentServiceNotFound', 'WebPaymentServiceAlreadyExists', 'WebPaymentServiceInUse', 'EditConflict'],
  }),
  deleteWebPaymentService: endpoint({
    method: 'DELETE',
    path: '/webpaymentservices/{webPaymentServiceId}',
    summary: 'Delete a payment service that no merchant has credentials for',
    needs: 'webPaymentService.write',
    fails: ['WebPaymentServiceNotFound', 'WebPaymentServiceInUse'],
  }),
}
