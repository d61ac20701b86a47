import { sql } from 'kysely'
import { sapCodeOrdering, sapCodesMatching } from '../merchants/sap-code.ts'
import { type ExportSource, homeOf, rowsOf } from './source.ts'

/** What merchants' keys are called in SAP, as searched for and sorted. */
export const sapCodesSource: ExportSource<'sapCodes'> = {
  ...homeOf('merchants'),
  columns: {
    code: { code: { heading: 'merchant:sapCode.code', kind: 'text', sql: sql`key_sap_codes.code` } },
    description: {
      description: { heading: 'merchant:sapCode.description', kind: 'text', sql: sql`key_sap_codes.description` },
    },
    createdAt: {
      createdAt: { heading: 'merchant:sapCode.createdAt', kind: 'instant', sql: sql`key_sap_codes.created_at` },
    },
  },
  open: async (db, order) =>
    rowsOf(
      sapCodesMatching(db, order.filter)().innerJoin('merchants', 'merchants.id', 'key_sap_codes.merchant_id'),
      sapCodeOrdering(order),
    ),
}
