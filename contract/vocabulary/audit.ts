import { z } from 'zod'

/** Why an audit was read, 0 to 6; the numbers' meanings are Gettone's registry, an unknown number is shown as it came. */
export const auditOrigins = {
  0: 'unknown',
  1: 'scheduled',
  2: 'remoteCommand',
  3: 'onSite',
  4: 'collection',
  5: 'upload',
  6: 'boot',
} as const satisfies Record<number, string>
export const AuditOrigin = z.int().min(0).max(255)

/** The port it came through. */
export const auditPorts = ['dex', 'ddcmp', 'infrared', 'mqtt', 'http', 'unknown'] as const
export const AuditPort = z.enum(auditPorts)
export type AuditPort = z.infer<typeof AuditPort>

export const crcVerdicts = ['holds', 'holdsSwapped', 'fails', 'absent'] as const
export const CrcVerdict = z.enum(crcVerdicts)
export type CrcVerdict = z.infer<typeof CrcVerdict>
