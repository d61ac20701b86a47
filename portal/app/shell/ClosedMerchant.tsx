import { IconLock } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { Closing } from '#contract/user.ts'
import { EmptyState } from '../../ui/ErrorState.tsx'
import { ScreenHeader } from '../../ui/ScreenHeader.tsx'
import { useMerchant } from '../merchant.tsx'

/** In place of every screen of a merchant that is closed to its people: why, and who can open it again. */
export default function ClosedMerchant({ reason }: { reason: Closing }) {
  const { t } = useTranslation(['demo-end', 'errors'])
  const { name } = useMerchant()
  return (
    <>
      <ScreenHeader title={name} />
      <EmptyState
        title={t(`demo-end:closed.${reason}`, { name })}
        text={t(`errors:${reason}`)}
        icon={<IconLock size={20} aria-hidden />}
      />
    </>
  )
}
