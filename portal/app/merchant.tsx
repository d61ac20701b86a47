import { useRouter } from '@tanstack/react-router'
import { createContext, type ReactNode, use, useMemo } from 'react'
import type { Closing, MerchantFacts } from '#contract/people/user.ts'
import type { Gate, ProductFamily } from '#contract/vocabulary/feature.ts'
import type { Currency } from '#contract/vocabulary/world/currencies.ts'
import type { Language } from '#contract/vocabulary/world/languages.ts'
import { useAddressQuery, useGo } from './go.ts'
import { hereOf } from './here.ts'
import { NumbersContext } from './i18n/numbersOf.ts'
import type { Place } from './place.ts'
import { oneOf } from './search.ts'
import { remember } from './theme/preferences.ts'

/** The merchant whose data the screens show; `isAll` means all merchants of the user. */
export interface ChosenMerchant {
  id: string
  name: string
  /** IANA zone of days and times; under "all merchants" the first merchant's. */
  timeZone: string
  /** Undefined under "all merchants" if they differ; every row then has its own. */
  currency: Currency | undefined
  /** In whose form numbers are written; undefined under “all merchants” if theirs differ. */
  numbersOf: Currency | undefined
  language: Language
  country: string
  /** The merchant's features; under "all merchants" those of any of them. */
  features: ReadonlySet<Gate>
  families: ReadonlySet<ProductFamily>
  /** Days until the demo's last day, below 0 after it; undefined under "all merchants". */
  demoDaysLeft: number | null
  /** The reason why the user sees none of its data; under "all merchants" if it applies to all of them. */
  closedBy: Closing | null
  isAll: boolean
}

/** Merchants as listed in the switcher: by name, ignoring case. */
export const byName = (merchants: readonly MerchantFacts[], language: string) => {
  const { compare } = new Intl.Collator(language, { sensitivity: 'base', numeric: true })
  return [...merchants].sort((a, b) => compare(a.name, b.name))
}

export const ChosenContext = createContext<ChosenMerchant | undefined>(undefined)
const MerchantContext = createContext<ChosenMerchant | undefined>(undefined)
export const MerchantsContext = createContext<readonly MerchantFacts[]>([])

export const gatesOf = ({ features, screenConfigurationManagement }: MerchantFacts): readonly Gate[] =>
  screenConfigurationManagement ? [...features, 'screenConfigurationManagement'] : features

export const single = (one: MerchantFacts): ChosenMerchant => ({
  ...one,
  features: new Set(gatesOf(one)),
  families: new Set(one.productFamilies),
  numbersOf: one.currency,
  isAll: false,
})

/** The merchant of a screen, in whose form its numbers are written. */
export const MerchantOfScreen = ({
  merchant,
  children,
}: {
  merchant: ChosenMerchant | undefined
  children: ReactNode
}) => (
  <MerchantContext value={merchant}>
    <NumbersContext value={merchant?.numbersOf}>{children}</NumbersContext>
  </MerchantContext>
)

/**
 * The page of one record: everything on it uses the record's own merchant (calls, zone, currency, features), while the switcher
 * keeps what the user chose. Without an id, or with an unknown one, the chosen merchant remains.
 */
export function RecordMerchant({ id, children }: { id: string | undefined; children: ReactNode }) {
  const current = useMerchant()
  const recordMerchant = useMerchants().find((merchant) => merchant.id === id)
  const merchant = useMemo(
    () => (recordMerchant && recordMerchant.id !== current.id ? single(recordMerchant) : current),
    [recordMerchant, current],
  )
  return <MerchantOfScreen merchant={merchant}>{children}</MerchantOfScreen>
}

/** The same for a screen whose address names the merchant (`?of=`), such as the settings that a change log leads to. */
export function AddressMerchant({ children }: { children: ReactNode }) {
  return <RecordMerchant id={oneOf(useAddressQuery(), 'of')}>{children}</RecordMerchant>
}

const merchantInShell = (merchant: ChosenMerchant | undefined): ChosenMerchant => {
  if (!merchant) throw new Error('A merchant is read outside the shell')
  return merchant
}

/** The merchant of the screen: a record's own on its page, else the selected one. */
export const useMerchant = (): ChosenMerchant => merchantInShell(use(MerchantContext))

/** What the switcher shows, also on the page of another merchant's record. */
export const useSwitchedMerchant = (): ChosenMerchant => merchantInShell(use(ChosenContext))

/** All merchants of the user, by name. */
export const useMerchants = () => use(MerchantsContext)

/**
 * The merchant of a row under "all merchants", else the chosen merchant: the row's times and money use its zone and
 * currency.
 */
export function useMerchantOf(merchantId: string | undefined): { timeZone: string; currency: Currency | undefined } {
  const current = useMerchant()
  return useMerchants().find(({ id }) => id === merchantId) ?? current
}

/**
 * Changes the merchant and keeps the screen; the page of a record is replaced by its list. The selected groups are cleared,
 * since they belong to the former merchant.
 */
export function useSwitchMerchant() {
  const router = useRouter()
  const go = useGo()
  return (merchant: string) => {
    remember('merchant', merchant)
    const to = hereOf(router.state.matches)?.place ?? '/dashboard'
    return go({ to, search: { merchant, groups: undefined } })
  }
}

/**
 * A place at a merchant, for screens that list several: a click on a merchant or its figures chooses it, as in the
 * switcher. Links to records never do this; a record's page knows its own merchant (`RecordMerchant`).
 */
export const placeInMerchant = (merchantId: string, { search, ...place }: Place): Place => ({
  ...place,
  search: { ...search, merchant: merchantId },
})
