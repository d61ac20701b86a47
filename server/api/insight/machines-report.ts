import { toWireOrNull } from '#contract/frame/instant.ts'
import type { MachinesReportRow, machinesReports } from '#contract/insight/machines-report.ts'
import { listMachinesReport, type ReportRecord } from '#database/insight/machines-report.ts'
import type { Handlers } from '#server/http/handler.ts'
import { refuseReversed } from '#server/http/refuse.ts'

const presentReportRow = (row: ReportRecord): MachinesReportRow => ({
  merchantId: row.merchant_id,
  merchantName: row.merchant_name,
  timeZone: row.time_zone,
  deviceType: row.device_type,
  firmwareVersion: row.firmware_version,
  connection: row.connection,
  warranty: row.warranty,
  machines: row.machines,
  created: row.created,
  withoutData: row.without_data,
  lastSeenAt: toWireOrNull(row.last_seen_at),
})

export const machinesReportHandlers: Handlers<typeof machinesReports> = {
  listMachinesReport: async ({ db, query }) => {
    refuseReversed(query)
    const { rows, total, capped } = await listMachinesReport(db, query, query)
    return { items: rows.map(presentReportRow), total, capped }
  },
}
