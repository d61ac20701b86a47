import { NewSapCode, SapCode } from '#contract/merchants/sap-code.ts'
import { sapCodeList } from '#database/merchants/sap-code.ts'
import { editable } from '#server/http/editable.ts'
import { wireOf } from '#server/http/wire.ts'

/** What a merchant's keys are called in SAP. */
export const sapCodeRecord = editable({
  noun: 'sapCode',
  rows: sapCodeList,
  fields: NewSapCode,
  present: (row) => wireOf(SapCode, row),
  duplicates: { key_sap_codes_by_code: ['SapCodeTaken', 'code'] },
})
