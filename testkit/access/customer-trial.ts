import { randomUUID } from 'node:crypto'
import type { EndpointName } from '#contract/endpoints.ts'
import { type ErrorCode, errors } from '#contract/errors.ts'
import { isOfCustomer } from '#contract/frame/endpoint.ts'
import { aMedia } from '../nouns/cashless.ts'
import {
  anAppPayment,
  aSignedInCustomer,
  aWallet,
  rechargesAllowed,
  signedBy,
  type TestCustomer,
} from '../nouns/customers.ts'
import { aPaymentOrder } from '../nouns/web-payments.ts'
import { samples } from './access-samples.ts'
import type { Aim } from './aim.ts'
import { rowOf, type World } from './trial.ts'

/** Valid calls of a customer that are refused because of stored data. */
const refusedLater: Partial<Record<EndpointName, ErrorCode>> = {
  // No machine has shown the code.
  linkOwnMedia: 'LinkCodeWrong',
  // The machine is offline.
  startOwnPayment: 'MachineNotReachable',
}

/** A customer with a key, a wallet and a recharge. */
async function someone(world: World, aim: Aim): Promise<{ customer: TestCustomer; aim: Aim }> {
  const { api } = world
  const { database } = api
  const { merchantId, webPaymentServiceId } = aim
  const customer = await aSignedInCustomer(api, merchantId, { isByLink: true })
  await aWallet(database, customer)
  await rechargesAllowed(database, merchantId)
  const mediaId = await aMedia(database, merchantId, { customer_id: customer.customerId })
  const [config] = await database.admin<{ id: string }>(
    'select id from web_payment_configs where merchant_id = $1 and service_id = $2',
    [merchantId, webPaymentServiceId],
  )
  const order = { merchantId, configId: config?.id as string, serviceId: webPaymentServiceId }
  const paid = { kind: 'recharge', media_id: mediaId, description: null, created_by: customer.customerId }
  const webPaymentOrderId = await aPaymentOrder(database, order, paid)
  const paymentId = await anAppPayment(database, { ...customer, mediaId, posId: aim.posId })
  return { customer, aim: { ...aim, mediaId, webPaymentOrderId, paymentId } }
}

/** One customer for all calls that refuse customers. */
const anybody = new WeakMap<World, Promise<TestCustomer>>()

/**
 * Calls one endpoint as end customers. Their own calls are answered; with the ids of another customer of the same merchant, and of another merchant, they
 * are as missing as unknown ones. Calls of users are refused. Returns what was wrong.
 */
export async function triedAsCustomer(name: EndpointName, world: World): Promise<string[]> {
  const { api, ownAim, foreign } = world
  const row = rowOf(name)
  const send = (which: Aim, who: TestCustomer) =>
    api.send(name, { ...samples[name].input(which), headers: signedBy(who) })
  if (!isOfCustomer(row)) {
    if (row.needs === 'anyone') return []
    const who = anybody.get(world) ?? aSignedInCustomer(api, ownAim.merchantId)
    anybody.set(world, who)
    const { statusCode } = await send(ownAim, await who)
    return statusCode === 401 || statusCode === 403 ? [] : [`a customer calls it: ${statusCode}`]
  }
  const { customer, aim } = await someone(world, ownAim)
  const wrong: string[] = []
  const ids = ['mediaId', 'webPaymentOrderId', 'paymentId'] as const
  const named = ids.filter((id) => JSON.stringify(samples[name].input(aim)).includes(String(aim[id as keyof Aim])))
  for (const id of named) {
    const neighbour = await someone(world, ownAim)
    const stranger = await someone(world, foreign)
    const answers = await Promise.all(
      [randomUUID(), neighbour.aim[id as keyof Aim], stranger.aim[id as keyof Aim], ownAim[id as keyof Aim]].map(
        (value) => send({ ...aim, [id]: value }, customer),
      ),
    )
    for (const { statusCode, payload } of answers)
      if (
        statusCode !== 404 ||
        payload.replace(/"requestId":"[^"]*"/, '') !== answers[0]?.payload.replace(/"requestId":"[^"]*"/, '')
      )
        wrong.push(`another ${id} is answered ${statusCode}, the first one ${answers[0]?.statusCode}`)
  }
  const later = refusedLater[name]
  const answer = await send(aim, customer)
  const expected = later ? errors[later] : row.status
  if (answer.statusCode !== expected)
    wrong.push(`one's own: ${answer.statusCode} instead of ${expected} ${answer.payload}`)
  const suspended = await someone(world, ownAim)
  await api.database.admin(`update customer_accounts set status = 'suspended' where customer_id = $1`, [
    suspended.customer.customerId,
  ])
  const refused = await send(suspended.aim, suspended.customer)
  if (refused.statusCode !== 401) wrong.push(`a suspended account: ${refused.statusCode}`)
  return wrong
}
