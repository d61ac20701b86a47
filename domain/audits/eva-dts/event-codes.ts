import type { AlarmCategory, AlarmCriticity, AlarmSource } from '#contract/vocabulary/alarm.ts'
import type { MachineEventName } from '#contract/vocabulary/machines/machine-event.ts'

/*
 * Event codes of EVA-DTS: E, the unit's letter and the code; or O, what it is about and the code (a request, a service matter,
 * something from outside, a collection). A number may follow after `_`: the selection, the cup turret, the MDB code.
 */

export type EventKind = {
  name: MachineEventName
  source: AlarmSource
  category: AlarmCategory
  /** 0 notification, 2 warning, 4 blocking. */
  criticity: AlarmCriticity
  /** Events that end this one. An EA2 with its active flag at 0 ends any. */
  clearedBy?: readonly string[]
}

/** The codes whose meaning is well known, and how grave each is. Several codes may mean the same to an operator. */
export const eventCodes = {
  EA: { name: 'coinFault', source: 'coin', category: 'fault', criticity: 2 },
  EAA: { name: 'coinEntryJam', source: 'coin', category: 'jam', criticity: 4 },
  EAB: { name: 'coinFault', source: 'coin', category: 'fault', criticity: 2 },
  EAC: { name: 'coinFraud', source: 'coin', category: 'usability', criticity: 2 },
  EAD: { name: 'coinJam', source: 'coin', category: 'jam', criticity: 4 },
  EAE: { name: 'coinSorterJam', source: 'coin', category: 'jam', criticity: 4 },
  EAF: { name: 'coinPayoutJam', source: 'coin', category: 'jam', criticity: 4 },
  EAG: { name: 'changerJam', source: 'coin', category: 'jam', criticity: 4 },
  EAH: { name: 'coinRejectJam', source: 'coin', category: 'jam', criticity: 2 },
  EAI: { name: 'coinBoxEntryJam', source: 'coin', category: 'jam', criticity: 4 },
  EAJ: { name: 'coinProgrammingError', source: 'coin', category: 'fault', criticity: 2 },
  EAL: { name: 'coinValidatorFailed', source: 'coin', category: 'fault', criticity: 4 },
  EAN: { name: 'coinPayoutFailed', source: 'coin', category: 'fault', criticity: 4 },
  EAO: { name: 'coinBoardFailed', source: 'coin', category: 'fault', criticity: 4 },
  EAP: { name: 'powerSupplyFault', source: 'coin', category: 'fault', criticity: 4 },
  EAR: { name: 'coinCommunication', source: 'coin', category: 'fault', criticity: 4 },
  EAS: { name: 'coinRejected', source: 'coin', category: 'usability', criticity: 0 },
  EAU: { name: 'coinMdbError', source: 'coin', category: 'fault', criticity: 2 },
  EA1: { name: 'coinCassetteRemoved', source: 'coin', category: 'maintenance', criticity: 2 },
  EB: { name: 'cupFault', source: 'cup', category: 'fault', criticity: 2 },
  EBB: { name: 'cupSensorFault', source: 'cup', category: 'fault', criticity: 2 },
  EBC: { name: 'cupSensorFault', source: 'cup', category: 'fault', criticity: 2 },
  EBD: { name: 'cupJam', source: 'cup', category: 'jam', criticity: 4 },
  EBE: { name: 'cupJam', source: 'cup', category: 'jam', criticity: 4 },
  EBJ: { name: 'cupsEmpty', source: 'cup', category: 'maintenance', criticity: 4 },
  EBM: { name: 'cupMotorFault', source: 'cup', category: 'fault', criticity: 4 },
  EBN: { name: 'cupMotorFault', source: 'cup', category: 'fault', criticity: 4 },
  EC: { name: 'controlFault', source: 'control', category: 'fault', criticity: 2 },
  ECA: { name: 'powerSupplyFault', source: 'control', category: 'fault', criticity: 4 },
  ECB: { name: 'fuseTripped', source: 'control', category: 'fault', criticity: 4 },
  ECD: { name: 'controlBoardFault', source: 'control', category: 'fault', criticity: 4 },
  ECL: { name: 'clockFault', source: 'control', category: 'fault', criticity: 2 },
  ECM: { name: 'memoryError', source: 'control', category: 'fault', criticity: 4 },
  ECN: { name: 'memoryError', source: 'control', category: 'fault', criticity: 4 },
  ECO: { name: 'memoryError', source: 'control', category: 'fault', criticity: 4 },
  ECR: { name: 'excessiveRestarts', source: 'control', category: 'fault', criticity: 2 },
  ECS: { name: 'displayFault', source: 'control', category: 'usability', criticity: 2 },
  ECU: { name: 'batteryLow', source: 'control', category: 'maintenance', criticity: 2 },
  EC1B: { name: 'selectionPanelFault', source: 'control', category: 'usability', criticity: 4 },
  EC1C: { name: 'temperatureSensorFault', source: 'control', category: 'fault', criticity: 2 },
  EC1D: { name: 'printerPaperOut', source: 'control', category: 'maintenance', criticity: 2 },
  EC1F: { name: 'selectionPanelFault', source: 'control', category: 'usability', criticity: 4 },
  ED: { name: 'hotDrinksFault', source: 'hotDrinks', category: 'fault', criticity: 2 },
  EDB: { name: 'ingredientMotorFault', source: 'hotDrinks', category: 'fault', criticity: 4 },
  EDD: { name: 'mixerMotorFault', source: 'hotDrinks', category: 'fault', criticity: 4 },
  EDJ: { name: 'ingredientEmpty', source: 'hotDrinks', category: 'maintenance', criticity: 2 },
  EDK: { name: 'boilerFault', source: 'hotDrinks', category: 'fault', criticity: 4 },
  EDN: { name: 'boilerOverheated', source: 'hotDrinks', category: 'fault', criticity: 4 },
  EDO: { name: 'boilerScale', source: 'hotDrinks', category: 'maintenance', criticity: 2 },
  EDP: { name: 'boilerLevelFault', source: 'hotDrinks', category: 'fault', criticity: 4 },
  EDT: { name: 'grinderFault', source: 'hotDrinks', category: 'fault', criticity: 4 },
  EDU: { name: 'coffeeDoserFault', source: 'hotDrinks', category: 'fault', criticity: 4 },
  EE: { name: 'brewerFault', source: 'brewer', category: 'fault', criticity: 2 },
  EEA: { name: 'brewerMotorFault', source: 'brewer', category: 'fault', criticity: 4 },
  EED: { name: 'brewerPaperEmpty', source: 'brewer', category: 'maintenance', criticity: 4 },
  EEK: { name: 'brewerMotorFault', source: 'brewer', category: 'fault', criticity: 4 },
  EEL: { name: 'brewerLeak', source: 'brewer', category: 'fault', criticity: 4 },
  EF: { name: 'waterFault', source: 'water', category: 'fault', criticity: 2 },
  EFB: { name: 'waterFilterDue', source: 'water', category: 'maintenance', criticity: 2, clearedBy: ['OAK'] },
  EFG: { name: 'waterLevelFault', source: 'water', category: 'fault', criticity: 4 },
  EFJ: { name: 'waterLeak', source: 'water', category: 'fault', criticity: 4 },
  EFK: { name: 'waterLevelFault', source: 'water', category: 'fault', criticity: 4 },
  EFL: { name: 'waterMissing', source: 'water', category: 'fault', criticity: 4 },
  EFN: { name: 'waterPumpFault', source: 'water', category: 'fault', criticity: 4 },
  EFO: { name: 'waterPumpFault', source: 'water', category: 'fault', criticity: 4 },
  EG: { name: 'cabinetFault', source: 'door', category: 'fault', criticity: 2 },
  EGC: { name: 'lockFault', source: 'door', category: 'fault', criticity: 2 },
  EGE: { name: 'lightingFault', source: 'door', category: 'usability', criticity: 0 },
  EGM: { name: 'dripTrayMissing', source: 'door', category: 'maintenance', criticity: 2 },
  EGN: { name: 'wasteFull', source: 'door', category: 'maintenance', criticity: 4 },
  EGS: { name: 'doorOpen', source: 'door', category: 'maintenance', criticity: 2, clearedBy: ['EGT'] },
  EGT: { name: 'doorClosed', source: 'door', category: 'maintenance', criticity: 0 },
  EGU: { name: 'vendDoorFault', source: 'door', category: 'usability', criticity: 4 },
  EH: { name: 'coldDrinksFault', source: 'coldDrinks', category: 'fault', criticity: 2 },
  EHI: { name: 'syrupEmpty', source: 'coldDrinks', category: 'maintenance', criticity: 2 },
  EHK: { name: 'gasEmpty', source: 'coldDrinks', category: 'maintenance', criticity: 4 },
  EI: { name: 'communicationFault', source: 'communication', category: 'fault', criticity: 2 },
  EIC: { name: 'batteryLow', source: 'communication', category: 'maintenance', criticity: 2 },
  EIE: { name: 'networkMissing', source: 'communication', category: 'fault', criticity: 2 },
  EIL: { name: 'controllerSilent', source: 'communication', category: 'fault', criticity: 2 },
  EIN: { name: 'signalWeak', source: 'communication', category: 'fault', criticity: 0 },
  EJ: { name: 'snackFault', source: 'snack', category: 'fault', criticity: 2 },
  EJB: { name: 'dispenseMotorFault', source: 'snack', category: 'jam', criticity: 2 },
  EJC: { name: 'spiralBlocked', source: 'snack', category: 'jam', criticity: 2 },
  EJG: { name: 'deliveryDoorFault', source: 'snack', category: 'usability', criticity: 4 },
  EJH: { name: 'healthRuleViolated', source: 'snack', category: 'fault', criticity: 4 },
  EJJ: { name: 'coolingFault', source: 'snack', category: 'fault', criticity: 4 },
  EJK: { name: 'temperatureSensorFault', source: 'snack', category: 'fault', criticity: 2 },
  EJL: { name: 'deliverySensorFault', source: 'snack', category: 'fault', criticity: 4 },
  EJM: { name: 'deliverySystemFault', source: 'snack', category: 'jam', criticity: 4 },
  EK: { name: 'cashlessFault', source: 'cashless', category: 'fault', criticity: 2 },
  EKA: { name: 'cardReaderFault', source: 'cashless', category: 'fault', criticity: 4 },
  EKC: { name: 'cashlessBoardFailed', source: 'cashless', category: 'fault', criticity: 4 },
  EKD: { name: 'powerSupplyFault', source: 'cashless', category: 'fault', criticity: 4 },
  EKE: { name: 'cardRejected', source: 'cashless', category: 'usability', criticity: 0 },
  EKI: { name: 'cardBlocked', source: 'cashless', category: 'usability', criticity: 0 },
  EKK: { name: 'cashlessMemoryFull', source: 'cashless', category: 'maintenance', criticity: 4, clearedBy: ['OFC'] },
  EKM: { name: 'cashlessCommunication', source: 'cashless', category: 'fault', criticity: 4 },
  EKU: { name: 'cashlessMdbError', source: 'cashless', category: 'fault', criticity: 2 },
  EL: { name: 'productFault', source: 'product', category: 'fault', criticity: 2 },
  ELA: { name: 'deliveryFailed', source: 'product', category: 'jam', criticity: 2 },
  ELB: { name: 'soldOut', source: 'product', category: 'maintenance', criticity: 2, clearedBy: ['OA1C', 'OA1B'] },
  ELE: { name: 'productLow', source: 'product', category: 'maintenance', criticity: 0, clearedBy: ['OA1C', 'OA1B'] },
  EM: { name: 'microwaveFault', source: 'microwave', category: 'fault', criticity: 2 },
  EMB: { name: 'magnetronFault', source: 'microwave', category: 'fault', criticity: 4 },
  EN: { name: 'billFault', source: 'bill', category: 'fault', criticity: 2 },
  ENA: { name: 'billEntryBlocked', source: 'bill', category: 'jam', criticity: 4 },
  ENB: { name: 'billFraud', source: 'bill', category: 'usability', criticity: 2 },
  ENC: { name: 'billJam', source: 'bill', category: 'jam', criticity: 4 },
  END: { name: 'billStackerJam', source: 'bill', category: 'jam', criticity: 4 },
  ENE: { name: 'billBoxFull', source: 'bill', category: 'maintenance', criticity: 4, clearedBy: ['OFB'] },
  ENF: { name: 'billBoxRemoved', source: 'bill', category: 'maintenance', criticity: 4 },
  ENG: { name: 'billValidatorFailed', source: 'bill', category: 'fault', criticity: 4 },
  ENH: { name: 'billStackerFailed', source: 'bill', category: 'fault', criticity: 4 },
  ENI: { name: 'billBoardFailed', source: 'bill', category: 'fault', criticity: 4 },
  ENJ: { name: 'powerSupplyFault', source: 'bill', category: 'fault', criticity: 4 },
  ENK: { name: 'billCommunication', source: 'bill', category: 'fault', criticity: 4 },
  ENU: { name: 'billMdbError', source: 'bill', category: 'fault', criticity: 2 },
  EO: { name: 'refrigerationFault', source: 'refrigeration', category: 'fault', criticity: 4 },
  EOA: { name: 'temperatureSensorFault', source: 'refrigeration', category: 'fault', criticity: 2 },
  EOC: { name: 'compressorFault', source: 'refrigeration', category: 'fault', criticity: 4 },
  EOH: { name: 'condenserDirty', source: 'refrigeration', category: 'maintenance', criticity: 2 },
  EOJ: { name: 'evaporatorFrozen', source: 'refrigeration', category: 'fault', criticity: 2 },
  EOM: { name: 'refrigerantLeak', source: 'refrigeration', category: 'fault', criticity: 4 },
  OAK: { name: 'waterFilterChanged', source: 'water', category: 'maintenance', criticity: 0 },
  OAL: { name: 'pricesChanged', source: 'product', category: 'maintenance', criticity: 0 },
  OA1B: { name: 'allProductsRefilled', source: 'product', category: 'maintenance', criticity: 0 },
  OA1C: { name: 'productRefilled', source: 'product', category: 'maintenance', criticity: 0 },
  OBB: { name: 'doorOpen', source: 'door', category: 'maintenance', criticity: 2, clearedBy: ['EGT'] },
  OBC: { name: 'productLow', source: 'product', category: 'maintenance', criticity: 0, clearedBy: ['OA1C', 'OA1B'] },
  OBD: { name: 'cupsLow', source: 'cup', category: 'maintenance', criticity: 2 },
  OBH: { name: 'wasteFull', source: 'door', category: 'maintenance', criticity: 4 },
  OBK: { name: 'changeShort', source: 'coin', category: 'maintenance', criticity: 2 },
  OBO: { name: 'coinBoxFull', source: 'coin', category: 'maintenance', criticity: 4, clearedBy: ['OFA'] },
  OBP: { name: 'coinUnitDirty', source: 'coin', category: 'maintenance', criticity: 2 },
  OBR: { name: 'billUnitDirty', source: 'bill', category: 'maintenance', criticity: 2 },
  OBT: { name: 'coolingFault', source: 'refrigeration', category: 'fault', criticity: 4 },
  OCA: { name: 'theft', source: 'other', category: 'fault', criticity: 4 },
  OCB: { name: 'vandalism', source: 'other', category: 'fault', criticity: 4 },
  OCC: { name: 'coinSlotBlocked', source: 'coin', category: 'jam', criticity: 4 },
  OCE: { name: 'billEntryBlocked', source: 'bill', category: 'jam', criticity: 4 },
  OCF: { name: 'powerCut', source: 'control', category: 'fault', criticity: 2 },
  OCG: { name: 'waterMissing', source: 'water', category: 'fault', criticity: 4 },
  OCI: { name: 'cheating', source: 'other', category: 'usability', criticity: 2 },
  OCJ: { name: 'paymentNetworkDown', source: 'communication', category: 'fault', criticity: 2 },
  OCK: { name: 'networkMissing', source: 'communication', category: 'fault', criticity: 2 },
  OCM: { name: 'operatingFailure', source: 'control', category: 'fault', criticity: 4 },
  OCN: { name: 'configurationFailure', source: 'control', category: 'fault', criticity: 4 },
  OFA: { name: 'coinBoxEmptied', source: 'coin', category: 'maintenance', criticity: 0 },
  OFB: { name: 'billBoxEmptied', source: 'bill', category: 'maintenance', criticity: 0 },
  OFC: { name: 'cashlessDataCollected', source: 'cashless', category: 'maintenance', criticity: 0 },
  OFD: { name: 'tubesEmptied', source: 'coin', category: 'maintenance', criticity: 0 },
} as const satisfies Record<string, EventKind>

