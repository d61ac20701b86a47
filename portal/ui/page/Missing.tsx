import { useTranslation } from 'react-i18next'
import { ApiError, sentenceOf } from '#portal/app/apiError.ts'
import { useHere } from '#portal/app/here.ts'
import { EmptyState, ErrorState } from '../part/ErrorState.tsx'
import { PlaceLink } from '../value/PlaceLink.tsx'
import { ScreenHeader } from './ScreenHeader.tsx'

/** In place of a record's page: there is no such record, with a link to its list. A retry would not help. */
export function Missing({ title, text }: { title: string; text?: string | undefined }) {
  const { t } = useTranslation('shell')
  const here = useHere()
  const above = here?.ancestors.findLast(({ path }) => path !== here.screen.tabOf)
  const recordScreen = here?.ancestors.find(({ path }) => path === here.screen.tabOf) ?? here?.screen
  return (
    <>
      <ScreenHeader title={recordScreen && t(`screens.${recordScreen.label}`)} />
      <EmptyState title={title} {...(text && { text })}>
        {above && <PlaceLink place={{ to: above.path }}>{t(`screens.${above.label}`)}</PlaceLink>}
      </EmptyState>
    </>
  )
}

/** Why a record could not be loaded: it does not exist, or a failure that a retry may overcome. */
export function RecordFailure({
  error,
  retry,
  text,
}: {
  error: unknown
  retry: () => unknown
  text?: string | undefined
}) {
  const { t } = useTranslation(['errors', 'shell'])
  return error instanceof ApiError && error.status === 404 ? (
    <Missing title={sentenceOf((key, values) => t(key, values), error)} text={text} />
  ) : (
    <ErrorState error={error} retry={retry} />
  )
}
