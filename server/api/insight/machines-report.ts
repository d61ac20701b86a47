import { MachinesReportRow, type machinesReports } from '#contract/insight/machines-report.ts'
import { listMachinesReport, type ReportRecord } from '#database/insight/machines-report.ts'
import type { Handlers } from '#server/http/handler.ts'
import { refuseReversed } from '#server/http/refuse.ts'
import { wireOf } from '#server/http/wire.ts'

const presentReportRow = (row: ReportRecord): MachinesReportRow => wireOf(MachinesReportRow, row)

export const machinesReportHandlers: Handlers<typeof machinesReports> = {
  listMachinesReport: async ({ db, query }) => {
    refuseReversed(query)
    const { rows, total, capped, totals } = await listMachinesReport(db, query)
    return {
      items: rows.map(presentReportRow),
      total,
      capped,
      totals: totals ? [{ currency: null, values: totals }] : [],
    }
  },
}
