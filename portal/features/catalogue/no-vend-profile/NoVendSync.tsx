import { useTranslation } from 'react-i18next'
import { Badge } from '#portal/ui/value/StatusBadge.tsx'

/** Whether a machine has confirmed its no-vend profile. */
export function NoVendSync({ isInSync }: { isInSync: boolean }) {
  const { t } = useTranslation('machine-act')
  return isInSync ? (
    <Badge tone="ok" mark="check">
      {t('noVend.inSync')}
    </Badge>
  ) : (
    <Badge tone="warn" mark="clock">
      {t('noVend.pending')}
    </Badge>
  )
}
