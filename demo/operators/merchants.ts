import { type Feature, features, type ProductFamily, productFamilies } from '#contract/vocabulary/feature.ts'
import type { Currency } from '#contract/vocabulary/world/currencies.ts'
import type { Language } from '#contract/vocabulary/world/languages.ts'
import type { Tender } from '#simulator/plan.ts'
import { czechPlaces, italianPlaces, mexicanPlaces, type Place } from './places.ts'

export type DemoMerchant = {
  id: string
  name: string
  country: string
  language: Language
  /** The language of its machines and products. */
  speech: 'it' | 'es' | 'en'
  timeZone: string
  currency: Currency
  pin: string
  places: readonly Place[]
  /** Position of its prices in the product table, and the rounding step of prices, in minor units. */
  priceColumn: 0 | 1 | 2
  priceStep: number
  coins: readonly number[]
  tubes: number
  bills: readonly number[]
  recharges: readonly number[]
  boxCapacity: number
  maximumRefund: number
  /** What a visit costs, in minor units. */
  visitCost: number
  /** Temperature limits of its products in °C. */
  temperatures?: { minimum: number; maximum: number }
  features: readonly Feature[]
  productFamilies: readonly ProductFamily[]
  taste: Partial<Record<Tender, number>>
  simOperator: string
  /** The country's own address ranges, for plausible public addresses. */
  network: string
  /** Its number of machines out of every twenty. */
  share: number
  /** Its alarm settings by code, as columns of their table. */
  alarmSettings?: readonly ({ code: string } & Record<string, unknown>)[]
}

export const demoMerchants: readonly DemoMerchant[] = [
  {
    id: '018e0a3c-5c00-7a10-8000-00000000a001',
    name: 'Caffè Aurora',
    country: 'IT',
    language: 'it',
    speech: 'it',
    timeZone: 'Europe/Rome',
    currency: 'EUR',
    pin: '40718263',
    places: italianPlaces,
    priceColumn: 0,
    priceStep: 5,
    coins: [5, 10, 20, 50, 100, 200],
    tubes: 5,
    bills: [500, 1000, 2000],
    recharges: [500, 500, 1000, 1000, 2000],
    boxCapacity: 450_00,
    maximumRefund: 20_00,
    visitCost: 12_00,
    temperatures: { minimum: 0, maximum: 14 },
    features,
    productFamilies,
    taste: {},
    simOperator: 'TIM',
    network: '151.38',
    share: 9,
    alarmSettings: [
      {
        code: '*',
        mail_from: 4,
        addresses: ['assistenza@aurora.test'],
        quiet_from: 22 * 60,
        quiet_to: 6 * 60 + 30,
        reminder_hours: 12,
        escalation_hours: 24,
        escalation_addresses: ['direzione@aurora.test'],
      },
      { code: 'P:CASHBOX', mail_from: 2, delay_minutes: 30, quiet_from: 19 * 60, quiet_to: 7 * 60 },
    ],
  },
  {
    id: '018e0a3c-5c00-7a10-8000-00000000a002',
    name: 'Distribuidora Sol',
    country: 'MX',
    language: 'es',
    speech: 'es',
    timeZone: 'America/Mexico_City',
    currency: 'MXN',
    pin: '52940617',
    places: mexicanPlaces,
    priceColumn: 1,
    priceStep: 100,
    coins: [50, 100, 200, 500, 1000],
    tubes: 4,
    bills: [2000, 5000, 10_000],
    recharges: [5000, 10_000, 10_000, 20_000],
    boxCapacity: 7000_00,
    maximumRefund: 300_00,
    visitCost: 220_00,
    features,
    productFamilies,
    taste: { coins: 1.5, bills: 1.8, key: 0.6, creditCard: 0.8 },
    simOperator: 'Telcel',
    network: '189.203',
    share: 6,
  },
  {
    id: '018e0a3c-5c00-7a10-8000-00000000a003',
    name: 'Praha Vending',
    country: 'CZ',
    language: 'en',
    speech: 'en',
    timeZone: 'Europe/Prague',
    currency: 'CZK',
    pin: '61385092',
    places: czechPlaces,
    priceColumn: 2,
    priceStep: 100,
    coins: [100, 200, 500, 1000, 2000, 5000],
    tubes: 4,
    bills: [10_000, 20_000],
    recharges: [10_000, 20_000, 20_000, 50_000],
    boxCapacity: 9000_00,
    maximumRefund: 500_00,
    visitCost: 290_00,
    // Some features are off, so that the demo shows the portal without them.
    features: ['advancedAlarms', 'firmwareUpdate', 'vending', 'remoteConfigurations'],
    productFamilies: ['gettone'],
    taste: { creditCard: 1.9, app: 1.3, coins: 0.8 },
    simOperator: 'Vodafone CZ',
    network: '85.70',
    share: 5,
    alarmSettings: [{ code: '*', mail_from: 4, delay_minutes: 10, reminder_hours: 24 }],
  },
]
