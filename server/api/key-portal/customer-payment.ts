import { ProductError } from '#contract/errors.ts'
import { toWire } from '#contract/frame/instant.ts'
import { appPaymentSeconds, type customerPayments, type OwnPayment } from '#contract/key-portal/customer-payment.ts'
import { mediaStatuses } from '#contract/vocabulary/media.ts'
import { reserve } from '#database/cashless/reservation.ts'
import { changeCommand, lockCommands } from '#database/commands/command-outbox.ts'
import {
  type AppPaymentOrder,
  type AppPaymentRow,
  appPayment,
  insertAppPayment,
  pendingAppPayment,
  releaseAppPayment,
  saleOfPayment,
  sendAppPayment,
} from '#database/key-portal/app-payment.ts'
import { placeOfCode, publicMachine } from '#database/key-portal/machine-place.ts'
import { appPaymentState } from '#domain/cashless/app-payment.ts'
import { cancel } from '#domain/commands/command-lifecycle.ts'
import type { CustomerCall, Handlers } from '#server/http/handler.ts'
import { ownMediaOf } from './customer-media.ts'

const { toTake, toVend } = appPaymentSeconds
const after = (now: Date, seconds: number) => new Date(now.getTime() + seconds * 1000)

async function paymentOf({ db, customer }: CustomerCall, id: string): Promise<AppPaymentRow> {
  const payment = await appPayment(db, customer.merchantId, id)
  if (payment?.customerId !== customer.customerId) throw new ProductError('PaymentNotFound')
  return payment
}

async function present({ db, customer, now }: CustomerCall, payment: AppPaymentRow): Promise<OwnPayment> {
  const sale = payment.state === 'held' ? undefined : await saleOfPayment(db, customer.merchantId, payment)
  const { id, mediaId, machineName, amount, currency, createdAt, heldUntil, takeUntil } = payment
  const { state, reason, settled } = appPaymentState({ ...payment, sale }, now)
  const expiresAt = state === 'waiting' && takeUntil ? takeUntil : heldUntil
  return {
    id,
    mediaId,
    machineName,
    amount,
    currency,
    state,
    reason,
    settled,
    product: state === 'vended' ? (sale?.product ?? null) : null,
    createdAt: toWire(createdAt),
    expiresAt: toWire(expiresAt),
  }
}

/** The machine of a scanned code. It must be the customer's merchant's, and connected. */
async function machineOf({ db, doors, params, customer }: CustomerCall & { params: { code: string } }) {
  const place = await placeOfCode(doors, params.code)
  if (!place) throw new ProductError('MachineNotFound')
  if (place.merchantId !== customer.merchantId) throw new ProductError('MachineOfOtherMerchant')
  const machine = await publicMachine(db, place.merchantId, place.machineId)
  if (!machine) throw new ProductError('MachineNotFound')
  if (!machine.isOnline) throw new ProductError('MachineNotReachable')
  return machine
}

/** Sends the command. A payment that its machine took and never reported occupies it until its time is over. */
async function send({ db, now }: CustomerCall, order: AppPaymentOrder): Promise<string> {
  const commandId = await sendAppPayment(db, order)
  if (commandId) return commandId
  const pending = await pendingAppPayment(db, order.merchantId, order.posId)
  if (pending && after(pending.expiresAt, toVend) > now) throw new ProductError('MachineBusy')
  if (pending) {
    const [command] = await lockCommands(db, { ids: [pending.commandId] })
    if (command) await changeCommand(db, command, { status: 3, result: -2 })
    await releaseAppPayment(db, order.merchantId, pending.commandId, 'notVended', now)
  }
  const again = await sendAppPayment(db, order)
  if (!again) throw new ProductError('MachineBusy')
  return again
}

const refusals = {
  insufficientCredit: 'CreditInsufficient',
  blocked: 'MediaBlocked',
  lost: 'MediaBlocked',
  idTaken: 'PaymentIdTaken',
} as const

/** Payments that end customers start at machines. */
export const customerPaymentHandlers: Handlers<typeof customerPayments> = {
  startOwnPayment: async (call) => {
    const { db, body, customer, now, live } = call
    const { merchantId, customerId } = customer
    const { id, mediaId, amount } = body
    const stored = await appPayment(db, merchantId, id)
    const isSame = stored?.customerId === customerId && stored.mediaId === mediaId && stored.amount === amount
    if (stored && !isSame) throw new ProductError('PaymentIdTaken')
    const media = await ownMediaOf(call, mediaId)
    if (stored) return present(call, stored)
    if (media.status !== mediaStatuses.ok) throw new ProductError('MediaBlocked')
    if (body.currency !== media.currency) throw new ProductError('CurrencyDiffers')
    const machine = await machineOf(call)
    const order: AppPaymentOrder = {
      merchantId,
      customerId,
      id,
      mediaId,
      posId: machine.id,
      amount,
      now,
      takeUntil: after(now, toTake),
      parameters: {
        reservationId: id,
        amount,
        currency: media.currency,
        mediaSerial: media.serial,
        mediaType: media.type,
        vendSeconds: toVend,
      },
    }
    // Waits for a payment at the same machine, and for the same payment that was sent twice.
    const commandId = await send(call, order)
    const expiresAt = after(now, toTake + toVend)
    const held = await reserve(db, { merchantId, id, mediaId, posId: machine.id, amount, expiresAt }, now)
    if ('refusal' in held)
      throw new ProductError(refusals[held.refusal as keyof typeof refusals] ?? 'CreditInsufficient')
    // A reservation of another machine's request, or of a payment that was sent before.
    if (await appPayment(db, merchantId, id)) throw new ProductError('PaymentIdTaken')
    await insertAppPayment(db, order, commandId)
    db.afterCommit(() => {
      live.announceToGateways(merchantId, 'commandWaiting', machine.id)
      for (const topic of ['command', 'media'] as const) live.announce(merchantId, topic, machine.id)
    })
    return present(call, await paymentOf(call, id))
  },

  getOwnPayment: async (call) => present(call, await paymentOf(call, call.params.paymentId)),

  cancelOwnPayment: async (call) => {
    const { db, customer, params, now, live } = call
    const { merchantId } = customer
    const payment = await paymentOf(call, params.paymentId)
    const [command] = await lockCommands(db, { ids: [payment.commandId] })
    const change = command && cancel(command)
    if (command && change) {
      await changeCommand(db, command, change)
      await releaseAppPayment(db, merchantId, command.id, 'cancelled', now)
      db.afterCommit(() => {
        for (const topic of ['command', 'media'] as const) live.announce(merchantId, topic, payment.posId)
      })
    }
    return present(call, await paymentOf(call, params.paymentId))
  },
}
