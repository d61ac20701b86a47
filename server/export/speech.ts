import { settingOrigins } from '#contract/alarms/alarm-setting.ts'
import { whitelistStates } from '#contract/configurations/screen-whitelist.ts'
import type { WordTable } from '#contract/frame/list-columns.ts'
import { claimPayments, claimStates } from '#contract/key-portal/claim.ts'
import { warrantyStates } from '#contract/machines/machine.ts'
import { machineStates } from '#contract/machines/machine-state.ts'
import { deadLetterReasons, replayOutcomes } from '#contract/platform/dead-letter.ts'
import { roundStatuses } from '#contract/stock/round-status.ts'
import { rolloutStates } from '#contract/updates/rollout-state.ts'
import { alarmCategories, alarmCriticities, alarmSources, alarmStatuses } from '#contract/vocabulary/alarm.ts'
import { auditOrigins, auditPorts, crcVerdicts, dayAgreements, intervalKinds } from '#contract/vocabulary/audit.ts'
import { collectionStatuses } from '#contract/vocabulary/cash.ts'
import { mediaOrigins, refundKinds, refundStates } from '#contract/vocabulary/cashless.ts'
import {
  plannedPriceStatuses,
  priceFaults,
  pricePlanStatuses,
  priceSources,
  priceSyncs,
  wrongPriceStatuses,
} from '#contract/vocabulary/catalogue/price.ts'
import { allergens, productTypes } from '#contract/vocabulary/catalogue/product.ts'
import { changeActions, changeSubjects } from '#contract/vocabulary/change.ts'
import { connections, deviceTypeNames, posStatuses } from '#contract/vocabulary/device.ts'
import { retrievalMessages, retrievalStatuses, retrievalTypes } from '#contract/vocabulary/insight/data-retrieval.ts'
import {
  licenceFeatures,
  licenceStatuses,
  licenceTypes,
  maintenanceTypes,
  operationModes,
  unassignCases,
} from '#contract/vocabulary/licence.ts'
import { dirtinesses, sensorNames, sensorParts } from '#contract/vocabulary/machines/sensor.ts'
import { mediaStatuses } from '#contract/vocabulary/media.ts'
import { posSectors } from '#contract/vocabulary/pos-sector.ts'
import {
  commandTypes,
  peripherals,
  remoteCommandResults,
  remoteCommandStatuses,
} from '#contract/vocabulary/remote-command.ts'
import { roles } from '#contract/vocabulary/roles.ts'
import { stockCounters, stockMovementKinds, stockStatuses, stockTypes } from '#contract/vocabulary/stock.ts'
import { mediaSources, mediaTypes, priceTables, transactionTypes } from '#contract/vocabulary/transaction.ts'
import { userStatuses } from '#contract/vocabulary/user.ts'
import { webPaymentKinds, webPaymentReasons, webPaymentResults } from '#contract/vocabulary/web-payment.ts'
import { type Language, languageNames } from '#contract/vocabulary/world/languages.ts'
import type { Speech } from '#database/export/column.ts'
import { describeEvent } from '#domain/audits/eva-dts/event-codes.ts'
import { wordsIn } from '../words.ts'

/** Words from the screens that use them. */
const ofScreens = {
  changeAction: { file: 'change-log', key: 'action', codes: changeActions },
  changeSubject: { file: 'change-log', key: 'subject', codes: changeSubjects },
  // A day that is not over can still get a reading.
  dayAgreement: { file: 'reconciliation', key: 'state', codes: [...dayAgreements, 'notYet'] },
  intervalKind: { file: 'reconciliation', key: 'kind', codes: intervalKinds },
  settingOrigin: { file: 'alarm-setting', key: 'origin', codes: settingOrigins },
  stockStatus: { file: 'stock', key: 'status', codes: Object.keys(stockStatuses) },
  roundStatus: { file: 'round', key: 'status', codes: roundStatuses },
  stockCounter: { file: 'stock', key: 'counter', codes: [...stockCounters] },
  stockMovementKind: { file: 'stock-movement', key: 'kind', codes: [...stockMovementKinds] },
  stockType: { file: 'stock', key: 'type', codes: Object.keys(stockTypes) },
  deadLetterReason: { file: 'dead-letter', key: 'reason', codes: deadLetterReasons },
  replayState: { file: 'dead-letter', key: 'state', codes: ['aside', 'waiting', ...replayOutcomes] },
  dirtiness: { file: 'sensor', key: 'state', codes: dirtinesses },
  sensorPart: { file: 'sensor', key: 'part', codes: sensorParts },
  sensorName: { file: 'sensor', key: 'name', codes: sensorNames },
  peripheral: { file: 'remote-command', key: 'peripheral', codes: peripherals },
  role: { file: 'shell', key: 'roles', codes: roles },
  whitelistState: { file: 'screen-whitelist', key: 'state', codes: whitelistStates },
  claimState: { file: 'claim', key: 'state', codes: claimStates },
  claimPayment: { file: 'claim', key: 'payment', codes: claimPayments },
  userStatus: { file: 'user', key: 'status', codes: userStatuses },
  retrievalType: { file: 'data-retrieval-request', key: 'type', codes: retrievalTypes },
  retrievalStatus: { file: 'data-retrieval-request', key: 'status', codes: retrievalStatuses },
  retrievalMessage: { file: 'data-retrieval-request', key: 'message', codes: retrievalMessages },
} as const
const isOfScreen = (table: WordTable): table is keyof typeof ofScreens => table in ofScreens

