import { readFileSync } from 'node:fs'
import { mobileThemes } from '#contract/key-portal/portal.ts'
import type { CollectionEntry, CollectionName, CountryFormats } from '#contract/platform/collection.ts'
import { postalCodeForms } from '#contract/rules/postal-code.ts'
import { vatCodeNameOf } from '#contract/rules/vat-code.ts'
import { planogramTypes, productTypes } from '#contract/vocabulary/catalogue/product.ts'
import { deviceTypeNames, deviceTypes, vpDeviceTypes } from '#contract/vocabulary/device.ts'
import { reportTypes } from '#contract/vocabulary/insight/report.ts'
import { licenceStatuses } from '#contract/vocabulary/licence.ts'
import { mediaStatuses } from '#contract/vocabulary/media.ts'
import { posSectors } from '#contract/vocabulary/pos-sector.ts'
import { peripherals, remoteCommandStatuses } from '#contract/vocabulary/remote-command.ts'
import { stockStatuses, stockTypes } from '#contract/vocabulary/stock.ts'
import { mediaTypes, priceTables, transactionTypes } from '#contract/vocabulary/transaction.ts'
import { webPaymentTypes } from '#contract/vocabulary/web-payment.ts'
import { countries } from '#contract/vocabulary/world/countries.ts'
import { currencies } from '#contract/vocabulary/world/currencies.ts'
import { type Language, languages } from '#contract/vocabulary/world/languages.ts'
import { localeOf } from '#domain/frame/locale.ts'
import { wordsIn } from './words.ts'

type Entries = CollectionEntry[]
type Say = (key: string) => string

/** For enumerations of numbers. */
const named = (table: Record<string, number>, say: Say): Entries =>
  Object.entries(table).map(([word, code]) => ({ code, name: say(word) }))
/** For registries whose codes are letters. */
const lettered = (table: Record<string, string>, say: Say): Entries =>
  Object.entries(table).map(([code, word]) => ({ code, name: say(word) }))
/** For lists whose codes are the words themselves. */
const same = (codes: readonly string[], say: Say): Entries => codes.map((code) => ({ code, name: say(code) }))

/** By name, in the sort order of the language. */
const sorted = <T extends { name: string }>(entries: T[], language: Language): T[] => {
  const { compare } = new Intl.Collator(language)
  return entries.sort((one, other) => compare(one.name, other.name))
}

/** Names that the platform knows in every language. */
const nameOf = (language: Language, type: Intl.DisplayNamesType): Say => {
  const names = new Intl.DisplayNames(language, { type })
  return (code) => names.of(code) ?? code
}

/** `Europe/Rome` is "Rome (Central European Time)". */
function timeZones(language: Language): Entries {
  const now = new Date()
  return Intl.supportedValuesOf('timeZone').map((code) => {
    const parts = new Intl.DateTimeFormat(localeOf(language), {
      timeZone: code,
      timeZoneName: 'longGeneric',
    }).formatToParts(now)
    const place = code.split('/').slice(1).reverse().join(', ').replaceAll('_', ' ') || code
    const zone = parts.find(({ type }) => type === 'timeZoneName')?.value
    return { code, name: zone ? `${place} (${zone})` : place }
  })
}

function make(language: Language): Record<CollectionName, Entries> {
  const words = wordsIn(language, 'collection')
  const vocabulary = wordsIn(language, 'vocabulary')
  const commands = wordsIn(language, 'remote-command')
  const stock = wordsIn(language, 'stock')
  const reports = wordsIn(language, 'report')
  const models: Say = (type) => deviceTypeNames[type as keyof typeof deviceTypeNames]
  return {
    currencies: sorted(same(Object.keys(currencies), nameOf(language, 'currency')), language),
    countries: sorted(same(countries, nameOf(language, 'region')), language),
    languages: same(languages, nameOf(language, 'language')),
    timeZones: timeZones(language),
    posSectors: same(posSectors, (sector) => vocabulary(`posSector.${sector}`)),
    deviceTypes: same(deviceTypes, models),
    licenceStatuses: named(licenceStatuses, (status) => words(`licenceStatus.${status}`)),
    mediaStatuses: named(mediaStatuses, (status) => words(`mediaStatus.${status}`)),
    mediaTypes: named(mediaTypes, (type) => vocabulary(`mediaType.${type}`)),
    peripheralTypes: same(peripherals, (part) => commands(`peripheral.${part}`)),
    planogramTypes: lettered(planogramTypes, (type) => vocabulary(`productType.${type}`)),
    productTypes: lettered(productTypes, (type) => vocabulary(`productType.${type}`)),
    priceTables: named(priceTables, (table) => vocabulary(`priceTable.${table}`)),
    remoteCommandStatuses: named(remoteCommandStatuses, (status) => vocabulary(`commandStatus.${status}`)),
    reportTypes: same(reportTypes, (type) => reports(`type.${type}`)),
    stockStatuses: named(stockStatuses, (status) => words(`stockStatus.${status}`)),
    stockTypes: named(stockTypes, (type) => stock(`type.${type}`)),
    transactionTypes: named(transactionTypes, (type) => vocabulary(`transactionType.${type}`)),
    vpDeviceTypes: same(vpDeviceTypes, models),
    webPaymentTypes: named(webPaymentTypes, (name) => name),
    mobileThemes: named(mobileThemes, (theme) => words(`mobileTheme.${theme}`)),
  }
}

const made = new Map<Language, Record<CollectionName, Entries>>()
/** Every enumeration with its names in a language. Cached, since four hundred time zones take a while. */
export function collectionsIn(language: Language): Record<CollectionName, Entries> {
  const collections = made.get(language) ?? make(language)
  made.set(language, collections)
  return collections
}

/** Countries by name, with the forms of their postal and VAT codes. */
export const countryFormatsIn = (language: Language): CountryFormats[] =>
  collectionsIn(language).countries.map(({ code, name }) => ({
    code: String(code),
    name,
    postalCodes: [...postalCodeForms(String(code))],
    vatCode: vatCodeNameOf(String(code)) ?? null,
  }))

const changelog = readFileSync(new URL('../../CHANGELOG.md', import.meta.url), 'utf8')
/** The changes of a version: the lines of its section in CHANGELOG.md. Empty without such a section. */
export function changesOf(version: string, text = changelog): string[] {
  const section = text.split(/^## /m).find((part) => part.split(/\s/, 1)[0] === version)
  return [...(section?.matchAll(/^- (.+)$/gm) ?? [])].map(([, line = '']) => line)
}
