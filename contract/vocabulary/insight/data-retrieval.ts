import { z } from 'zod'

/** The kinds of historical data. Each has one or two files. */
export const retrievalTypes = [
  'transactions',
  'auditsParsed',
  'auditsRaw',
  'alarms',
  'cash',
  'readings',
  'stockMovements',
  'commands',
] as const
export const RetrievalType = z.enum(retrievalTypes)
export type RetrievalType = z.infer<typeof RetrievalType>

/** `created`: it waits for a worker or is being written. `expired`: its file is deleted. */
export const retrievalStatuses = ['created', 'completed', 'expired', 'error'] as const
export const RetrievalStatus = z.enum(retrievalStatuses)
export type RetrievalStatus = z.infer<typeof RetrievalStatus>

/** Why a request has no file. */
export const retrievalMessages = ['accessLost', 'featureOff', 'archiveDamaged', 'failed'] as const
export const RetrievalMessage = z.enum(retrievalMessages)
export type RetrievalMessage = z.infer<typeof RetrievalMessage>

/** Names of the files, without `.csv`. */
export const retrievalFiles = [
  'transactions',
  'audits',
  'raw-audits',
  'alarms',
  'events',
  'cash-readings',
  'cash-collections',
  'readings',
  'sensor-readings',
  'stock-movements',
  'remote-commands',
] as const
export type RetrievalFileName = (typeof retrievalFiles)[number]
