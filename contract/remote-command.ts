import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { MachineFilters } from './machine.ts'
import { selectionOf } from './selection.ts'
import { Instant, InstantInput, oneOrMany, paged, pageOf } from './shapes.ts'
import { RemoteCommandResult, RemoteCommandStatus, sendableCommandTypes } from './vocabulary/remote-command.ts'

export const RemoteCommand = z.strictObject({
  id: z.uuid(),
  merchantId: z.uuid(),
  merchantName: z.string(),
  timeZone: z.string(),
  posId: z.uuid(),
  posName: z.string(),
  posSerial: z.string(),
  type: z.int(),
  parameters: z.record(z.string(), z.unknown()),
  status: RemoteCommandStatus,
  result: RemoteCommandResult.nullable(),
  resultInfo: z.string().nullable(),
  cancelRequested: z.boolean(),
  attempts: z.int(),
  createdAt: Instant,
  createdBy: z.string().nullable(),
  notBefore: Instant,
  expiresAt: Instant,
  startedAt: Instant.nullable(),
  executedAt: Instant.nullable(),
})
export type RemoteCommand = z.infer<typeof RemoteCommand>

/** Seconds a command waits for its machine when the sender says nothing, and at most. */
export const commandLifetime = { defaultSeconds: 24 * 3600, maximumSeconds: 30 * 24 * 3600 } as const

const window = { notBefore: InstantInput.optional(), expiresAt: InstantInput.optional() }

/** What a command needs besides its machines: credit is minor units of the merchant's currency, above zero. */
export const CommandOrder = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal(1), parameters: z.strictObject({}).default({}), ...window }),
  z.strictObject({ type: z.literal(3), parameters: z.strictObject({}).default({}), ...window }),
  z.strictObject({ type: z.literal(4), parameters: z.strictObject({}).default({}), ...window }),
  z.strictObject({
    type: z.literal(5),
    parameters: z.strictObject({ amount: z.int().positive().max(1_000_000) }),
    ...window,
  }),
])
export type CommandOrder = z.infer<typeof CommandOrder>

/** At most this many machines in one order. */
export const maximumCommandMachines = 2_000

export const SendCommand = z.strictObject({
  machines: selectionOf(MachineFilters, maximumCommandMachines),
  order: CommandOrder,
})
export type SendCommand = z.infer<typeof SendCommand>

export const SendOutcome = z.strictObject({
  sent: z.array(RemoteCommand),
  refused: z.array(z.strictObject({ posId: z.uuid(), posName: z.string(), code: z.enum(['RemoteCommandPending']) })),
})
export type SendOutcome = z.infer<typeof SendOutcome>

export const RemoteCommandFilters = z.strictObject({
  statuses: oneOrMany(z.coerce.number().pipe(RemoteCommandStatus)),
  types: oneOrMany(z.coerce.number().int().min(0).max(255)),
  posIds: oneOrMany(z.uuid()),
})
export type RemoteCommandFilters = z.infer<typeof RemoteCommandFilters>
export const remoteCommandOrds = ['createdAt', 'posName', 'type', 'status', 'executedAt'] as const

export const remoteCommands = {
  listRemoteCommands: endpoint({
    method: 'GET',
    path: '/merchants/{merchantId}/remote-commands',
    summary: 'Remote commands, page by page',
    needs: 'remoteCommand.read',
    query: RemoteCommandFilters.extend(paged(remoteCommandOrds)),
    ok: pageOf(RemoteCommand),
  }),
  getRemoteCommand: endpoint({
    method: 'GET',
    path: '/merchants/{merchantId}/remote-commands/{commandId}',
    summary: 'One remote command',
    needs: 'remoteCommand.read',
    ok: RemoteCommand,
    fails: ['RemoteCommandNotFound'],
  }),
  sendRemoteCommand: endpoint({
    method: 'POST',
    path: '/merchants/{merchantId}/remote-commands',
    summary:
      'Sends a command to machines; a machine with a pending one of the same type refuses, and when all refuse the answer is 409',
    needs: 'remoteCommand.write',
    body: SendCommand,
    ok: SendOutcome,
    status: 201,
    fails: ['MachineNotFound', 'GroupNotFound', 'RemoteCommandPending', 'SelectionChanged', 'ValidationFailed'],
    timeOut: 'large',
  }),
  cancelRemoteCommand: endpoint({
    method: 'PUT',
    path: '/merchants/{merchantId}/remote-commands/{commandId}/cancel',
    summary: 'Cancels a command that its machine has not begun',
    needs: 'remoteCommand.write',
    ok: RemoteCommand,
    fails: ['RemoteCommandNotFound', 'RemoteCommandNotCancellable'],
  }),
}
export { sendableCommandTypes }
