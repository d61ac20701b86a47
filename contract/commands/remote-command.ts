import { z } from 'zod'
import { saying } from '../frame/broken.ts'
import { endpoint } from '../frame/endpoint.ts'
import type { ExportedList } from '../frame/exported-list.ts'
import { ids } from '../frame/ids.ts'
import { type ListColumns, ordsOf } from '../frame/list-columns.ts'
import { selectionOf } from '../frame/selection.ts'
import {
  Day,
  Instant,
  InstantInput,
  MinorUnits,
  oneOrMany,
  optionalPeriod,
  paged,
  pageOf,
  Search,
  Text,
} from '../frame/shapes.ts'
import { MachineFilters } from '../machines/machine.ts'
import { CloudMessage } from '../rules/text.ts'
import { PriceWarning } from '../vocabulary/catalogue/price.ts'
import { Connection } from '../vocabulary/device.ts'
import {
  RemoteCommandResult,
  RemoteCommandStatus,
  type RemoteCommandType,
  remoteCommandTypeNumbers,
} from '../vocabulary/remote-command.ts'
import { UpdatePhase } from '../vocabulary/update.ts'
import { none, orderParameters } from './command-parameters.ts'

/** How far a machine is with an update. */
export const CommandProgress = z.strictObject({
  phase: UpdatePhase,
  percent: z.int().min(0).max(100).nullable(),
  at: Instant,
})
export type CommandProgress = z.infer<typeof CommandProgress>

/**
 * A command of one machine: created at `createdAt`, last sent to the machine at `sentAt`, claimed by it at
 * `startedAt`, ended at `executedAt`. `posConnection` and `posLastSeenAt` say whether the machine can receive it now.
 */
export const RemoteCommand = z.strictObject({
  id: z.uuid(),
  /** All machines of one order have it in common. */
  orderId: z.uuid().nullable(),
  merchantId: z.uuid(),
  merchantName: z.string(),
  timeZone: z.string(),
  posId: z.uuid(),
  posName: z.string(),
  posSerial: z.string(),
  posConnection: Connection,
  posLastSeenAt: Instant.nullable(),
  type: z.int(),
  parameters: z.record(z.string(), z.unknown()),
  status: RemoteCommandStatus,
  result: RemoteCommandResult.nullable(),
  resultInfo: z.string().nullable(),
  cancelRequested: z.boolean(),
  attempts: z.int(),
  maximumAttempts: z.int(),
  createdAt: Instant,
  createdBy: z.string().nullable(),
  notBefore: Instant,
  expiresAt: Instant,
  nextAttemptAt: Instant,
  sentAt: Instant.nullable(),
  startedAt: Instant.nullable(),
  executedAt: Instant.nullable(),
  /** The step of a running update, by the machine's own word. */
  progress: CommandProgress.nullable(),
})
export type RemoteCommand = z.infer<typeof RemoteCommand>

/** Default and maximum seconds that a command waits for its machine. */
export const commandLifetime = { defaultSeconds: 24 * 3600, maximumSeconds: 30 * 24 * 3600 } as const

const ClockTime = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, saying('format'))

/**
 * A stretch of a day by the clock at each machine, such as 02:00 to 05:00: it may begin from `from` on and is given up at
 * `until`, which is of the next day when it is not later.
 */
export const LocalWindow = z.strictObject({ day: Day, from: ClockTime, until: ClockTime })
export type LocalWindow = z.infer<typeof LocalWindow>

const window = {
  notBefore: InstantInput.optional(),
  expiresAt: InstantInput.optional(),
  localWindow: LocalWindow.optional(),
}
type OrderParameters<T extends RemoteCommandType> = typeof none extends (typeof orderParameters)[T]
  ? z.ZodDefault<typeof none>
  : (typeof orderParameters)[T]
/** The parameters of an order: a command without any needs not name them. */
const parametersOf = <T extends RemoteCommandType>(type: T) => {
  const parameters: z.ZodType = orderParameters[type]
  return (parameters === none ? none.default({}) : parameters) as OrderParameters<T>
}
const orderOf = <T extends RemoteCommandType>(type: T) =>
  z.strictObject({ type: z.literal(type), parameters: parametersOf(type), ...window })
type Order = { [T in RemoteCommandType]: ReturnType<typeof orderOf<T>> }[RemoteCommandType]
const orders = remoteCommandTypeNumbers.map((type) => orderOf(type) as Order)

