import { z } from 'zod'
import { always, saying } from '../frame/broken.ts'
import { editOf } from '../frame/editing.ts'
import { endpoint } from '../frame/endpoint.ts'
import { Phone } from '../rules/phone.ts'
import { postalCodeBy } from '../rules/postal-code.ts'
import { vatCodeBy } from '../rules/vat-code.ts'
import { Client, ClientFields, type CommissionKind } from './client.ts'

/*
 * What people say of a client. Apart from the rows that read them, since the rules of phone numbers and VAT codes weigh more than
 * all else that a list of clients needs.
 */

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

export const NewClient = ClientFields.safeExtend({ phone: Phone.nullable().default(null) })
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
