import { randomUUID } from 'node:crypto'
import type { AnyInput } from '../api.ts'
import type { Aim } from './aim.ts'

const ofMerchant = ({ merchantId }: Aim) => ({ params: { merchantId } })
const ofService = ({ webPaymentServiceId }: Aim) => ({ params: { webPaymentServiceId } })
const ofConfig = ({ merchantId, webPaymentServiceId }: Aim) => ({
  params: { merchantId, serviceId: webPaymentServiceId },
})
const ofOrder = ({ merchantId, webPaymentOrderId }: Aim) => ({ params: { merchantId, webPaymentOrderId } })
const aService = () => ({ name: `Service ${randomUUID()}`, url: 'https://pay.test', type: 4 })

/** Sample calls of web payments. */
export const webPaymentSamples = {
  listWebPaymentServices: { input: (): AnyInput => ({}) },
  getWebPaymentService: { input: ofService },
  createWebPaymentService: { input: () => ({ body: aService() }) },
  updateWebPaymentService: { input: (aim: Aim) => ({ ...ofService(aim), body: { ...aService(), version: 1 } }) },
  deleteWebPaymentService: { input: ofService },
  listWebPaymentConfigs: { input: ofMerchant },
  listWebPaymentChoices: { input: ofMerchant },
  updateWebPaymentConfig: {
    input: (aim: Aim) => ({
      ...ofConfig(aim),
      body: { version: 1, isActive: true, credentials: { alias: 'shop' } },
    }),
  },
  tryWebPaymentConfig: { input: ofConfig },
  listWebPaymentOrders: { input: ofMerchant },
  getWebPaymentOrder: { input: ofOrder },
  startWebPayment: {
    input: (aim: Aim) => ({
      ...ofMerchant(aim),
      body: {
        kind: 'payment',
        id: randomUUID(),
        serviceId: aim.webPaymentServiceId,
        amount: 100,
        description: 'A coffee',
      },
    }),
  },
  queryWebPayment: { input: ofOrder },
}
