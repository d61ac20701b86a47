import { z } from 'zod'
import { editOf } from '../frame/editing.ts'
import { endpoint } from '../frame/endpoint.ts'
import type { ExportedList } from '../frame/exported-list.ts'
import { type ListColumns, ordsOf } from '../frame/list-columns.ts'
import { recordOf } from '../frame/record-of.ts'
import { LineText, paged, pageOf, Search } from '../frame/shapes.ts'

/** A SAP code of a merchant's keys. */
export const SapCodeFields = {
  /** Unique within its merchant, ignoring case. */
  code: LineText.trim().min(1).max(40),
  description: LineText.trim().max(200),
}

export const NewSapCode = z.strictObject({ ...SapCodeFields, description: SapCodeFields.description.default('') })
/** A code as it is stored. */
export const SapCode = recordOf(NewSapCode).omit({ merchantName: true, timeZone: true })
export type SapCode = z.infer<typeof SapCode>

export const UpdateSapCode = editOf(NewSapCode)

/** `search`: a part of the code or the description. */
export const SapCodeFilters = z.strictObject({ search: Search.optional() })
export type SapCodeFilters = z.infer<typeof SapCodeFilters>

export const sapCodeColumns = {
  code: { kind: 'text', heading: 'merchant:sapCode.code' },
  description: { kind: 'text', heading: 'merchant:sapCode.description' },
  createdAt: { kind: 'instant', heading: 'merchant:sapCode.createdAt' },
} as const satisfies ListColumns

export const sapCodeOrds = ordsOf(sapCodeColumns, 'code')

export const sapCodes = {
  listSapCodes: endpoint({
    method: 'GET',
    path: '/merchants/{merchantId}/sapcodes',
    summary: 'List SAP codes of keys',
    needs: 'merchant.admin',
    topics: ['sapCode'],
    query: SapCodeFilters.extend(paged(sapCodeOrds)),
    ok: pageOf(SapCode),
  }),
  getSapCode: endpoint({
    method: 'GET',
    path: '/merchants/{merchantId}/sapcodes/{sapCodeId}',
    summary: 'Get a SAP code of keys',
    needs: 'merchant.admin',
    topics: ['sapCode'],
    ok: SapCode,
    fails: ['SapCodeNotFound'],
  }),
  createSapCode: endpoint({
    method: 'POST',
    path: '/merchants/{merchantId}/sapcodes',
    summary: 'Create a SAP code of keys',
    needs: 'merchant.admin',
    body: NewSapCode,
    ok: SapCode,
    status: 201,
    fails: ['MerchantNotSelected', 'SapCodeTaken'],
  }),
  updateSapCode: endpoint({
    method: 'PUT',
    path: '/merchants/{merchantId}/sapcodes/{sapCodeId}',
    summary: 'Update a SAP code of keys',
    needs: 'merchant.admin',
    body: UpdateSapCode,
    ok: SapCode,
    fails: ['SapCodeNotFound', 'SapCodeTaken', 'EditConflict'],
  }),
  deleteSapCode: endpoint({
    method: 'DELETE',
    path: '/merchants/{merchantId}/sapcodes/{sapCodeId}',
    summary: 'Delete a SAP code of keys',
    needs: 'merchant.admin',
    fails: ['SapCodeNotFound'],
  }),
}

/** The list as a file. */
export const exportedSapCodes = {
  row: sapCodes.listSapCodes,
  filters: SapCodeFilters,
  ords: sapCodeOrds,
  columns: sapCodeColumns,
} as const satisfies ExportedList
