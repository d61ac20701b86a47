import { useTranslation } from 'react-i18next'
import { EmptyState } from '#portal/ui/page/ErrorState.tsx'

/** In place of a screen that the merchant may not use. */
export function NotEnabled({ label }: { label: string }) {
  const { t } = useTranslation(['shell', 'errors'])
  return <EmptyState title={t(`shell:screens.${label}`)} text={t('errors:FeatureNotEnabled')} />
}