/** The part of the machine, by the letter after E. */
export const unitLetters = {
  A: 'coin',
  B: 'cup',
  C: 'control',
  D: 'hotDrinks',
  E: 'brewer',
  F: 'water',
  G: 'door',
  H: 'coldDrinks',
  I: 'communication',
  J: 'snack',
  K: 'cashless',
  L: 'product',
  M: 'microwave',
  N: 'bill',
  O: 'refrigeration',
} as const satisfies Record<string, AlarmSource>

const kinds: Record<string, EventKind> = eventCodes
const units: Record<string, AlarmSource> = unitLetters
const entryOf = <T>(table: Record<string, T>, key: string): T | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined

export type EventDescription = {
  /** The code without its suffix, in capitals: `EBM` of `EBM_1`. */
  stem: string
  /** The suffix. */
  detail: string | null
  source: AlarmSource
  /** Null for a maker's own code, with all that follows. */
  name: MachineEventName | null
  category: AlarmCategory | null
  criticity: AlarmCriticity | null
  clearedBy: readonly string[]
}

const longestRemark = 200

/** Stem, then the number after `_` or the maker's remark after a blank; undefined for other texts. */
function partsOf(text: string): { stem: string; detail: string | null } | undefined {
  const stem = /^([EO][A-Z0-9]{1,4})(?:_|\s|$)/i.exec(text)?.[1]
  if (stem === undefined) return undefined
  const rest = text.slice(stem.length)
  if (rest === '') return { stem, detail: null }
  const number = /^_([0-9A-F]{1,8})$/i.exec(rest)?.[1]
  const remark = rest.startsWith('_') ? '' : rest.trim()
  const detail = number ?? (remark.length <= longestRemark && !/[\r\n]/.test(remark) ? remark : '')
  return detail === '' ? undefined : { stem, detail }
}

/** Reads a code as a machine wrote it. A second cashless device has the digit 2 after its letter: EK2M is EKM of that device. */
export function describeEvent(code: string): EventDescription {
  const text = code.trim()
  const parts = partsOf(text)
  const stem = (parts?.stem ?? text).toUpperCase()
  const unit = /^E([A-O])/i.exec(text)?.[1]?.toUpperCase()
  const kind = parts === undefined ? undefined : (entryOf(kinds, stem) ?? entryOf(kinds, stem.replace(/^EK2/, 'EK')))
  return {
    stem,
    detail: parts?.detail ?? null,
    source: kind?.source ?? (unit === undefined ? undefined : entryOf(units, unit)) ?? 'other',
    name: kind?.name ?? null,
    category: kind?.category ?? null,
    criticity: kind?.criticity ?? null,
    clearedBy: kind?.clearedBy ?? [],
  }
}

/** The stems whose events `code` brings to an end. */
export const clearedByEvent = (code: string): string[] => {
  const { stem } = describeEvent(code)
  return Object.keys(kinds).filter((each) => kinds[each]?.clearedBy?.includes(stem))
}
