import type { MachinesReportRow } from '#contract/insight/machines-report.ts'
import { placeInMerchant } from '#portal/app/merchant.tsx'
import type { Place } from '#portal/app/place.ts'

/** The list of the machines that a row counts, or of a part of them. */
export function placeOfReportRow(row: MachinesReportRow, some: Record<string, string | string[]> = {}): Place {
  const { merchantId, deviceType, firmwareVersion, connection, warranty } = row
  return placeInMerchant(merchantId, {
    to: '/devices/list',
    search: {
      deviceTypes: deviceType,
      ...(firmwareVersion === null ? {} : { firmwareVersions: firmwareVersion }),
      ...(connection === null ? {} : { connections: String(connection) }),
      ...(warranty === null ? {} : { warranties: warranty }),
      ...some,
    },
  })
}
