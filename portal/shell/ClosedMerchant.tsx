import { IconLock } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { Closing } from '#contract/people/user.ts'
import { ScreenHeader } from '#portal/ui/page/ScreenHeader.tsx'
import { EmptyState } from '#portal/ui/part/ErrorState.tsx'
import { useMerchant } from '../app/merchant.tsx'

/** Replaces every screen of a merchant that is closed to its users: shows the reason, and who can open it again. */
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
