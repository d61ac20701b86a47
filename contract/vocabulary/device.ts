import { z } from 'zod'

/** Machine models, by the code they report. */
export const deviceTypes = ['CUNI', 'CENG', 'CHEX', 'LITHOS', 'CEMB', 'AZNE', 'AZVT', 'CDUK', 'CELY', 'AZNS'] as const
export const DeviceType = z.enum(deviceTypes)
export type DeviceType = z.infer<typeof DeviceType>

/** Trade names of the models; proper names, alike in every language. */
export const deviceTypeNames = {
  CUNI: 'Unica',
  CENG: 'Engine',
  CHEX: 'Hexis',
  LITHOS: 'Lithos-Creos',
  CEMB: 'Palladium Touch',
  AZNE: 'NeoQ',
  AZVT: 'Vitro',
  CDUK: 'Digital Update Kit',
  CELY: 'Elysium',
  AZNS: 'NeoQs',
} as const satisfies Record<DeviceType, string>

export const networkTypes = ['2G', '3G', '4G', '5G', 'Ethernet', 'Wifi'] as const
export const NetworkType = z.enum(networkTypes)
export type NetworkType = z.infer<typeof NetworkType>

/** Connection of a machine, by number: 0 offline, 1 online, 2 unknown. */
export const connections = { offline: 0, online: 1, unknown: 2 } as const
export const Connection = z.literal([0, 1, 2])
export type Connection = z.infer<typeof Connection>

/** State of a machine, by number: 1 correct, 2 warning, 3 critical. */
export const posStatuses = { correct: 1, warning: 2, critical: 3 } as const
export const PosStatus = z.literal([1, 2, 3])
export type PosStatus = z.infer<typeof PosStatus>

/** A machine needs attention when its POS status is one of these. The dashboard, the list's tab and all counts use this list. */
export const attentionStatuses = [posStatuses.warning, posStatuses.critical] as const

/** Models with configurations of the visual programmer: all but the update kit, which has no menu of its own. */
export type VpDeviceType = Exclude<DeviceType, 'CDUK'>
export const vpDeviceTypes = deviceTypes.filter((type): type is VpDeviceType => type !== 'CDUK')
export const VpDeviceType = z.enum(vpDeviceTypes)
