import { randomUUIDv7 } from 'node:crypto'
import type { Client, clients } from '#contract/client.ts'
import type { clientEdits, NewClient } from '#contract/client-edit.ts'
import { ProductError } from '#contract/errors.ts'
import { toWire, toWireOrNull } from '#contract/instant.ts'
import { writePostalCode } from '#contract/rules/postal-code.ts'
import { vatCodeOf } from '#contract/rules/vat-code.ts'
import { allMerchants } from '#contract/vocabulary/merchant.ts'
import { listAssigned } from '#database/assigned-machines.ts'
import { lastChanges, recordChange } from '#database/change-log.ts'
import {
  type ClientRecord,
  clientToDelete,
  clientToEdit,
  clientToUse,
  columnsOf,
  findClient,
  insertClient,
  listClients,
  machinesOf,
  removeClient,
  writeClient,
} from '#database/client.ts'
import { type TenantDb, withinScope } from '#database/tenant.ts'
import { changedFields } from '#domain/editing.ts'
import { seesInvisible } from './as-told.ts'
import type { Handlers, TenantCall } from './handler.ts'
import { moveMachines, presentAssigned } from './move-machines.ts'

/** What people fill in of a client, as it is stored. */
const fieldsOf = (client: ClientRecord) => ({
  code: client.code,
  name: client.name,
  companyName: client.company_name,
  country: client.country,
  address: client.address,
  zipCode: client.zip_code,
  city: client.city,
  province: client.province,
  phone: client.phone,
  website: client.website,
  vatCode: client.vat_code,
  contactName: client.contact_name,
  contactEmail: client.contact_email,
})

const presentClient = (client: ClientRecord): Client => ({
  id: client.id,
  version: client.version,
  merchantId: client.merchant_id,
  merchantName: client.merchant_name,
  timeZone: client.time_zone,
  ...fieldsOf(client),
  machines: client.machines,
  createdAt: toWire(client.created_at),
})

/** Codes as they are stored, however they were written. */
const stored = (client: NewClient): NewClient => ({
  ...client,
  zipCode: client.zipCode && writePostalCode(client.country, client.zipCode),
  vatCode: client.vatCode && (vatCodeOf(client.vatCode, client.country) ?? null),
})

async function clientOf(db: TenantDb, id: string): Promise<ClientRecord> {
  const client = await findClient(db, id)
  if (!client) throw new ProductError('ClientNotFound')
  return client
}

/** Somebody's call on a client, by all that this person may see and not by what is looked at for now. */
const wide = ({ db, user }: Pick<TenantCall, 'db' | 'user'>) => withinScope(db, user.scope)

/** Clients of a merchant, and the machines that stand there. */
export const clientHandlers: Handlers<typeof clients & typeof clientEdits> = {
  listClients: async ({ db, query }) => {
    const { rows, total, capped } = await listClients(db, query, query)
    return { items: rows.map(presentClient), total, capped }
  },

  getClient: async ({ db, params }) => presentClient(await clientOf(db, params.clientId)),

  createClient: async ({ db, params, body, user, now, live }) => {
    const { merchantId } = params
    if (merchantId === allMerchants) throw new ProductError('MerchantNotSelected')
    const [id, client] = [randomUUIDv7(), stored(body)]
    await insertClient(db, { merchant_id: merchantId, id, created_at: now, ...columnsOf(client) })
    const subject = { subjectType: 'client', subjectId: id, after: client }
    await recordChange(db, { merchantId, at: now, user, action: 'client.create', ...subject })
    db.afterCommit(() => live.announce(merchantId, 'client'))
    return presentClient(await clientOf(db, id))
  },

  updateClient: async (call) => {
    const { params, user, now, live } = call
    const db = wide(call)
    if (!(await clientToEdit(db, params.clientId))) throw new ProductError('ClientNotFound')
    const before = await clientOf(db, params.clientId)
    const { version, ...given } = call.body
    const after = stored(given)
    if (changedFields(after, fieldsOf(before)).length === 0) return presentClient(before)
    if (version !== before.version) {
      const change = (await lastChanges(db, 'client', [before.id], seesInvisible(user))).get(before.id)
      throw new ProductError('EditConflict', {
        current: presentClient(before),
        changedAt: toWireOrNull(change?.at ?? null),
        changedBy: change?.by ?? null,
      })
    }
    await writeClient(db, before, columnsOf(after))
    const merchantId = before.merchant_id
    const subject = { subjectType: 'client', subjectId: before.id, before: fieldsOf(before), after }
    await recordChange(db, { merchantId, at: now, user, action: 'client.update', ...subject })
    db.afterCommit(() => live.announce(merchantId, 'client'))
    return presentClient(await clientOf(db, before.id))
  },

  deleteClient: async (call) => {
    const { params, user, now, live } = call
    const db = wide(call)
    if (!(await clientToDelete(db, params.clientId))) throw new ProductError('ClientNotFound')
    const client = await clientOf(db, params.clientId)
    const blockers = await machinesOf(db, client)
    if (blockers.machines > 0 || blockers.hasOthers) throw new ProductError('ClientInUse', { ...blockers })
    await removeClient(db, client)
    const merchantId = client.merchant_id
    const subject = { subjectType: 'client', subjectId: client.id, before: fieldsOf(client) }
    await recordChange(db, { merchantId, at: now, user, action: 'client.delete', ...subject })
    db.afterCommit(() => live.announce(merchantId, 'client'))
    return undefined
  },

  listClientMachines: async ({ db, params, query }) => {
    const { merchant_id, id } = await clientOf(db, params.clientId)
    const { rows, total, capped } = await listAssigned(db, { merchant_id, id, column: 'client_id' }, query, query)
    return { items: rows.map(presentAssigned), total, capped }
  },

  moveClientMachines: async (call) => {
    const db = wide(call)
    const client = await clientToUse(db, call.params.clientId)
    if (!client) throw new ProductError('ClientNotFound')
    return moveMachines({ ...call, db }, { ...client, column: 'client_id' }, call.body)
  },
}
