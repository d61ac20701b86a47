import type { DemoMerchant } from '../operators/merchants.ts'

/** The town of an address, which ends it. */
export const townOf = (address: string): string => address.split(', ').at(-1) ?? ''

/** The name of a town's route, and of the rounds that drive it. */
export const routeNames = {
  it: (town: string) => `Giro ${town}`,
  es: (town: string) => `Ruta ${town}`,
  en: (town: string) => `${town} round`,
} as const satisfies Record<DemoMerchant['speech'], object>
