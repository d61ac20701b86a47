import { z } from 'zod'

/** A parameter by the machine's own name, such as `payment.maximumCredit`; dots separate groups. */
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

/** Maximum parameters of a machine's configuration. */
export const mostParameters = 1000
/** Maximum parameters of a target configuration: the capacity of one command. */
export const mostWantedParameters = 200
/** A configuration: values by the names of their parameters. */
export const Parameters = z
  .record(ParameterName, ParameterValue)
  .refine((parameters) => Object.keys(parameters).length <= mostParameters)
export type Parameters = z.infer<typeof Parameters>

/** Whether a machine has its target configuration: no target, in sync, or pending. */
export const configurationSyncs = ['none', 'sync', 'pending'] as const
export const ConfigurationSync = z.enum(configurationSyncs)
export type ConfigurationSync = z.infer<typeof ConfigurationSync>

/** The origin of a difference: edited here and not applied yet, or changed at the machine afterwards. */
export const configurationEdits = ['portal', 'device'] as const
export const ConfigurationEdit = z.enum(configurationEdits)
export type ConfigurationEdit = z.infer<typeof ConfigurationEdit>

/** Parameters that a no-vend profile writes into a target configuration start with it. */
export const noVendPrefix = 'novend.'
export const isNoVendParameter = (name: string) => name.startsWith(noVendPrefix)

/** Parameters of a screen configuration start with it. They are sent with the configuration and are no part of a target configuration. */
export const screenPrefix = 'screen.'
/** The SHA-256 of the document that a screen shows. */
export const screenDocument = `${screenPrefix}document`
/** Parameters that users do not edit one by one. */
export const isManagedParameter = (name: string) => isNoVendParameter(name) || name.startsWith(screenPrefix)
