import { z } from 'zod'

/** A parameter by the machine's own name for it, such as `payment.maximumCredit`; dots part what belongs together. */
export const ParameterName = z
  .string()
  .min(1)
  .max(60)
  .regex(/^[A-Za-z0-9][\w.-]*$/)
/** Its value as the machine writes it; neither U+0000 nor halves of characters, which no database keeps. */
export const ParameterValue = z
  .string()
  .max(500)
  .regex(/^[^\0]*$/)
  .refine((value) => value.isWellFormed())

/** At most so many parameters make a machine's configuration. */
export const mostParameters = 1000
/** At most so many are wanted of one machine: what one command carries. */
export const mostWantedParameters = 200
/** A configuration: values by the names of their parameters. */
export const Parameters = z
  .record(ParameterName, ParameterValue)
  .refine((parameters) => Object.keys(parameters).length <= mostParameters)
export type Parameters = z.infer<typeof Parameters>

/** Whether a machine has what its merchant wants: nothing is wanted, in sync, or still to come. */
export const configurationSyncs = ['none', 'sync', 'pending'] as const
export const ConfigurationSync = z.enum(configurationSyncs)
export type ConfigurationSync = z.infer<typeof ConfigurationSync>

/** Where a difference comes from: edited here and not applied yet, or changed at the machine after it was applied. */
export const configurationEdits = ['portal', 'device'] as const
export const ConfigurationEdit = z.enum(configurationEdits)
export type ConfigurationEdit = z.infer<typeof ConfigurationEdit>
