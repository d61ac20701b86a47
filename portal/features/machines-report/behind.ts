import type { MachinesReportRow } from '#contract/machines-report.ts'
import type { Place } from '../../ui/list/types.ts'

/** The list of the machines that a row counts, or of some of them. */
export function behind(row: MachinesReportRow, some: Record<string, string | string[]> = {}): Place {
  const { merchantId, deviceType, firmwareVersion, connection, warranty } = row
  return {
    to: '/devices/list',
    search: {
      merchant: merchantId,
      deviceTypes: deviceType,
      ...(firmwareVersion === null ? {} : { firmwareVersions: firmwareVersion }),
      ...(connection === null ? {} : { connections: String(connection) }),
      ...(warranty === null ? {} : { warranties: warranty }),
      ...some,
    },
  }
}
