import { recordList } from '../frame/record-list.ts'

/** What merchants' keys are called in SAP. */
export const sapCodeList = recordList({ list: 'sapCodes', table: 'key_sap_codes' })
