import { Text } from '@mantine/core'
import { IconHourglass } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { roleMay } from '#contract/access.ts'
import { PlaceLink } from '#portal/ui/value/PlaceLink.tsx'
import { useMerchant } from '../app/merchant.tsx'
import { useSession } from '../app/session/useSession.ts'
import classes from './DemoNotice.module.css'

/** Above every screen of a demo that ends soon: the days left, and a link to extend it for users who may. */
export default function DemoNotice() {
  const { t } = useTranslation('demo-end')
  const { me } = useSession()
  const { id, demoDaysLeft } = useMerchant()
  const count = demoDaysLeft ?? 0
  const mayExtend = me && roleMay(me.role, 'merchant.admin')
  const sentence = count < 0 ? t('over') : count === 0 ? t('today') : t('days', { count })
  return (
    <p className={classes.notice} data-tone={count < 0 ? 'crit' : 'warn'} role="status">
      <IconHourglass size={16} aria-hidden />
      <Text span flex="1 1 200px">
        {sentence} {!mayExtend && t('ask')}
      </Text>
      {mayExtend && (
        <PlaceLink
          place={{ to: '/admin/merchants/$merchantId', params: { merchantId: id } }}
          className={classes.extend}
        >
          {t('extend')}
        </PlaceLink>
      )}
    </p>
  )
}
