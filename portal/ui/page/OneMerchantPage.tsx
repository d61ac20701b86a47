import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useMerchant } from '#portal/app/merchant.tsx'
import { ScreenSkeleton } from '#portal/ui/part/ScreenSkeleton.tsx'
import { EmptyState, ErrorState } from '../part/ErrorState.tsx'
import { ScreenHeader } from './ScreenHeader.tsx'

/**
 * A page about one merchant, such as its settings: under all merchants it asks to select one. `words` has `oneMerchant.title` and
 * `oneMerchant.text`. It belongs inside `AddressMerchant`.
 */
export function OneMerchantPage<T>({
  words,
  title,
  subtitle,
  query: { data, error, refetch },
  children,
}: {
  words: string
  title: string
  subtitle?: string | undefined
  query: Pick<UseQueryResult<T>, 'data' | 'error' | 'refetch'>
  children: (data: T) => ReactNode
}) {
  const { t } = useTranslation(words)
  const { isAll } = useMerchant()
  return (
    <>
      <ScreenHeader title={title} subtitle={isAll ? undefined : subtitle} />
      {isAll ? (
        <EmptyState title={t('oneMerchant.title')} text={t('oneMerchant.text')} />
      ) : error && data === undefined ? (
        <ErrorState error={error} retry={refetch} />
      ) : data !== undefined ? (
        children(data)
      ) : (
        <ScreenSkeleton />
      )}
    </>
  )
}
