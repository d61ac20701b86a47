import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useSession } from '../../app/session/useSession.ts'
import classes from '../../ui/page/SessionPage.module.css'
import { SessionPage } from '../../ui/page/SessionPage.tsx'

/** Says that the signed-in user has no merchant yet; offers a retry and sign-out. */
export default function NoMerchantPage({ retry }: { retry: () => unknown }) {
  const { t } = useTranslation('session')
  const { me, logout } = useSession()
  return (
    <div className={classes.alone}>
      <SessionPage title={t('noMerchant.title')} text={t('noMerchant.text', { email: me?.email })}>
        <Button size="md" onClick={() => void retry()}>
          {t('noMerchant.retry')}
        </Button>
        <Button size="md" variant="default" onClick={() => void logout()}>
          {t('logout')}
        </Button>
      </SessionPage>
    </div>
  )
}