type Names = [code: string | number, name: string][]

/** For lists whose codes are the words themselves. */
const same = (codes: readonly string[]): Names => codes.map((code) => [code, code])
/** For enumerations of numbers. */
const named = (table: Record<string, number>): Names => Object.entries(table).map(([name, code]) => [code, name])

/** Words that are names in every language. */
const sameEverywhere = { deviceType: deviceTypeNames, language: languageNames }
const isSameEverywhere = (table: WordTable): table is keyof typeof sameEverywhere => table in sameEverywhere

const names: Record<Exclude<WordTable, keyof typeof sameEverywhere | keyof typeof ofScreens>, Names> = {
  machineState: same(machineStates),
  connection: named(connections),
  posStatus: named(posStatuses),
  posSector: same(posSectors),
  warrantyState: same(warrantyStates),
  alarmCriticity: named(alarmCriticities),
  alarmStatus: same(alarmStatuses),
  alarmCategory: same(alarmCategories),
  alarmSource: same(alarmSources),
  transactionType: named(transactionTypes),
  mediaType: named(mediaTypes),
  mediaSource: named(mediaSources),
  mediaStatus: named(mediaStatuses),
  mediaOrigin: same(mediaOrigins),
  refundKind: same(refundKinds),
  refundState: same(refundStates),
  priceTable: named(priceTables),
  priceSync: same(priceSyncs),
  priceFault: same(priceFaults),
  wrongPriceStatus: same(wrongPriceStatuses),
  pricePlanStatus: same(pricePlanStatuses),
  plannedPriceStatus: same(plannedPriceStatuses),
  collectionStatus: same(collectionStatuses),
  priceSource: same(priceSources),
  productType: Object.entries(productTypes),
  allergen: same(allergens),
  auditOrigin: named(auditOrigins),
  auditPort: same(auditPorts),
  crc: same(crcVerdicts),
  commandType: named(commandTypes),
  commandStatus: named(remoteCommandStatuses),
  commandResult: named(remoteCommandResults),
  webPaymentKind: same(webPaymentKinds),
  webPaymentResult: named(webPaymentResults),
  webPaymentReason: same(webPaymentReasons),
  rolloutState: same(rolloutStates),
  licenceStatus: named(licenceStatuses),
  licenceType: same(licenceTypes),
  licenceFeature: same(licenceFeatures),
  operationMode: same(operationModes),
  maintenanceType: same(maintenanceTypes),
  unassignCase: same(unassignCases),
}

/** Names of alarms by their codes. A maker's own codes are shown unchanged. */
export function alarmNamesIn(language: Language): (code: string) => string {
  const events = wordsIn(language, 'machine-event')
  return (code) => {
    const { name, detail } = describeEvent(code)
    if (!name) return code
    return detail ? `${events(name)} (${detail})` : events(name)
  }
}

/** A file's language: its words, and the separators that spreadsheets of its countries expect. */
export function speechOf(language: Language, codesOfAlarms: readonly string[]): Speech {
  const t = wordsIn(language, 'export')
  const vocabulary = wordsIn(language, 'vocabulary')
  const alarmName = alarmNamesIn(language)
  const isEnglish = language === 'en'
  return {
    separator: isEnglish ? ',' : ';',
    decimalMark: isEnglish ? '.' : ',',
    flags: { yes: t('yes'), no: t('no') },
    wordsOf: (table) => {
      if (isSameEverywhere(table)) return { words: new Map(Object.entries(sameEverywhere[table])), unknown: '{{code}}' }
      if (isOfScreen(table)) {
        const { file, key, codes } = ofScreens[table]
        const say = wordsIn(language, file)
        return { words: new Map(codes.map((code) => [code, say(`${key}.${code}`)])), unknown: '{{code}}' }
      }
      return {
        words: new Map(names[table].map(([code, name]) => [code, vocabulary(`${table}.${name}`)])),
        unknown: t('unknownCode', { code: '{{code}}' }),
      }
    },
    alarmNames: Object.fromEntries(codesOfAlarms.map((code) => [code, alarmName(code)])),
  }
}
