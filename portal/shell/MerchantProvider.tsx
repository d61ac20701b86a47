import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { roleMay } from '#contract/access.ts'
import { users } from '#contract/people/user.ts'
import { allMerchants } from '#contract/vocabulary/merchant.ts'
import { firstMerchant } from '#domain/merchants/first-merchant.ts'
import { numbersOf } from '#domain/money/number-style.ts'
import { queryOf } from '../app/api.ts'
import { useAddressQuery, useGo } from '../app/go.ts'
import {
  byName,
  ChosenContext,
  type ChosenMerchant,
  gatesOf,
  MerchantOfScreen,
  MerchantsContext,
  single,
} from '../app/merchant.tsx'
import { oneOf } from '../app/search.ts'
import { useSession } from '../app/session/useSession.ts'
import { remembered } from '../app/theme/preferences.ts'
import { ErrorState } from '../ui/part/ErrorState.tsx'
import { lazyPart, Part } from '../ui/part/lazyPart.tsx'

const NoMerchantPage = lazyPart(() => import('./session/NoMerchantPage.tsx'), ['session'])

/** Placeholder for a provider without merchants: the screens work, so that the first merchant can be created. */
const noneYet: Omit<ChosenMerchant, 'name'> = {
  id: allMerchants,
  timeZone: 'UTC',
  currency: undefined,
  numbersOf: undefined,
  language: 'en',
  country: '',
  features: new Set(),
  families: new Set(),
  demoDaysLeft: null,
  closedBy: null,
  isAll: true,
}

export function MerchantProvider({ children, waiting }: { children: ReactNode; waiting: ReactNode }) {
  const { t, i18n } = useTranslation('shell')
  const { me } = useSession()
  const isProvider = me !== null && roleMay(me.role, 'merchant.readAll')
  const go = useGo()
  const addressId = oneOf(useAddressQuery(), 'merchant')
  const { data, error, refetch } = useQuery({ ...queryOf(users.listMyMerchants), staleTime: 10 * 60_000 })
  const merchants = useMemo(() => byName(data ?? [], i18n.language), [data, i18n.language])
  const id = firstMerchant(merchants, [addressId, remembered('merchant')])

  // Links shared by a user of several merchants name their merchant.
  const isNamed = addressId === id || (merchants.length < 2 && !addressId)
  useEffect(() => {
    if (id && !isNamed) {
      const merchant = merchants.length > 1 ? id : undefined
      void go({ here: { merchant } }, { replace: true })
    }
  }, [id, isNamed, merchants.length, go])

  const selection = useMemo((): ChosenMerchant | undefined => {
    const [first] = merchants
    if (!first || !id) return data && isProvider ? { ...noneYet, name: t('allMerchants') } : undefined
    const one = merchants.find((merchant) => merchant.id === id)
    const open = merchants.filter(({ closedBy }) => !closedBy)
    if (one) return single(one)
    const features = new Set(open.flatMap(gatesOf))
    const families = new Set(open.flatMap((merchant) => merchant.productFamilies))
    const isOneCurrency = merchants.every(({ currency }) => currency === first.currency)
    const currency = isOneCurrency ? first.currency : undefined
    const closedBy = open.length > 0 ? null : first.closedBy
    return {
      ...first,
      id,
      name: t('allMerchants'),
      currency,
      numbersOf: numbersOf(merchants.map((merchant) => merchant.currency)),
      features,
      families,
      demoDaysLeft: null,
      closedBy,
      isAll: true,
    }
  }, [merchants, id, t, data, isProvider])

  if (error && !data) return <ErrorState error={error} retry={refetch} />
  if (data && !selection)
    return (
      <Part fallback={waiting}>
        <NoMerchantPage retry={refetch} />
      </Part>
    )
  if (!selection) return waiting
  return (
    <MerchantsContext value={merchants}>
      <ChosenContext value={selection}>
        <MerchantOfScreen merchant={selection}>{children}</MerchantOfScreen>
      </ChosenContext>
    </MerchantsContext>
  )
}
