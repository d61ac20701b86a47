import { z } from 'zod'
import { saying } from '../frame/broken.ts'
import { endpoint } from '../frame/endpoint.ts'
import type { ExportedList } from '../frame/exported-list.ts'
import { ids } from '../frame/ids.ts'
import { type ListColumns, ordsOf } from '../frame/list-columns.ts'
import { withOptionalTotals } from '../frame/list-totals.ts'
import { recordOf } from '../frame/record-of.ts'
import { Flag, LineText, oneOrMany, paged, pageOf, Search, Text } from '../frame/shapes.ts'
import {
  AssignedFilters,
  AssignedMachine,
  assignedOrds,
  MovedMachines,
  MoveMachines,
} from '../machines/assigned-machine.ts'
import { wholeBetween } from '../rules/number.ts'
import { Email, WebAddress } from '../rules/text.ts'
import { PosSector } from '../vocabulary/pos-sector.ts'
import { Country } from '../vocabulary/world/countries.ts'

export const commissionKinds = ['none', 'percent', 'perVend'] as const
export const CommissionKind = z.enum(commissionKinds)
export type CommissionKind = z.infer<typeof CommissionKind>

const line = (longest: number) => LineText.trim().min(1).max(longest)
const orNothing = <T extends z.ZodType>(rule: T) => rule.nullable().default(null)

/** With up to two decimals. */
const Percent = z
  .number()
  .min(0)
  .max(100)
  .refine((percent) => Math.abs(percent * 100 - Math.round(percent * 100)) < 1e-6, saying('format'))

/** What people fill in. The rules of phone numbers, postal codes and VAT codes are in `NewClient`: they weigh more than all else. */
export const ClientFields = z.strictObject({
  code: line(50),
  name: line(200),
  companyName: orNothing(line(200)),
  sector: orNothing(PosSector),
  country: Country,
  address: orNothing(line(200)),
  zipCode: orNothing(line(20)),
  city: orNothing(line(100)),
  province: orNothing(line(100)),
  phone: orNothing(Text),
  website: orNothing(WebAddress),
  vatCode: orNothing(line(40)),
  contactName: orNothing(line(200)),
  contactEmail: orNothing(Email),
  /** What the client gets of sales less refunds (`percent`), or minor units of each paid vend. */
  commissionKind: CommissionKind.default('none'),
  commissionPercent: orNothing(Percent),
  commissionPerVend: orNothing(wholeBetween(0, 1_000_000_000)),
})

/**
 * A client: hosts machines of a merchant. All users of the merchant see its clients; `machines` are those of the reader's own groups,
 * hidden ones as well. `vatCode` is bare, `phone` in E.164, `zipCode` as its country writes it.
 */
export const Client = recordOf(ClientFields, { machines: z.int() }, { country: z.string() })
export type Client = z.infer<typeof Client>

export const ClientFilters = z.strictObject({
  /** Search in code, name, company, city, VAT code and contact. */
  search: Search.optional(),
  countries: oneOrMany(Country),
  sectors: oneOrMany(PosSector),
  /** Clients with machines of the reader's groups, or without. */
  hasMachines: Flag.optional(),
  clientIds: oneOrMany(ids.clientId),
})
export type ClientFilters = z.infer<typeof ClientFilters>

export const clientColumns = {
  name: { kind: 'text', heading: 'client:field.name' },
  code: { kind: 'text', heading: 'client:field.code' },
  merchant: { kind: 'text', heading: 'client:column.merchant' },
  companyName: { kind: 'text', heading: 'client:field.companyName' },
  sector: { kind: 'word', heading: 'client:field.sector', of: 'posSector' },
  address: { kind: 'text', heading: 'client:column.address' },
  zipCode: { kind: 'text', heading: 'client:column.zipCode' },
  city: { kind: 'text', heading: 'client:column.city' },
  province: { kind: 'text', heading: 'client:column.province' },
  country: { kind: 'country', heading: 'client:filter.country' },
  vatCode: { kind: 'text', heading: 'client:field.vatCode' },
  contactName: { kind: 'text', heading: 'client:field.contactName' },
  contactEmail: { kind: 'text', heading: 'client:field.contactEmail' },
  phone: { kind: 'text', heading: 'client:field.phone' },
  website: { kind: 'text', heading: 'client:field.website' },
  commission: {
    facts: {
      commissionPercent: { kind: 'percent', heading: 'client:field.commissionKind' },
      commissionPerVend: { kind: 'amount', heading: 'client:column.commissionPerVend' },
    },
  },
  machines: { kind: 'number', heading: 'client:column.machines' },
  createdAt: { kind: 'instant', heading: 'client:column.created' },
  id: { kind: 'plain', heading: 'client:column.id' },
} as const satisfies ListColumns

export const clientOrds = ordsOf(clientColumns, 'name')

/** Maximum blocking objects that are named; all of them are counted. */
export const mostClientBlockers = 20

/** Facts of `ClientInUse`. Machines of other groups than the reader's are neither counted nor named. */
export const ClientBlockers = z.strictObject({
  machines: z.int(),
  firstMachines: z.array(z.strictObject({ id: z.uuid(), name: z.string() })),
  hasOthers: z.boolean(),
})
export type ClientBlockers = z.infer<typeof ClientBlockers>

export const clients = {
  listClients: endpoint({
    method: 'GET',
    path: '/merchants/{merchantId}/clients',
    summary: 'List clients',
    needs: 'client.read',
    topics: ['client'],
    query: ClientFilters.extend(paged(clientOrds)),
    ok: pageOf(Client).extend(withOptionalTotals),
  }),
  getClient: endpoint({
    method: 'GET',
    path: '/merchants/{merchantId}/clients/{clientId}',
    summary: 'Get a client',
    needs: 'client.read',
    topics: ['client'],
    ok: Client,
    fails: ['ClientNotFound'],
  }),
  deleteClient: endpoint({
    method: 'DELETE',
    path: '/merchants/{merchantId}/clients/{clientId}',
    summary: 'Delete a client without machines and update rules',
    needs: 'client.write',
    fails: ['ClientNotFound', 'ClientInUse', 'ClientHasUpdateRules'],
  }),
  listClientMachines: endpoint({
    method: 'GET',
    path: '/merchants/{merchantId}/clients/{clientId}/pos',
    summary: 'List machines at a client, or elsewhere',
    needs: 'client.read',
    finds: ['clientId'],
    topics: ['group', 'client', 'machine'],
    query: AssignedFilters.extend(paged(assignedOrds)),
    ok: pageOf(AssignedMachine),
    fails: ['ClientNotFound'],
  }),
  moveClientMachines: endpoint({
    method: 'PUT',
    path: '/merchants/{merchantId}/clients/{clientId}/pos',
    summary: 'Assign machines to a client and remove machines: all of them or, if one is out of reach, none',
    needs: 'client.write',
    body: MoveMachines,
    ok: MovedMachines,
    fails: ['ClientNotFound', 'MachineNotFound', 'SelectionChanged'],
    timeOut: 'large',
  }),
}

/** The list as a file. */
export const exportedClients = {
  row: clients.listClients,
  filters: ClientFilters,
  ords: clientOrds,
  columns: clientColumns,
} as const satisfies ExportedList
