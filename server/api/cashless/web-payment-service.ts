import { randomUUIDv7 } from 'node:crypto'
import {
  WebPaymentService,
  type WebPaymentServiceFilters,
  type webPaymentServiceOrds,
  type webPaymentServices,
} from '#contract/cashless/web-payment-service.ts'
import { ProductError } from '#contract/errors.ts'
import {
  insertService,
  merchantsOfServices,
  paymentService,
  paymentServices,
  removeService,
  type ServiceRecord,
  writeService,
} from '#database/cashless/web-payment-service.ts'
import { isFoundIn } from '#domain/frame/folded.ts'
import type { Handlers } from '#server/http/handler.ts'
import { pageIn, type Sortable, sortedBy } from '#server/http/short-list.ts'
import { wireOf } from '#server/http/wire.ts'

const present = (row: ServiceRecord, merchants: number): WebPaymentService =>
  wireOf(WebPaymentService, row, { merchants })

/** Everything is encrypted on its way to a provider, but not to a sandbox on this machine. */
function refuseOpenAddress(url: string, isProduction: boolean): void {
  if (!isProduction || url.startsWith('https:')) return
  const fault = { path: 'url', code: 'custom', message: 'rule.url', rule: 'rule.url' }
  throw new ProductError('ValidationFailed', { errors: [fault] })
}

const matches = (row: ServiceRecord, { search, types }: WebPaymentServiceFilters) => {
  const isOfType = !types || types.length === 0 || types.includes(row.type)
  return isOfType && isFoundIn(`${row.name} ${row.description ?? ''} ${row.url}`, search)
}

type Ord = (typeof webPaymentServiceOrds)[number]
const values: Record<Ord, (row: ServiceRecord, merchants: number) => Sortable> = {
  name: ({ name }) => name,
  type: ({ type }) => type,
  description: ({ description }) => description,
  url: ({ url }) => url,
  merchants: (_, merchants) => merchants,
  createdAt: ({ created_at }) => created_at.getTime(),
}

/** The payment services that the provider of the platform offers to all merchants. There are a few, so they are filtered and sorted here. */
export const webPaymentServiceHandlers: Handlers<typeof webPaymentServices> = {
  listWebPaymentServices: async ({ doors, query }) => {
    const [all, merchants] = await Promise.all([paymentServices(doors), merchantsOfServices(doors)])
    const valueOf = values[query.ord ?? 'name']
    const byName = sortedBy(
      all.filter((row) => matches(row, query)),
      ({ name }) => name,
      {},
    )
    const sorted = sortedBy(byName, (row) => valueOf(row, merchants.get(row.id) ?? 0), query)
    const { items, ...counted } = pageIn(sorted, query)
    return { items: items.map((row) => present(row, merchants.get(row.id) ?? 0)), ...counted }
  },

  getWebPaymentService: async ({ doors, params }) => {
    const row = await paymentService(doors, params.webPaymentServiceId)
    if (!row) throw new ProductError('WebPaymentServiceNotFound')
    return present(row, (await merchantsOfServices(doors)).get(row.id) ?? 0)
  },

  createWebPaymentService: async ({ doors, body, user, now, config }) => {
    refuseOpenAddress(body.url, config.production)
    const row = { ...body, id: randomUUIDv7(), version: 1, created_at: now }
    await insertService(doors, row, user)
    return present(row, 0)
  },

  updateWebPaymentService: async ({ doors, params, body, user, now, config }) => {
    const { version, ...fields } = body
    refuseOpenAddress(fields.url, config.production)
    const stored = await writeService(doors, { id: params.webPaymentServiceId, version, fields, user, at: now })
    if (!stored) throw new ProductError('WebPaymentServiceNotFound')
    const current = present(stored.row, (await merchantsOfServices(doors)).get(stored.row.id) ?? 0)
    if (!stored.isStored) throw new ProductError('EditConflict', { current: current, changedAt: null, changedBy: null })
    return current
  },

  deleteWebPaymentService: async ({ doors, params, user, now }) => {
    await removeService(doors, params.webPaymentServiceId, user, now)
    return undefined
  },
}
