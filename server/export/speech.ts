import { settingOrigins } from '#contract/alarms/alarm-setting.ts'
import { whitelistStates } from '#contract/configurations/screen-whitelist.ts'
import { isNamedAlike, namedAlike, type WordTable, wordPlaceOf, type wordPlaces } from '#contract/frame/list-columns.ts'
import { claimPayments, claimStates } from '#contract/key-portal/claim.ts'
import { warrantyStates } from '#contract/machines/machine.ts'
import { machineStates } from '#contract/machines/machine-state.ts'
import {
  testEvent,
  webhookEvents,
  webhookMessageStates,
  webhookStates,
} from '#contract/merchants/webhook-vocabulary.ts'
import { deadLetterReasons, replayOutcomes } from '#contract/platform/dead-letter.ts'
import { roundStatuses } from '#contract/stock/round-status.ts'
import { rolloutMachineStates, rolloutStates } from '#contract/updates/rollout-state.ts'
import { alarmCategories, alarmCriticities, alarmSources, alarmStatuses } from '#contract/vocabulary/alarm.ts'
import { auditOrigins, auditPorts, crcVerdicts, dayAgreements, intervalKinds } from '#contract/vocabulary/audit.ts'
import { collectionStatuses, countSights, depositStatuses } from '#contract/vocabulary/cash.ts'
import { mediaOrigins, refundKinds, refundStates, reservationStates } from '#contract/vocabulary/cashless.ts'
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
import { connections, posStatuses } from '#contract/vocabulary/device.ts'
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
import {
  pieceLossKinds,
  pieceOperationKinds,
  stockCounters,
  stockMovementKinds,
  stockPlaceKinds,
  stockStatuses,
  stockTypes,
} from '#contract/vocabulary/stock.ts'
import { mediaSources, mediaTypes, priceTables, transactionTypes } from '#contract/vocabulary/transaction.ts'
import { userStatuses } from '#contract/vocabulary/user.ts'
import { webPaymentKinds, webPaymentReasons, webPaymentResults } from '#contract/vocabulary/web-payment.ts'
import type { Language } from '#contract/vocabulary/world/languages.ts'
import type { Speech } from '#database/frame/export/column.ts'
import { describeEvent } from '#domain/audits/eva-dts/event-codes.ts'
import { wordsIn } from '../words/words.ts'

/** Codes of vocabularies whose words are those of a screen. */
const codesOfScreens: Record<keyof typeof wordPlaces, readonly string[]> = {
  changeAction: changeActions,
  changeSubject: changeSubjects,
  countSight: countSights,
  depositStatus: depositStatuses,
  // A day that is not over can still get a reading.
  dayAgreement: [...dayAgreements, 'notYet'],
  intervalKind: intervalKinds,
  settingOrigin: settingOrigins,
  stockStatus: Object.keys(stockStatuses),
  roundStatus: roundStatuses,
  stockCounter: [...stockCounters],
  stockMovementKind: [...stockMovementKinds],
  stockType: Object.keys(stockTypes),
  deadLetterReason: deadLetterReasons,
  replayState: ['aside', 'waiting', ...replayOutcomes],
  dirtiness: dirtinesses,
  sensorPart: sensorParts,
  sensorName: sensorNames,
  peripheral: peripherals,
  role: roles,
  whitelistState: whitelistStates,
  claimState: claimStates,
  claimPayment: claimPayments,
  userStatus: userStatuses,
  retrievalType: retrievalTypes,
  retrievalStatus: retrievalStatuses,
  retrievalMessage: retrievalMessages,
  reservationState: reservationStates,
  rolloutMachineState: rolloutMachineStates,
  webhookEvent: [...webhookEvents, testEvent],
  webhookState: webhookStates,
  webhookMessageState: webhookMessageStates,
}
const isOfScreen = (table: WordTable): table is keyof typeof wordPlaces => table in codesOfScreens

type Names = [code: string | number, name: string][]

/** For lists whose codes are the words themselves. */
const same = (codes: readonly string[]): Names => codes.map((code) => [code, code])
/** For enumerations of numbers. */
const named = (table: Record<string, number>): Names => Object.entries(table).map(([name, code]) => [code, name])

const names: Record<Exclude<WordTable, keyof typeof namedAlike | keyof typeof wordPlaces>, Names> = {
  machineState: same(machineStates),
  stockPlaceKind: same(stockPlaceKinds),
  pieceOperationKind: same(pieceOperationKinds),
  pieceLossKind: same(pieceLossKinds),
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
      if (isNamedAlike(table)) return { words: new Map(Object.entries(namedAlike[table])), unknown: '{{code}}' }
      if (isOfScreen(table)) {
        const [file = '', key] = wordPlaceOf(table).split(':')
        const say = wordsIn(language, file as Parameters<typeof wordsIn>[1])
        return {
          words: new Map(codesOfScreens[table].map((code) => [code, say(`${key}.${code}`)])),
          unknown: '{{code}}',
        }
      }
      return {
        words: new Map(names[table].map(([code, name]) => [code, vocabulary(`${table}.${name}`)])),
        unknown: t('unknownCode', { code: '{{code}}' }),
      }
    },
    alarmNames: Object.fromEntries(codesOfAlarms.map((code) => [code, alarmName(code)])),
  }
}