/** The largest form of a command in transit. */
const messageOf = ({ type, parameters }: { type: number; parameters: unknown }) => ({
  id: '00000000-0000-0000-0000-000000000000',
  type,
  parameters,
  expiresInSeconds: commandLifetime.maximumSeconds,
})

/**
 * What is sent, and when: at once or at an instant (`notBefore` to `expiresAt`), or within a window by each machine's own clock.
 * Amounts and prices are minor units of the machines' currency, which all machines of an order must share.
 */
export const CommandOrder = z
  .discriminatedUnion('type', orders as [Order, ...Order[]])
  .refine((order) => !order.localWindow || (!order.notBefore && !order.expiresAt), {
    ...saying('choice'),
    path: ['localWindow'],
  })
  .refine((order) => CloudMessage.safeParse(messageOf(order)).success, {
    ...saying('cloudMessage'),
    path: ['parameters'],
  })
export type CommandOrder = z.infer<typeof CommandOrder>

/** Commands with amounts, whose meaning depends on the currency. */
export const moneyCommands: readonly RemoteCommandType[] = [5, 7, 10]

/** Maximum machines in one order. */
export const maximumCommandMachines = 2_000

export const SendCommand = z.strictObject({
  machines: selectionOf(ids.posId, MachineFilters, maximumCommandMachines),
  order: CommandOrder,
  /** `digest` of `PricesUnusual`: confirms exactly the unusual prices of that answer. */
  confirmed: Text.max(100).nullable().default(null),
  /** Confirms that machines with a newer version get the older one of an update; without it they are refused with `UpdateDowngrade`. */
  allowDowngrade: z.boolean().default(false),
})
export type SendCommand = z.infer<typeof SendCommand>

/** At most so many prices of an order are in `PricesUnusual`. */
export const mostUnusualShown = 200

/**
 * Facts of `PricesUnusual`: the prices of an order that need a confirmation of their own, machine by machine. `before` is the target, otherwise
 * the machine's price. A null price table: all tables, none of which is known.
 */
export const UnusualCommandPrices = z.strictObject({
  /** All of them. */
  unusual: z.int(),
  digest: z.string(),
  /** The first of them. */
  prices: z
    .array(
      z.strictObject({
        posId: z.uuid(),
        posName: z.string(),
        selection: z.string(),
        priceTable: z.int().nullable(),
        before: MinorUnits.nullable(),
        price: MinorUnits,
        warning: PriceWarning,
      }),
    )
    .max(mostUnusualShown),
})
export type UnusualCommandPrices = z.infer<typeof UnusualCommandPrices>

/** Why a machine of an order gets no command; the other machines get theirs. */
export const commandRefusals = [
  'RemoteCommandPending',
  'CommandWindowPassed',
  'CommandRefundTooLarge',
  'CommandCreditTooLarge',
  'FeatureNotEnabled',
  'ProductFamilyNotEnabled',
  'FirmwareNotEnabledException',
  'CashDatabaseNotEnabledException',
  'SendVpConfigNotAllowed',
  'UpdateNotForMachine',
] as const
export const CommandRefusal = z.enum(commandRefusals)
export type CommandRefusal = z.infer<typeof CommandRefusal>

export const SendOutcome = z.strictObject({
  orderId: z.uuid(),
  sent: z.array(RemoteCommand),
  refused: z.array(z.strictObject({ posId: z.uuid(), posName: z.string(), code: CommandRefusal })),
})
export type SendOutcome = z.infer<typeof SendOutcome>

