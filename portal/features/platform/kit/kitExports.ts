import type { ExportJob } from '#contract/export/export.ts'
import { allMerchants } from '#contract/vocabulary/merchant.ts'

const job: ExportJob = {
  id: '0193fe10-0000-7000-8000-000000000001',
  merchantId: allMerchants,
  list: 'machines',
  format: 'csv',
  status: 'waiting',
  failure: null,
  total: null,
  written: 0,
  size: null,
  fileName: null,
  link: null,
  createdAt: '2026-11-21T08:00:00.000',
  endedAt: null,
  expiresAt: null,
}
const states: Partial<ExportJob>[] = [
  {},
  { status: 'running' },
  { status: 'running', total: 20_000, written: 7919 },
  {
    status: 'done',
    written: 45,
    fileName: 'kit.csv',
    link: 'data:text/csv,Vitro',
    expiresAt: '2026-11-22T08:00:00.000',
  },
  { status: 'done', written: 45, fileName: 'kit.csv', expiresAt: '2026-11-21T08:00:00.000' },
  { status: 'failed', failure: 'Internal' },
  { status: 'cancelled' },
]

/** A user's exports, one in each state. */
export const kitExports: readonly ExportJob[] = states.map((state, index) => ({
  ...job,
  ...state,
  id: job.id.replace(/.$/, String(index)),
}))
