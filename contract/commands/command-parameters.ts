import { z } from 'zod'
import { VpDocument } from '../configurations/vp-document.ts'
import { MachineClock, SelectionName } from '../device-protocol.ts'
import { saying } from '../frame/broken.ts'
import { ids } from '../frame/ids.ts'
import { LineText } from '../frame/shapes.ts'
import { WebAddress } from '../rules/text.ts'
import { mostPrice } from '../vocabulary/catalogue/price.ts'
import { isManagedParameter, Parameters } from '../vocabulary/configuration.ts'
import { appPaymentCommand, Peripheral, type RemoteCommandType } from '../vocabulary/remote-command.ts'
import { MediaType, PriceTable } from '../vocabulary/transaction.ts'
import { Currency } from '../vocabulary/world/currencies.ts'
import { mostAmount } from '../vocabulary/world/money-limits.ts'

/* Parameters of each command, as a machine receives them and as they are ordered. The same schemas are used by forms, the API and machines. */

/** Minor units of the merchant's currency, above zero. The server also checks the limits of the currency and of the merchant. */
const Amount = z.int().positive().max(mostAmount)

/** A version as its maker writes it. */
export const CommandVersion = z
  .string()
  .min(1)
  .max(40)
  .regex(/^[\w.+-]+$/, saying('format'))

/** The largest file that a command may name, in bytes. */
export const largestMachineFile = 2 * 1024 ** 3

/**
 * A file that the machine downloads over HTTP from the portal, in ranges after an interruption, and verifies before use. The server writes
 * its address. No order has one: a machine signs in where it fetches.
 */
export const MachineFile = z.strictObject({
  url: WebAddress,
  /** SHA-256 of the whole file, 64 hexadecimal digits. */
  sha256: z
    .string()
    .min(1)
    .regex(/^[0-9a-f]{64}$/, saying('format')),
  bytes: z.int().positive().max(largestMachineFile),
})
export type MachineFile = z.infer<typeof MachineFile>

/** Text of 64 hexadecimal digits: a SHA-256. */
const Sha256 = z.string().regex(/^[0-9a-f]{64}$/, saying('format'))

/**
 * The file of an update, which the machine fetches with its own secret from `url`, in ranges after an interruption. `signature` is
 * Ed25519 in base64 over the text of `signedText` (`domain/updates/signed-text.ts`).
 */
export const SignedFile = z.strictObject({
  id: z.uuid(),
  url: WebAddress,
  sha256: Sha256,
  bytes: z.int().positive().max(largestMachineFile),
  signature: z.base64().length(88),
})
export type SignedFile = z.infer<typeof SignedFile>

/** From when until when a machine may install an update, as its own clock shows it. */
export const InstallWindow = z.strictObject({ from: MachineClock, until: MachineClock })
export type InstallWindow = z.infer<typeof InstallWindow>

/** A price of a selection, in minor units of the merchant's currency, for all price tables unless some are named. */
export const CommandPrice = z.strictObject({
  selection: SelectionName,
  priceTable: PriceTable.optional(),
  price: z.int().min(0).max(mostPrice),
})
export type CommandPrice = z.infer<typeof CommandPrice>

/** Maximum prices in one command. */
export const mostPrices = 500

/**
 * Command 19 as a machine receives it: the document in the command, or, where that would exceed a message, a file with the document in its
 * canonical form.
 */
export const SentVpConfig = z.union([
  z.strictObject({
    name: LineText.trim().min(1).max(120),
    schemaVersion: z.string(),
    sha256: z.string().regex(/^[0-9a-f]{64}$/),
    document: VpDocument,
  }),
  z.object({
    name: LineText.trim().min(1).max(120),
    schemaVersion: z.string().optional(),
    file: MachineFile.extend({ id: z.uuid().optional() }),
  }),
])
export type SentVpConfig = z.infer<typeof SentVpConfig>

const isUnique = (keys: readonly unknown[]) => new Set(keys).size === keys.length

/** Parameters of a command without any. */
export const none = z.strictObject({})
const update = z.strictObject({
  version: CommandVersion,
  file: SignedFile,
  window: InstallWindow,
  /** A user allowed a version that is older than the running version. */
  allowDowngrade: z.literal(true).optional(),
})
const peripheralUpdate = update.extend({ peripheral: Peripheral })

export const commandParameters = {
  1: none,
  2: none,
  3: none,
  4: none,
  /** Shown to the customer at the machine. */
  5: z.strictObject({ amount: Amount }),
  /** The named parameters change and all others stay. */
  6: z.strictObject({
    settings: Parameters.refine((settings) => Object.keys(settings).length > 0, saying('required')),
  }),
  /** Paid out in coins and notes. */
  7: z.strictObject({ amount: Amount }),
  8: none,
  9: none,
  10: z.strictObject({
    prices: z
      .array(CommandPrice)
      .min(1)
      .max(mostPrices)
      .refine(
        (prices) => isUnique(prices.map(({ selection, priceTable }) => `${selection} ${priceTable}`)),
        saying('choice'),
      ),
  }),
  11: update,
  12: none,
  13: update,
  14: peripheralUpdate,
  15: peripheralUpdate,
  16: none,
  17: none,
  18: none,
  19: SentVpConfig,
} as const satisfies Record<RemoteCommandType, z.ZodType>

/**
 * Command 20: a customer in front of the machine pays with the app. The amount is held as `reservationId`; the machine shows it as credit of the medium,
 * vends, and settles by its sale.
 */
export const AppPayment = z.strictObject({
  reservationId: z.uuid(),
  amount: Amount,
  currency: Currency,
  mediaSerial: z.string(),
  mediaType: MediaType,
  /** The customer has so long to choose after the claim. */
  vendSeconds: z.int().positive(),
})
export type AppPayment = z.infer<typeof AppPayment>

/** Parameters as a machine receives them. */
export const sentParameters = { ...commandParameters, [appPaymentCommand]: AppPayment } as const

/** What is ordered of an update: its file, version and signature are those of the list. */
const ofFirmware = z.strictObject({ firmwareId: ids.firmwareId })
const ofDatabase = z.strictObject({ cashDatabaseId: ids.cashDatabaseId })

/** Parameters that users set one by one: no-vend profiles and screen configurations write theirs themselves. */
const OwnSettings = commandParameters[6].shape.settings.superRefine((settings, context) => {
  for (const name of Object.keys(settings).filter(isManagedParameter))
    context.addIssue({ code: 'custom', path: [name], ...saying('managed') })
})

/** Parameters of orders. They are those of the command, except where an order names something of ours. */
export const orderParameters = {
  ...commandParameters,
  6: z.strictObject({ settings: OwnSettings }),
  11: ofFirmware,
  13: ofDatabase,
  14: ofFirmware,
  15: ofDatabase,
  19: z.strictObject({ vpConfigurationId: ids.vpConfigurationId }),
} as const satisfies Record<RemoteCommandType, z.ZodType>
