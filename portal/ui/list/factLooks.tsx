import type { ReactNode } from 'react'
import {
  type Fact,
  isNamedAlike,
  namedAlike,
  type PlaceKind,
  type WordTable,
  wordPlaceOf,
} from '#contract/frame/list-columns.ts'
import type { Currency } from '#contract/vocabulary/world/currencies.ts'
import type { Place } from '../../app/place.ts'
import { When } from '../time/When.tsx'
import { Amount } from '../value/Amount.tsx'
import { CopyId } from '../value/CopyId.tsx'
import * as shared from '../value/looks.ts'
import { PlaceLink } from '../value/PlaceLink.tsx'
import { type Appearance, StatusBadge } from '../value/StatusBadge.tsx'
import type { Say } from './listProps.ts'
import type { Column } from './types.ts'

/** A row by its fields. */
export type Values = Readonly<Record<string, unknown>>
type Look = Partial<Omit<Column<Values>, 'id' | 'name'>>

/** Looks of states, by vocabulary. */
export type StatusLooks = Readonly<Record<string, Readonly<Record<string | number, Appearance>>>>

/** The looks of states that several nouns show. A noun's screens give those of its own states. */
const sharedLooks: StatusLooks = {
  machineState: shared.machineStateLooks,
  connection: shared.connectionLooks,
  posStatus: shared.posStatusLooks,
  alarmStatus: shared.alarmStatusLooks,
  alarmCriticity: shared.alarmCriticityLooks,
  commandStatus: shared.commandStatusLooks,
  crc: shared.crcLooks,
}

/** The place of a record that a row names, and its name. */
const places: Record<PlaceKind, { to: string; param: string; name: string }> = {
  machine: { to: '/devices/$posId', param: 'posId', name: 'posName' },
  customer: { to: '/customers-medias/customers/$customerId', param: 'customerId', name: 'customerName' },
  media: { to: '/customers-medias/medias/$mediaId', param: 'mediaId', name: 'mediaSerial' },
  product: { to: '/manage/products/$productId', param: 'productId', name: 'productName' },
}

const zoneOf = ({ timeZone }: Values) => (typeof timeZone === 'string' ? { timeZone } : {})

/** The name of another record, as a link to it. */
function Named({ kind, item }: { kind: PlaceKind; item: Values }) {
  const { to, param, name } = places[kind]
  const id = item[param]
  const place: Place = { to, params: { [param]: String(id) } }
  return typeof id === 'string' ? <PlaceLink place={place}>{item[name] as ReactNode}</PlaceLink> : null
}

function badge(of: string, valueOf: (item: Values) => unknown, nounLooks: StatusLooks): Look {
  const looks = nounLooks[of] ?? sharedLooks[of]
  if (!looks) throw new Error(`The states of ${of} have no looks`)
  return {
    card: 'badge',
    cell: (item) => {
      const value = valueOf(item) as string | number | null | undefined
      return value === null || value === undefined ? null : <StatusBadge of={looks} value={value} />
    },
  }
}

function amount(valueOf: (item: Values) => unknown, currency = 'currency'): Look {
  const minor = (item: Values) => valueOf(item) as number | null
  const currencyOf = (item: Values) => item[currency] as Currency
  return {
    align: 'end',
    cell: (item) => <Amount minor={minor(item)} currency={currencyOf(item)} />,
    number: minor,
    unit: 'money',
    currencyOf,
  }
}

function wordOf(of: WordTable, code: unknown, t: Say['t']): string | null {
  if (code === null || code === undefined) return null
  if (isNamedAlike(of)) return new Map(Object.entries<string>(namedAlike[of])).get(String(code)) ?? String(code)
  // A maker's own word is shown as received.
  return t(`${wordPlaceOf(of)}.${String(code)}`, { defaultValue: String(code) })
}

/** The format of a fact by its kind. `own`: looks of states that are the noun's own. */
export function lookOf(id: string, fact: Fact, nounLooks: StatusLooks, { t, format }: Say): Look {
  const valueOf = (item: Values) => item[fact.field ?? id]
  const textOf = (item: Values) => valueOf(item) as string | null | undefined
  switch (fact.kind) {
    case 'number':
    case 'decimal':
      return {
        align: 'end',
        ...(fact.kind === 'number' && fact.unit === 'percent' && { unit: 'percent' }),
        cell: (item) => numeral(valueOf(item), format),
        number: (item) => valueOf(item) as number | null | undefined,
      }
    case 'percent':
      return { align: 'end', unit: 'percent' }
    case 'instant': {
      const { as = 'relative' } = fact
      return {
        ...(as === 'relative' && { align: 'end' }),
        cell: (item) => <When at={textOf(item)} as={as} {...zoneOf(item)} />,
      }
    }
    case 'amount':
      return amount(valueOf, fact.currency)
    case 'word':
      return { cell: (item) => wordOf(fact.of, valueOf(item), t) }
    case 'words':
      return {
        cell: (item) => (valueOf(item) as readonly unknown[]).map((code) => wordOf(fact.of, code, t)).join(', '),
      }
    case 'status':
      return badge(fact.of, valueOf, nounLooks)
    case 'place':
      return { cell: (item) => <Named kind={fact.of} item={item} /> }
    case 'serial':
      return { cell: (item) => <CopyId value={textOf(item)} /> }
    case 'person':
      return { cell: (item) => textOf(item) ?? t('ui:provider') }
    case 'day':
      return { cell: (item) => written(textOf(item), format.day) }
    case 'country':
      return { cell: (item) => written(textOf(item), (code) => regionsIn(format.locale).of(code)) }
    default:
      return { cell: (item) => valueOf(item) as ReactNode }
  }
}

const numeral = (value: unknown, format: Say['format']) =>
  value === null ? '–' : typeof value === 'number' ? format.number(value) : null
const written = <T,>(value: string | null | undefined, write: (value: string) => T) => (value ? write(value) : null)

const regions = new Map<string, Intl.DisplayNames>()
/** Names of countries in a language. */
function regionsIn(locale: string): Intl.DisplayNames {
  const names = regions.get(locale) ?? new Intl.DisplayNames(locale, { type: 'region' })
  regions.set(locale, names)
  return names
}
