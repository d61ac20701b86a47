import type { FirstStep } from '#contract/merchants/first-steps.ts'
import type { Place } from '#portal/app/place.ts'

/** Where each step is done. The provider sets zone and currency. */
export const placesOf: Record<FirstStep, Place | undefined> = {
  place: undefined,
  pin: { to: '/manage/merchant-settings' },
  machine: { to: '/associate' },
  products: { to: '/manage/products' },
  people: { to: '/manage/users/create' },
  alarmMails: { to: '/manage/merchant-alarms-settings' },
  sale: { to: '/transactions/data' },
}