export const RemoteCommandFilters = z.strictObject({
  search: Search.optional(),
  groupIds: oneOrMany(ids.groupId),
  posIds: oneOrMany(ids.pastPosId),
  orderIds: oneOrMany(ids.orderId),
  types: oneOrMany(z.coerce.number().int().min(0).max(255)),
  statuses: oneOrMany(z.coerce.number().pipe(RemoteCommandStatus)),
  results: oneOrMany(z.coerce.number().pipe(RemoteCommandResult)),
  ...optionalPeriod,
})
export type RemoteCommandFilters = z.infer<typeof RemoteCommandFilters>
export const remoteCommandColumns = {
  type: {
    facts: {
      type: { kind: 'word', heading: 'remote-command:column.command', of: 'commandType' },
      amount: { kind: 'amount', heading: 'remote-command:fact.amount' },
    },
  },
  posName: {
    facts: {
      machine: { kind: 'place', of: 'machine', heading: 'remote-command:column.machine' },
      serial: { kind: 'text', heading: 'remote-command:fact.serial' },
    },
  },
  status: { kind: 'status', heading: 'remote-command:column.status', of: 'commandStatus' },
  result: {
    facts: {
      result: { kind: 'word', heading: 'remote-command:column.result', of: 'commandResult' },
      info: { kind: 'text', heading: 'remote-command:fact.info' },
    },
  },
  attempts: { kind: 'number', heading: 'remote-command:column.attempts' },
  by: { kind: 'person', heading: 'remote-command:column.by', field: 'createdBy' },
  createdAt: { kind: 'instant', heading: 'remote-command:column.set' },
  notBefore: { kind: 'instant', heading: 'remote-command:column.start' },
  expiresAt: { kind: 'instant', heading: 'remote-command:column.end' },
  startedAt: {
    facts: {
      startedAt: { kind: 'instant', heading: 'remote-command:fact.started' },
      sentAt: { kind: 'instant', heading: 'remote-command:fact.sent' },
    },
  },
  executedAt: { kind: 'instant', heading: 'remote-command:column.executed' },
  id: { kind: 'plain', heading: 'remote-command:fact.id', only: 'file' },
} as const satisfies ListColumns

export const remoteCommandOrds = ordsOf(remoteCommandColumns, 'createdAt')

export const CancelOutcome = z.strictObject({
  cancelled: z.int(),
  /** Begun by their machines or ended already; these stay as they are. */
  tooLate: z.int(),
})
export type CancelOutcome = z.infer<typeof CancelOutcome>

export const remoteCommands = {
  listRemoteCommands: endpoint({
    method: 'GET',
    path: '/merchants/{merchantId}/remote-commands',
    summary: 'List remote commands',
    needs: 'remoteCommand.read',
    topics: ['command'],
    query: RemoteCommandFilters.extend(paged(remoteCommandOrds)),
    ok: pageOf(RemoteCommand),
    fails: ['MachineNotFound', 'GroupNotFound', 'PeriodReversed'],
  }),
  getRemoteCommand: endpoint({
    method: 'GET',
    path: '/merchants/{merchantId}/remote-commands/{commandId}',
    summary: 'Get a remote command',
    needs: 'remoteCommand.read',
    topics: ['command'],
    ok: RemoteCommand,
    fails: ['RemoteCommandNotFound'],
  }),
  sendRemoteCommand: endpoint({
    method: 'POST',
    path: '/merchants/{merchantId}/remote-commands',
    summary:
      'Send a command to machines; refused machines are listed with the reason, and if all are refused the first reason is the error',
    needs: 'remoteCommand.write',
    body: SendCommand,
    ok: SendOutcome,
    status: 201,
    fails: [
      'UpdateDowngrade',
      'MachineNotFound',
      'GroupNotFound',
      'SelectionChanged',
      'ValidationFailed',
      'CommandCurrenciesDiffer',
      'FirmwareNotFound',
      'CashDatabaseNotFound',
      'UpdateFileMissing',
      'VpConfigurationNotFound',
      'VpConfigNotValidException',
      'VpSchemaGone',
      'PricesUnusual',
      ...commandRefusals,
    ],
    timeOut: 'large',
  }),
  cancelRemoteCommand: endpoint({
    method: 'PUT',
    path: '/merchants/{merchantId}/remote-commands/{commandId}/cancel',
    summary: 'Cancel a command that its machine has not started',
    needs: 'remoteCommand.write',
    ok: RemoteCommand,
    fails: ['RemoteCommandNotFound', 'RemoteCommandNotCancellable'],
  }),
  cancelRemoteCommands: endpoint({
    method: 'PUT',
    path: '/merchants/{merchantId}/remote-commands/cancel',
    summary: 'Cancel commands that their machines have not started; others do not change',
    needs: 'remoteCommand.write',
    body: z.strictObject({ commands: selectionOf(ids.commandId, RemoteCommandFilters) }),
    ok: CancelOutcome,
    fails: ['RemoteCommandNotFound', 'MachineNotFound', 'GroupNotFound', 'PeriodReversed', 'SelectionChanged'],
    timeOut: 'large',
  }),
}

/** The list as a file. */
export const exportedRemoteCommands = {
  row: remoteCommands.listRemoteCommands,
  filters: RemoteCommandFilters,
  ords: remoteCommandOrds,
  columns: remoteCommandColumns,
} as const satisfies ExportedList
