import { IconCloudOff, IconRefresh } from '@tabler/icons-react'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError, isLost } from '#portal/app/apiError.ts'
import { useOnline } from '../app/online.ts'
import { Button, Empty, Loading, Notice } from './parts.tsx'
import { useWhen } from './values.tsx'

/** The sentence of a failed call. Without a network its words may be missing, so the app has those of lost connections itself. */
export function useFault() {
  const { t } = useTranslation('key-app')
  const { t: e, i18n } = useTranslation('errors', { useSuspense: false })
  return (error: unknown): string => {
    if (isLost(error)) return t('offline.lost')
    const code = error instanceof ApiError ? error.code : 'Internal'
    const sentence = i18n.exists(code, { ns: 'errors' })
      ? e(code, error instanceof ApiError ? { ...error.facts } : {})
      : t('failed')
    // Support finds a failure of ours by its request.
    const id = error instanceof ApiError && error.status >= 500 ? error.requestId : undefined
    return id ? `${sentence} ${t('request', { id })}` : sentence
  }
}

/** The rule that a field of a form broke, as the server found it. */
export function useFieldFault(error: unknown) {
  const { t } = useTranslation('form', { useSuspense: false })
  return (field: string): string | undefined => {
    const broken = error instanceof ApiError ? error.fields[field] : undefined
    return broken && t(broken.key, { ...('values' in broken ? broken.values : {}) })
  }
}

/** Why an act failed, beside its button. */
export function Fault({ error }: { error: unknown }) {
  const say = useFault()
  return error ? (
    <Notice tone="crit" role="alert">
      {say(error)}
    </Notice>
  ) : null
}

/**
 * An answer: its skeleton, its failure with a retry, or its content, which stays when a newer answer cannot be fetched. Then it says when
 * it was fetched.
 */
export function Answer<T>({
  answer,
  isDated = true,
  children,
}: {
  answer: UseQueryResult<T, ApiError>
  /** False where the content says its time itself. */
  isDated?: boolean
  children: (data: T) => ReactNode
}) {
  const { t } = useTranslation('key-app')
  const say = useFault()
  const when = useWhen()
  const isOnline = useOnline()
  if (answer.data !== undefined)
    return (
      <>
        {isDated && (answer.isError || !isOnline) && (
          <p className="hint">{t('asOf', { when: when(answer.dataUpdatedAt) })}</p>
        )}
        {children(answer.data)}
      </>
    )
  if (!answer.isError) return <Loading />
  const isAway = isLost(answer.error)
  return (
    <Empty icon={<IconCloudOff aria-hidden />} title={isAway ? t('offline.title') : t('failedTitle')}>
      <p>{isAway ? t('offline.unseen') : say(answer.error)}</p>
      <Button look="outline" icon={<IconRefresh aria-hidden />} onClick={() => void answer.refetch()}>
        {t('retry')}
      </Button>
    </Empty>
  )
}
