import { NoVendWindow, overlappingWindows } from '#contract/catalogue/no-vend-profile.ts'
import { isJsonObject, type Json, type JsonObject } from '#contract/configurations/vp-document.ts'
import { type BrokenRule, broken } from '#contract/frame/broken.ts'
import { vpValueAt } from './vp-document.ts'
import type { VpSchema } from './vp-schema.ts'

type Say = (path: string, rule: BrokenRule) => unknown

/** A rule between parameters. Values of a wrong type are the schema's concern: the rule passes over them. */
type VpRule = (document: Json, say: Say) => void

const numberAt = (document: Json, path: string): number | undefined => {
  const value = vpValueAt(document, path)
  return typeof value === 'number' ? value : undefined
}
const listAt = (document: Json, path: string): Json[] => {
  const value = vpValueAt(document, path)
  return Array.isArray(value) ? value : []
}
/** Entries of a list with their places; what is no object is left out. */
const entriesAt = (document: Json, path: string): [index: number, entry: JsonObject][] =>
  [...listAt(document, path).entries()].filter((entry): entry is [number, JsonObject] => isJsonObject(entry[1]))

/** The display starts in one of its own languages. */
const firstLanguage: VpRule = (document, say) => {
  const first = vpValueAt(document, 'display.firstLanguage')
  const languages = listAt(document, 'display.languages')
  if (typeof first === 'string' && languages.length > 0 && !languages.includes(first))
    say('display.firstLanguage', broken('firstLanguage'))
}

/** Windows of the schedule do not overlap. */
const windows: VpRule = (document, say) => {
  const read = NoVendWindow.array().safeParse(vpValueAt(document, 'schedule.windows'))
  for (const at of overlappingWindows(read.data ?? [])) say(`schedule.windows.${at}.from`, broken('overlap'))
}

/** No two entries of a list have the same number; entries that are off do not count. */
const oneEach =
  (list: string, number: string): VpRule =>
  (document, say) => {
    const numbers = new Set<Json>()
    for (const [index, entry] of entriesAt(document, list)) {
      const value = entry[number]
      if (typeof value !== 'number' || entry.enabled === false) continue
      if (numbers.has(value)) say(`${list}.${index}.${number}`, broken('unique'))
      numbers.add(value)
    }
  }

/** A price beyond the maximum credit can be paid by cashless media alone. A maximum of 0 is none. */
const payable =
  (list: string): VpRule =>
  (document, say) => {
    const most = numberAt(document, 'payment.maximumCredit') ?? 0
    const isFree = vpValueAt(document, 'payment.freeVend') !== false
    if (most === 0 || isFree || vpValueAt(document, 'payment.cashless') !== false) return
    for (const [index, { price, enabled }] of entriesAt(document, list))
      if (typeof price === 'number' && price > most && enabled !== false)
        say(`${list}.${index}.price`, broken('overMaximumCredit'))
  }

/** What flows into the cup fits into it. Water of a rinse does not flow into the cup. */
const cup: VpRule = (document, say) => {
  const size = numberAt(document, 'cups.cupSize')
  if (size === undefined) return
  for (const [index, recipe] of entriesAt(document, 'recipes')) {
    if (recipe.cup !== true || recipe.enabled === false) continue
    const amount = entriesAt(recipe, 'steps').reduce(
      (sum, [, step]) =>
        sum + (['water', 'milk'].includes(String(step.kind)) && typeof step.amount === 'number' ? step.amount : 0),
      0,
    )
    const rounded = Math.round(amount * 10) / 10
    if (rounded > size) say(`recipes.${index}.steps`, broken('cupOverflow', { amount: rounded, cupSize: size }))
  }
}

/** One parameter is at most, below or above another one. */
const compare =
  (path: string, rule: 'maximum' | 'smallerThan' | 'greaterThan', other: string, factor = 1): VpRule =>
  (document, say) => {
    const value = numberAt(document, path)
    const bound = numberAt(document, other)
    if (value === undefined || bound === undefined) return
    const limit = bound * factor
    const holds = rule === 'maximum' ? value <= limit : rule === 'smallerThan' ? value < limit : value > limit
    if (!holds) say(path, broken(rule, rule === 'maximum' ? { maxValue: limit } : { other: limit }))
  }

/** A double spiral uses its own motor and the motor of the next selection, which has no other tray then. */
const doubleSpirals: VpRule = (document, say) => {
  const trays = entriesAt(document, 'trays').filter(([, { enabled }]) => enabled !== false)
  const doubles = new Map(
    trays.flatMap(([, { selection, motor }]) =>
      motor === 'double' && typeof selection === 'number' ? [[selection + 1, selection]] : [],
    ),
  )
  for (const [index, { selection }] of trays) {
    const double = typeof selection === 'number' ? doubles.get(selection) : undefined
    if (double !== undefined) say(`trays.${index}.selection`, broken('spiralTaken', { selection: double }))
  }
}

const ofAll = [firstLanguage, windows]
const ofHotDrinks = [
  ...ofAll,
  oneEach('recipes', 'selection'),
  payable('recipes'),
  cup,
  compare('cups.sugarNormal', 'maximum', 'cups.sugarSteps'),
]

/** The rules of each family, beside its schema in `vp-schemas/`. They say what parameters mean together; a schema says it of each alone. */
const rulesOfFamily: Record<string, readonly VpRule[]> = {
  espresso: [...ofHotDrinks, compare('boilers.standbyTemperature', 'smallerThan', 'boilers.coffeeTemperature')],
  instant: [
    ...ofHotDrinks,
    compare('boilers.standbyTemperature', 'smallerThan', 'boilers.waterTemperature'),
    oneEach('canisters', 'canister'),
  ],
  snack: [
    ...ofAll,
    oneEach('trays', 'selection'),
    payable('trays'),
    doubleSpirals,
    compare('cooling.safetyTemperature', 'greaterThan', 'cooling.temperature'),
    compare('cooling.defrostMinutes', 'smallerThan', 'cooling.defrostHours', 60),
  ],
}

/** Says the contradictions between the parameters of a document, each at the parameter that has to change. */
export function sayContradictions({ title }: VpSchema, document: Json, say: Say): void {
  const rules = rulesOfFamily[title]
  if (!rules) throw new Error(`The family ${title} has no rules.`)
  for (const rule of rules) rule(document, say)
}

/** The entry with the next free number of its list, such as a recipe with a selection without a drink. */
export function withFreeNumber(rows: readonly Json[], entry: Json, most = 99): Json {
  if (!isJsonObject(entry)) return entry
  const name = ['canister', 'selection'].find((one) => typeof entry[one] === 'number')
  if (!name) return entry
  const numbers = new Set(rows.flatMap((row) => (isJsonObject(row) ? [row[name]] : [])))
  for (let number = Number(entry[name]); number <= most; number++)
    if (!numbers.has(number)) return { ...entry, [name]: number }
  return entry
}
