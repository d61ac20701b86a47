import { z } from 'zod'
import { saying } from '../frame/broken.ts'
import { endpoint } from '../frame/endpoint.ts'
import { Language } from '../vocabulary/world/languages.ts'

/** A calendar month of the merchant's clock, such as `2026-10`. */
const Month = z.string().regex(/^(20|21)\d\d-(0[1-9]|1[0-2])$/, saying('date'))

export const clientStatements = {
  getClientStatement: endpoint({
    method: 'GET',
    path: '/merchants/{merchantId}/clients/{clientId}/statement',
    summary: 'Get a client’s monthly statement as PDF: sales, refunds, vends and commission by machine',
    needs: 'client.read',
    finds: ['clientId'],
    query: z.strictObject({ month: Month, language: Language.optional() }),
    produces: 'application/pdf',
    fails: ['ClientNotFound'],
  }),
}
