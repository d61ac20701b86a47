/** What a new merchant sets up first, in this order. */
export const firstStepNames = ['place', 'pin', 'machine', 'products', 'people', 'alarmMails', 'sale'] as const
export type FirstStep = (typeof firstStepNames)[number]
