import { z } from 'zod'
import { endpoint } from '../frame/endpoint.ts'

/** What a new merchant sets up first, in this order. */
export const firstStepNames = ['place', 'pin', 'machine', 'products', 'people', 'alarmMails', 'sale'] as const
export type FirstStep = (typeof firstStepNames)[number]

/** What a new merchant sets up first, in the order of the checklist. Facts of the database say what is done. */
export const FirstSteps = z.strictObject({
  steps: z.array(z.strictObject({ step: z.enum(firstStepNames), isDone: z.boolean() })),
  /** A user of the merchant has closed the checklist. */
  isClosed: z.boolean(),
})
export type FirstSteps = z.infer<typeof FirstSteps>

export const firstSteps = {
  getFirstSteps: endpoint({
    method: 'GET',
    path: '/merchants/{merchantId}/first-steps',
    summary: 'Get what a new merchant sets up first, and which of it is done',
    needs: 'settings.read',
    topics: ['merchant', 'machine', 'product', 'transaction'],
    ok: FirstSteps,
    fails: ['MerchantNotFoundException'],
  }),
  updateFirstSteps: endpoint({
    method: 'PUT',
    path: '/merchants/{merchantId}/first-steps',
    summary: 'Close the checklist of the first steps for all users of the merchant, or open it again',
    needs: 'settings.write',
    body: z.strictObject({ isClosed: z.boolean() }),
    ok: FirstSteps,
    fails: ['MerchantNotFoundException'],
  }),
}
