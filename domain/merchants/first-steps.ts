import { type FirstStep, firstStepNames } from '#contract/merchants/first-steps.ts'

/** What the database knows of a merchant. */
export interface SetUp {
  hasPin: boolean
  machines: number
  products: number
  /** Users of the merchant, invited ones too, without those of the provider. */
  people: number
  /** A user or an address gets the mails of its alarms. */
  hasAlarmMails: boolean
  sales: number
  /** Whether the merchant sells products. */
  hasVending: boolean
}

const isDone: Record<FirstStep, (of: SetUp) => boolean> = {
  // No merchant is without a time zone and a currency.
  place: () => true,
  pin: ({ hasPin }) => hasPin,
  machine: ({ machines }) => machines > 0,
  products: ({ products }) => products > 0,
  // The first one set the merchant up.
  people: ({ people }) => people > 1,
  alarmMails: ({ hasAlarmMails }) => hasAlarmMails,
  sale: ({ sales }) => sales > 0,
}

/** The first steps of a merchant, each with whether it is done. Products are no step without vending. */
export const firstStepsOf = (facts: SetUp): { step: FirstStep; isDone: boolean }[] =>
  firstStepNames
    .filter((step) => step !== 'products' || facts.hasVending)
    .map((step) => ({ step, isDone: isDone[step](facts) }))
