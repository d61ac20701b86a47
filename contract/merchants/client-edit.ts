import { z } from 'zod'
import { editOf } from '../frame/editing.ts'
import { endpoint } from '../frame/endpoint.ts'
import { LineText } from '../frame/shapes.ts'
import { always, saying } from '../rules/broken.ts'
import { wholeBetween } from '../rules/number.ts'
import { Phone } from '../rules/phone.ts'
import { postalCodeBy } from '../rules/postal-code.ts'
import { Email, WebAddress } from '../rules/text.ts'
import { vatCodeBy } from '../rules/vat-code.ts'
import { PosSector } from '../vocabulary/pos-sector.ts'
import { Country } from '../vocabulary/world/countries.ts'
import { Client, CommissionKind } from './client.ts'

/*
 * What people say of a client. Apart from the rows that read them, since the rules of phone numbers and VAT codes weigh more than
 * all else that a list of clients needs.
 */

const line = (longest: number) => LineText.trim().min(1).max(longest)
const orNothing = <T extends z.ZodType>(rule: T) => rule.nullable().default(null)

/** With up to two decimals. */
const Percent = z
  .number()
  .min(0)
  .max(100)
  .refine((percent) => Math.abs(percent * 100 - Math.round(percent * 100)) < 1e-6, saying('format'))

const valueOf = { none: undefined, percent: 'commissionPercent', perVend: 'commissionPerVend' } as const
/** The kind of commission needs its value. */
const hasItsCommission = z.superRefine<{
  commissionKind: CommissionKind
  commissionPercent: number | null
  commissionPerVend: number | null
}>((values, context) => {
  const field = valueOf[values.commissionKind]
  if (field && (values[field] ?? null) === null)
    context.addIssue({ code: 'custom', ...saying('required'), path: [field] })
}, always)

export const NewClient = z
  .strictObject({
    code: line(50),
    name: line(200),
    companyName: orNothing(line(200)),
    sector: orNothing(PosSector),
    country: Country,
    address: orNothing(line(200)),
    zipCode: orNothing(line(20)),
    city: orNothing(line(100)),
    province: orNothing(line(100)),
    phone: orNothing(Phone),
    website: orNothing(WebAddress),
    vatCode: orNothing(line(40)),
    contactName: orNothing(line(200)),
    contactEmail: orNothing(Email),
    commissionKind: CommissionKind.default('none'),
    commissionPercent: orNothing(Percent),
    commissionPerVend: orNothing(wholeBetween(0, 1_000_000_000)),
  })
  .check(postalCodeBy('zipCode', 'country'))
  .check(vatCodeBy('vatCode', 'country'))
  .check(hasItsCommission)
export type NewClient = z.output<typeof NewClient>

/** All fields of a client; a missing field is cleared. */
export const UpdateClient = editOf(NewClient)

export const clientEdits = {
  createClient: endpoint({
    method: 'POST',
    path: '/merchants/{merchantId}/clients',
    summary: 'Create a client; an error names the duplicate code or name',
    needs: 'client.write',
    body: NewClient,
    ok: Client,
    status: 201,
    fails: ['MerchantNotSelected', 'ClientAlreadyExists'],
  }),
  updateClient: endpoint({
    method: 'PUT',
    path: '/merchants/{merchantId}/clients/{clientId}',
    summary: 'Update a client',
    needs: 'client.write',
    body: UpdateClient,
    ok: Client,
    fails: ['ClientNotFound', 'ClientAlreadyExists', 'EditConflict'],
  }),
}
