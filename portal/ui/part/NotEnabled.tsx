import { useTranslation } from 'react-i18next'
import { EmptyState } from '#portal/ui/part/ErrorState.tsx'

/** Replaces a screen that is not enabled for the merchant. */
export function NotEnabled({ label }: { label: string }) {
  const { t } = useTranslation(['shell', 'errors'])
  return <EmptyState title={t(`shell:screens.${label}`)} text={t('errors:FeatureNotEnabled')} />
}
