import { Button, SimpleGrid } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { ApiError } from '#portal/app/apiError.ts'
import { EmptyState, ErrorState } from '#portal/ui/part/ErrorState.tsx'
import { ScreenSkeleton } from '#portal/ui/part/ScreenSkeleton.tsx'
import { Part } from './Part.tsx'

const away = new ApiError('Unreachable')
const broken = new ApiError('Internal', 500, { requestId: '019ad6a2-3c41-7e5b-9d0e-5d1f3f6a2b10' })

/** Error, empty and loading states. */
export function StatesSection() {
  const { t } = useTranslation('kit')
  return (
    <SimpleGrid minColWidth="min(100%, 320px)" autoFlow="auto-fit" spacing="wide">
      <Part caption={t('state.retry')}>
        <ErrorState error={away} retry={() => undefined} />
      </Part>
      <Part caption={t('state.request')}>
        <ErrorState error={broken} />
      </Part>
      <Part caption={t('state.empty')}>
        <EmptyState title={t('list.empty')} text={t('fact.long')}>
          <Button variant="default">{t('list.act')}</Button>
        </EmptyState>
      </Part>
      <Part caption={t('state.skeleton')}>
        <ScreenSkeleton />
      </Part>
    </SimpleGrid>
  )
}
