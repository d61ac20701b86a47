import { ProductError } from '#contract/errors.ts'
import { Client, type clients } from '#contract/merchants/client.ts'
import { type clientEdits, NewClient } from '#contract/merchants/client-edit.ts'
import { writePostalCode } from '#contract/rules/postal-code.ts'
import { vatCodeOf } from '#contract/rules/vat-code.ts'
import { withinScope } from '#database/frame/tenant.ts'
import { listAssigned } from '#database/machines/assigned-machines.ts'
import { clientList, machinesAtClient } from '#database/merchants/client.ts'
import { keepPlaceName, noteFormerAgreement } from '#database/sales/former-terms.ts'
import { namesOf, rulesNaming } from '#database/updates/rules-using.ts'
import { editable } from '#server/http/editable.ts'
import type { Handlers } from '#server/http/handler.ts'
import { wireOf } from '#server/http/wire.ts'
import { moveMachines, presentAssigned } from '../machines/move-machines.ts'

/** A client with its codes in their stored form. */
export const storedClient = (client: NewClient): NewClient => ({
  ...client,
  zipCode: client.zipCode && writePostalCode(client.country, client.zipCode),
  vatCode: client.vatCode && (vatCodeOf(client.vatCode, client.country) ?? null),
})

export const clientRecord = editable({
  noun: 'client',
  rows: clientList,
  fields: NewClient,
  stored: storedClient,
  present: (client) => wireOf(Client, client),
  duplicates: { clients_code: ['ClientAlreadyExists', 'code'], clients_name: ['ClientAlreadyExists', 'name'] },
  blockedBy: machinesAtClient,
  ending: async ({ db, now }, client, after) => {
    await noteFormerAgreement(db, client, after, now)
    if (!after) await keepPlaceName(db, client)
  },
  clear: async ({ db }, client) => {
    const using = await rulesNaming(db, 'clientIds', client)
    const names = namesOf(using)
    if (names.length > 0)
      throw new ProductError('ClientHasUpdateRules', { rules: using.rules, names: names.join(', ') })
  },
})

/** Clients of a merchant and their machines. */
export const clientHandlers: Handlers<typeof clients & typeof clientEdits> = {
  ...clientRecord.handlers,

  listClientMachines: async ({ db, params, query }) => {
    const { merchant_id, id } = await clientRecord.of(db, params.clientId)
    const { rows, total, capped } = await listAssigned(db, { merchant_id, id, column: 'client_id' }, query)
    return { items: rows.map(presentAssigned), total, capped }
  },

  moveClientMachines: async (call) => {
    const db = withinScope(call.db, call.user.scope)
    const client = await clientRecord.use(db, call.params.clientId)
    return moveMachines({ ...call, db }, { ...client, column: 'client_id' }, call.body)
  },
}
